import { signal } from "@preact/signals"
import { TrunklineError } from "@trunkline/client"
import { sentenceOf } from "../api/failure.js"
import { Icon } from "./Icon.js"

interface Toast {
  readonly id: number
  readonly kind: "ok" | "bad"
  readonly text: string
  readonly requestId: string | null
}

const toasts = signal<ReadonlyArray<Toast>>([])
let next = 0

const shownMillis = { ok: 4000, bad: 12_000 }

const add = (kind: Toast["kind"], text: string, requestId: string | null) => {
  const id = next++
  toasts.value = [...toasts.peek(), { id, kind, text, requestId }].slice(-4)
  setTimeout(() => remove(id), shownMillis[kind])
}

const remove = (id: number) => {
  toasts.value = toasts.peek().filter((toast) => toast.id !== id)
}

/** Says that something was done. */
export const reportDone = (text: string): void => add("ok", text, null)

/** Says that something failed, with the id of its request. */
export const reportFailure = (error: unknown): void =>
  add("bad", sentenceOf(error), error instanceof TrunklineError ? error.requestId : null)

export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.value.map(({ id, kind, requestId, text }) => (
      <div key={id} class={`note ${kind}`}>
        <Icon name={kind === "ok" ? "check" : "warning"} />
        <div>
          <p>{text}</p>
          {requestId && <p class="small muted mono">{requestId}</p>}
        </div>
        <button class="button plain small icon" aria-label="Dismiss" onClick={() => remove(id)}><Icon name="close" /></button>
      </div>
    ))}
  </div>
)
