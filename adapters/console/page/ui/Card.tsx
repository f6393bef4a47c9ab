import type { ComponentChildren } from "preact"

interface CardProps {
  readonly title?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
  /** True for contents without a margin, such as tables. */
  readonly flush?: boolean
}

export const Card = ({ actions, children, flush = false, title }: CardProps) => (
  <section class="card">
    {(title !== undefined || actions !== undefined) && (
      <header>
        <h2>{title}</h2>
        {actions !== undefined && <div class="row">{actions}</div>}
      </header>
    )}
    <div class={flush ? "flush" : "body"}>{children}</div>
  </section>
)

interface StatProps {
  readonly name: string
  readonly value: ComponentChildren
  readonly detail?: ComponentChildren
}

/** One figure with its name. */
export const Stat = ({ detail, name, value }: StatProps) => (
  <div class="stat">
    <span class="name">{name}</span>
    <span class="value">{value}</span>
    {detail !== undefined && <span class="small muted">{detail}</span>}
  </div>
)

interface EmptyProps {
  readonly title: string
  readonly children?: ComponentChildren
}

/** What to do first, where there is nothing yet. */
export const Empty = ({ children, title }: EmptyProps) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
)

export const Skeleton = ({ lines = 3 }: { readonly lines?: number }) => (
  <div class="tight" aria-hidden="true" style={{ padding: "16px" }}>
    {Array.from({ length: lines }, (_, index) => (
      <div key={index} class="skeleton" style={{ width: `${90 - ((index * 23) % 50)}%` }} />
    ))}
  </div>
)
