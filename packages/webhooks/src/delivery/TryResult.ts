import { disabledError, type EndpointHealth, type EndpointSign } from "../outbox/EndpointHealth.js"
import { isOfSingleCall, type OutboxRow } from "../outbox/OutboxRow.js"
import type { Verdict } from "./DeliverySchedule.js"

/** What came of a try. */
export interface TryResult {
  /** The webhook as it was claimed for the try. */
  readonly row: OutboxRow
  /** When the answer came, or none: real milliseconds since 1970. */
  readonly now: number
  /** The status answered; null when none came. */
  readonly status: number | null
  /** Why it failed, without URL or body; null when it did not. */
  readonly error: string | null
  readonly next: Verdict
}

/**
 * What a try tells of its endpoint. A receiver that answers 410 wants no more webhooks; from a single call, whose URL may
 * be its own, it wants only this one not: then it works as well as ever.
 */
export const signOf = ({ next, row }: TryResult): EndpointSign => {
  if (next.next === "delivered") return "works"
  if (next.next === "gone") return isOfSingleCall(row) ? "works" : "gone"
  return "fails"
}

type Settled = Pick<
  OutboxRow,
  "state" | "due_at" | "leased_until" | "finished_at" | "last_status" | "last_error"
>

/** What a result changes about its webhook, with the health of the endpoint after it. */
export const settledBy = ({ error, next, now, row, status }: TryResult, health: EndpointHealth): Settled => {
  const over = { due_at: row.due_at, leased_until: 0, finished_at: now, last_status: status }
  if (next.next === "delivered") return { ...over, state: "delivered", last_error: null }
  const disabled = health.disabled_at !== null
  if (next.next === "retry" && !disabled) {
    return {
      state: "pending",
      due_at: next.at,
      leased_until: 0,
      finished_at: null,
      last_status: status,
      last_error: error
    }
  }
  return { ...over, state: "dead", last_error: disabled ? disabledError : error }
}
