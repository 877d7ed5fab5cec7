import { DropdownMenu } from 'radix-ui'
import type { ReactNode, RefObject } from 'react'
import { Icon } from './icon.tsx'
import { buttonLook } from './look.ts'

const itemLook =
  'flex min-h-10 cursor-pointer items-center gap-2 rounded-lg px-3 py-2 text-sm outline-none select-none data-highlighted:bg-sunken'

interface MenuProps {
  trigger: ReactNode
  triggerRef?: RefObject<HTMLButtonElement | null>
  label?: string
  className: string
  align?: 'start' | 'end'
  children: ReactNode
}

export function Menu({
  trigger,
  triggerRef,
  label,
  className,
  align = 'end',
  children,
}: MenuProps) {
  return (
    // What is behind it stays readable: a menu closes as soon as something else is touched.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger ref={triggerRef} className={className} aria-label={label}>
        {trigger}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={6}
          collisionPadding={12}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 max-w-80 overflow-y-auto rounded-xl border border-line bg-paper p-1.5 text-ink shadow-xl"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

interface ActionsProps {
  /** What the actions are done to. */
  of: string
  triggerRef: RefObject<HTMLButtonElement | null>
  className?: string
  children: ReactNode
}

/** What can be done to one of several things. */
export function ActionsMenu({ of, className = buttonLook(), ...menu }: ActionsProps) {
  const trigger = (
    <>
      Ações
      <Icon name="down" className="size-4" />
    </>
  )
  return <Menu {...menu} label={`Ações de ${of}`} className={className} trigger={trigger} />
}

interface ItemProps {
  onSelect: () => void
  dangerous?: boolean
  children: ReactNode
}

export function MenuItem({ onSelect, dangerous = false, children }: ItemProps) {
  return (
    <DropdownMenu.Item onSelect={onSelect} className={`${itemLook} ${dangerous ? 'text-bad' : ''}`}>
      {children}
    </DropdownMenu.Item>
  )
}

export function MenuText({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-3 py-2 text-sm">{children}</DropdownMenu.Label>
}

export function MenuLine() {
  return <DropdownMenu.Separator className="my-1.5 h-px bg-line" />
}

interface ChoiceProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; name: string }[]
  onChange: (value: T) => void
}

/** One of several, the chosen one ticked. */
export function MenuChoice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>) {
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={(next) => onChange(next as T)}>
      <DropdownMenu.Label className="px-3 py-1.5 text-xs font-semibold text-soft">
        {label}
      </DropdownMenu.Label>
      {options.map((option) => (
        <DropdownMenu.RadioItem key={option.value} value={option.value} className={itemLook}>
          <span className="min-w-0 grow wrap-anywhere">{option.name}</span>
          <DropdownMenu.ItemIndicator>
            <Icon name="check" className="size-4" />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}
