import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import type { TrunklineError } from "@trunkline/client"
import { sentenceOf } from "../api/failure.js"
import { signOut } from "../state/session.js"
import { Icon } from "./Icon.js"

interface NoteProps {
  readonly kind?: "info" | "warn" | "bad" | "ok"
  readonly children: ComponentChildren
}

/** A message in a page. Errors are announced. */
export const Note = ({ children, kind = "info" }: NoteProps) => (
  <div class={`note ${kind}`} role={kind === "bad" ? "alert" : undefined}>
    <Icon name={kind === "ok" ? "check" : kind === "info" ? "info" : "warning"} />
    <div class="tight">{children}</div>
  </div>
)

/** Name of a field for its reader; empty for the request as a whole. */
const fieldName = (loc: ReadonlyArray<string | number>) => loc.join(".") === "body" ? "" : loc.join(".").replace(/^cohort_transformation_file\./, "")

interface FailureNoteProps {
  readonly failure: TrunklineError | undefined
  readonly onRetry?: () => void
}

/** Time between two tries of what a lost server did not answer, in milliseconds. */
const retryMillis = 5000

/** What a request could not do, with its fields and its request id. Nothing without a failure. */
export const FailureNote = ({ failure, onRetry }: FailureNoteProps) => {
  const isLost = failure?.code === "connection_failed" && onRetry !== undefined
  useEffect(() => {
    if (!isLost) return
    const timer = setInterval(() => onRetry(), retryMillis)
    return () => clearInterval(timer)
  }, [isLost])
  if (failure === undefined) return null
  return (
    <Note kind="bad">
      {failure.issues.length === 0 ? <p>{sentenceOf(failure)}</p> : (
        <ul class="tight">
          {failure.issues.map(({ loc, msg }) => (
            <li key={loc.join(".") + msg}>{fieldName(loc) !== "" && <b>{fieldName(loc)}: </b>}{msg}</li>
          ))}
        </ul>
      )}
      {isLost && <p class="small">It is asked again every few seconds.</p>}
      {failure.requestId && <p class="small muted mono">Request {failure.requestId}</p>}
      <div class="row">
        {onRetry && <button class="button small" onClick={onRetry}>Try again</button>}
        {failure.status === 403 && <button class="button small" onClick={() => signOut()}>Use another key</button>}
      </div>
    </Note>
  )
}
