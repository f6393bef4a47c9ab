import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { RequestButton } from "./Requests.js"

interface Props {
  readonly title: string
  readonly badge?: ComponentChildren
  readonly crumb?: ComponentChildren
  readonly children?: ComponentChildren
}

/** Title of a page with its actions, and the requests behind it. */
export const PageHead = ({ badge, children, crumb, title }: Props) => {
  useEffect(() => {
    document.title = `${title} · Trunkline`
  }, [title])
  return (
    <header class="page-head">
      <div class="titles">
        {crumb && <div class="crumb">{crumb}</div>}
        <div class="row"><h1>{title}</h1>{badge}</div>
      </div>
      {children && <div class="row actions">{children}</div>}
      <div class="requests"><RequestButton /></div>
    </header>
  )
}
