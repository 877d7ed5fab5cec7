import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type DragEvent, useState } from 'react'
import { MAX_BYTES } from '../../../../src/importacao/limits.ts'
import { Failure } from '../../api/call.ts'
import { useEmpresa } from '../../api/eu.ts'
import { bringFile, importacaoQuery, importacoesQuery } from '../../api/importacoes.ts'
import { FailureNotice } from '../../ui/failure.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Spinner } from '../../ui/spinner.tsx'

const route = getRouteApi('/e/$empresa/lancamentos/importar')

/** A file from a dialog or dropped: it is sent at once, to be looked at. */
export function ChooseFile() {
  const { id } = useEmpresa()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const [over, setOver] = useState(false)
  const sending = useMutation({
    mutationFn: (file: File) => {
      if (file.size <= MAX_BYTES) return bringFile(id, file)
      const detail = 'O arquivo passa de 6 MB. Divida-o em partes, por exemplo por mês.'
      return Promise.reject(new Failure({ code: 'too-large', detail }))
    },
    onSuccess: ({ item }) => {
      client.setQueryData(importacaoQuery(id, item.id).queryKey, { item })
      client.invalidateQueries(importacoesQuery(id))
      navigate({ search: { importacao: item.id } })
    },
  })

  function take(files: FileList | null) {
    const file = files?.[0]
    if (file && !sending.isPending) sending.mutate(file)
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }

  return (
    <>
      <FailureNotice failure={sending.error} title="O arquivo não foi aceito" />
      <label
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={`grid justify-items-center gap-3 rounded-xl border-2 border-dashed px-4 py-12 text-center has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-main ${
          over ? 'border-main bg-main-tint' : 'border-edge bg-paper hover:bg-sunken'
        }`}
      >
        <input
          type="file"
          accept=".csv,.txt,.ofx,.qfx,text/csv,application/x-ofx"
          className="sr-only"
          onChange={(event) => {
            take(event.target.files)
            // The same file, corrected, can be chosen again.
            event.target.value = ''
          }}
        />
        <span className="rounded-full bg-main-tint p-3 text-main">
          <Icon name="plus" className="size-6" />
        </span>
        <span className="text-lg font-semibold">Escolha um arquivo CSV ou OFX</span>
        <span className="max-w-prose text-sm text-soft">
          ou arraste-o para cá. Até 10.000 linhas. O que já foi importado antes é reconhecido e fica
          de fora.
        </span>
      </label>
      <p role="status" className="flex items-center gap-2 text-sm empty:hidden">
        {sending.isPending && (
          <>
            <Spinner /> Lendo {sending.variables.name}…
          </>
        )}
      </p>
    </>
  )
}
