import type { ComponentChildren } from "preact"
import { navigate } from "../state/location.js"

interface Props {
  readonly to: string
  readonly children: ComponentChildren
  readonly class?: string
  readonly current?: boolean
}

/** A link inside the console: a plain click changes the page, any other one is the browser's. */
export const Link = ({ children, class: className, current = false, to }: Props) => (
  <a
    href={to}
    class={className}
    aria-current={current ? "page" : undefined}
    onClick={(event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
      event.preventDefault()
      navigate(to)
    }}
  >
    {children}
  </a>
)
