import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { Icon } from "./Icon.js"

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  readonly footer?: ComponentChildren
  readonly wide?: boolean
}

/** A modal dialog while it is rendered. The browser keeps the focus inside and gives it back; Escape closes. */
export const Dialog = ({ children, footer, onClose, title, wide = false }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOutside = useRef(false)
  const id = useId()
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      class={wide ? "wide" : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => (isOutside.current = event.target === dialog.current)}
      onClick={(event) => {
        // A selection that was begun inside and ends outside is no click outside.
        if (event.target === dialog.current && isOutside.current) onClose()
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button class="button plain small icon" aria-label="Close" onClick={onClose}><Icon name="close" /></button>
      </header>
      <div class="body">{children}</div>
      {footer !== undefined && <footer>{footer}</footer>}
    </dialog>
  )
}
