import type { Failure } from '../api/call.ts'
import { Button } from './button.tsx'
import { DialogActions } from './dialog.tsx'

interface Props {
  form: { failure: Failure | null; pending: boolean; reset: () => void }
  /** What the form does, in the words of its button. */
  act: string
  onClose: () => void
}

/** The end of a form in a dialog. Who cancels gives up what was typed; who closes it otherwise does not. */
export function FormActions({ form, act, onClose }: Props) {
  return (
    <DialogActions failure={form.failure}>
      <Button
        onClick={() => {
          form.reset()
          onClose()
        }}
      >
        Cancelar
      </Button>
      <Button type="submit" kind="main" pending={form.pending}>
        {act}
      </Button>
    </DialogActions>
  )
}
