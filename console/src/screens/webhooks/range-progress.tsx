import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Webhook } from '../../../../src/webhooks/schema.ts'
import { useEmpresa } from '../../api/eu.ts'
import { redeliveryQuery, webhooksKey } from '../../api/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Progress } from '../../ui/progress.tsx'

interface ProgressProps {
  webhook: Webhook
  redelivery: string
  onClose: () => void
}

export function RangeProgress({ webhook, redelivery, onClose }: ProgressProps) {
  const { id } = useEmpresa()
  const queryClient = useQueryClient()
  const query = useQuery({
    ...redeliveryQuery(id, webhook.id, redelivery),
    refetchInterval: ({ state }) => (state.data?.item.concluido_em ? false : 1000),
  })
  const done = Boolean(query.data?.item.concluido_em)
  useEffect(() => {
    if (done) queryClient.invalidateQueries({ queryKey: [...webhooksKey(id), webhook.id] })
  }, [done, id, webhook.id, queryClient])
  return (
    <div className="grid gap-4">
      <Loaded query={query} lines={1}>
        {({ item }) => (
          <>
            <Progress label="Postas de novo na fila" value={item.reenviadas} max={item.total} />
            <p role="status" className="text-sm">
              {done && 'Todas estão na fila; as entregas saem em seguida.'}
            </p>
          </>
        )}
      </Loaded>
      <DialogActions>
        <Button kind="main" onClick={onClose}>
          Fechar
        </Button>
      </DialogActions>
    </div>
  )
}
