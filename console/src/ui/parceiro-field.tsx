import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Popover } from 'radix-ui'
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import type { Parceiro } from '../../../src/parceiros/schema.ts'
import { useEmpresa } from '../api/eu.ts'
import { parceiroQuery, parceirosQuery } from '../api/parceiros.ts'
import { useDebounced } from '../lib/debounced.ts'
import { counted, documento } from '../lib/format.ts'
import { Field } from './field.tsx'
import { Icon } from './icon.tsx'
import { inputLook } from './look.ts'
import { optionId, ParceiroOptions } from './parceiro-options.tsx'

/** As many as are seen without scrolling. */
const OFFERED = 6

interface Props {
  label?: string
  hint?: ReactNode
  name?: string
  /** The partner's id; empty for none. */
  value: string
  fault?: string | undefined
  onChange: (value: string) => void
}

/** A partner, found by typing a part of the name or document. */
export function ParceiroField({ label = 'Parceiro', hint, name, value, fault, onChange }: Props) {
  const { id: empresa } = useEmpresa()
  const queryClient = useQueryClient()
  const list = useId()
  const input = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState(false)
  /** Nothing until something is typed: the chosen one's name is shown. */
  const [typed, setTyped] = useState<string>()
  const [active, setActive] = useState(0)
  /** Enter was faster than the answer. */
  const [eager, setEager] = useState(false)
  const wanted = typed?.trim() ?? ''
  const busca = useDebounced(wanted)
  const { data: chosen } = useQuery({ ...parceiroQuery(empresa, value), enabled: value !== '' })
  const filter = { ativo: true, limit: OFFERED, ...(busca ? { busca } : {}) }
  const {
    data: found,
    error,
    isPlaceholderData,
  } = useQuery({ ...parceirosQuery(empresa, filter), enabled: open })
  const items = found?.items ?? []
  const answered = found !== undefined && !isPlaceholderData && busca === wanted
  const current = answered ? items[active] : undefined
  const shownName = value && chosen ? chosen.item.nome : ''
  const own = value && chosen?.item.documento

  function close() {
    setOpen(false)
    setTyped(undefined)
    setActive(0)
    setEager(false)
  }

  function choose(parceiro: Parceiro) {
    queryClient.setQueryData(parceiroQuery(empresa, parceiro.id).queryKey, { item: parceiro })
    onChange(parceiro.id)
    close()
  }

  function steer(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      if (open) setActive(Math.max(0, Math.min(items.length - 1, active + step)))
      else setOpen(true)
    } else if (event.key === 'Enter' && open) {
      // It chooses; the form is sent by the next one.
      event.preventDefault()
      if (typed === '') leave()
      else if (answered) chooseCurrent()
      else setEager(true)
    }
  }

  function chooseCurrent() {
    setEager(false)
    if (current) choose(current)
  }

  /** Who has emptied the field wants none; who has only begun to type has chosen nothing new. */
  function leave() {
    if (typed === '') onChange('')
    close()
  }

  const catchUp = useEffectEvent(chooseCurrent)
  useEffect(() => {
    if (eager && answered) catchUp()
  }, [eager, answered])

  return (
    <Field label={label} hint={hint ?? (own && documento(own))} fault={fault}>
      {(linked) => (
        <Popover.Root open={open} onOpenChange={(next) => !next && close()}>
          <Popover.Anchor className="flex gap-1">
            <input
              {...linked}
              ref={input}
              name={name}
              type="text"
              role="combobox"
              aria-autocomplete="list"
              aria-expanded={open}
              aria-controls={list}
              aria-activedescendant={open && current ? optionId(list, current) : undefined}
              autoComplete="off"
              spellCheck={false}
              placeholder="Nome, CPF ou CNPJ"
              value={typed ?? shownName}
              onChange={(event) => {
                setTyped(event.target.value)
                setActive(0)
                setEager(false)
                setOpen(true)
              }}
              onClick={() => setOpen(true)}
              onFocus={(event) => event.target.select()}
              onBlur={leave}
              onKeyDown={steer}
              className={inputLook}
            />
            {value && (
              <button
                type="button"
                aria-label={`Limpar ${label}`}
                onClick={() => {
                  onChange('')
                  close()
                  input.current?.focus()
                }}
                className="rounded-lg p-2.5 text-soft hover:bg-sunken hover:text-ink"
              >
                <Icon name="close" className="size-4" />
              </button>
            )}
          </Popover.Anchor>
          <Popover.Portal>
            <Popover.Content
              role="presentation"
              align="start"
              sideOffset={4}
              collisionPadding={8}
              onOpenAutoFocus={(event) => event.preventDefault()}
              onCloseAutoFocus={(event) => event.preventDefault()}
              onInteractOutside={(event) => {
                if (event.target === input.current) event.preventDefault()
              }}
              // The focus stays in the field.
              onPointerDown={(event) => event.preventDefault()}
              className="z-50 flex max-h-(--radix-popover-content-available-height) w-(--radix-popover-trigger-width) flex-col rounded-xl border border-line bg-paper p-1.5 text-sm text-ink shadow-xl"
            >
              <ParceiroOptions
                list={list}
                label={label}
                items={items}
                current={current}
                onChoose={choose}
              />
              <p role="status" className="px-3 py-2 text-soft empty:hidden">
                {error ? error.detail : found && told(found.total, items.length)}
              </p>
            </Popover.Content>
          </Popover.Portal>
        </Popover.Root>
      )}
    </Field>
  )
}

function told(total: number, offered: number): string {
  if (total === 0) return 'Nenhum parceiro ativo assim.'
  if (total > offered) return `Mais ${total - offered}: continue digitando.`
  return counted(total, 'parceiro', 'parceiros')
}
