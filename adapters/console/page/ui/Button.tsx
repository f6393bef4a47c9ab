import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { Icon, type IconName } from "./Icon.js"
import { reportFailure } from "./Toasts.js"

interface Props {
  readonly children?: ComponentChildren
  readonly icon?: IconName
  /** Name for screen readers, where the button has no text. */
  readonly label?: string
  readonly kind?: "primary" | "plain" | "danger"
  readonly size?: "small"
  readonly disabled?: boolean
  readonly type?: "button" | "submit"
  /** Work of a click. While a promise is pending, the button is disabled; its rejection is shown as a toast. */
  readonly onClick?: () => unknown
}

export const Button = ({ children, disabled = false, icon, kind, label, onClick, size, type = "button" }: Props) => {
  const isBusy = useSignal(false)
  const click = async () => {
    if (onClick === undefined) return
    isBusy.value = true
    try {
      await onClick()
    } catch (error) {
      reportFailure(error)
    } finally {
      isBusy.value = false
    }
  }
  return (
    <button
      type={type}
      class={["button", kind, size, children === undefined && "icon"].filter(Boolean).join(" ")}
      disabled={disabled || isBusy.value}
      aria-label={label}
      aria-busy={isBusy.value || undefined}
      title={label}
      onClick={() => void click()}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}
