import type { Failure } from '../api/call.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

interface Props {
  failure: Failure | null
  title?: string
  retry?: (() => void) | undefined
  pending?: boolean
}

export function FailureNotice({ failure, title, retry, pending = false }: Props) {
  if (!failure) return null
  return (
    <Notice tone="bad" {...(title ? { title } : {})}>
      <p>{failure.detail}</p>
      {retry && (
        <div>
          <Button onClick={retry} pending={pending}>
            Tentar de novo
          </Button>
        </div>
      )}
    </Notice>
  )
}
