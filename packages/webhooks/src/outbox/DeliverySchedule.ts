import { Duration, Option } from "effect"
import { disabledError, type EndpointHealth, type EndpointSignal } from "./EndpointHealth.js"
import { isOfSingleCall, type OutboxRow } from "./OutboxRow.js"

/** Delays between tries, following the example schedule of Standard Webhooks. */
const delays = [
  Duration.seconds(5),
  Duration.minutes(5),
  Duration.minutes(30),
  Duration.hours(2),
  Duration.hours(5),
  Duration.hours(10),
  Duration.hours(14),
  Duration.hours(20),
  Duration.hours(24)
].map(Duration.toMillis)

/** Largest number of tries of a webhook: one at once, and one after each delay. */
export const maxTries = delays.length + 1

const jitter = 0.2

/** Longest delay that a receiver may request: the longest one of the schedule. */
const maxRetryAfter = Math.max(...delays)

/** Next state of a webhook after a try; `gone` means that the receiver declined all further webhooks. */
export type TryOutcome =
  | { readonly next: "delivered"; readonly status: number }
  | { readonly next: "retry"; readonly at: number }
  | { readonly next: "dead" }
  | { readonly next: "gone" }

/**
 * Delay in milliseconds after try number `tries`, counted from 1; none after the last. `random`, in [0, 1), adds jitter
 * of up to a fifth, so that webhooks that failed together are not retried together.
 */
export const delayAfter = (tries: number, random: number): Option.Option<number> =>
  Option.map(Option.fromNullable(delays[tries - 1]), (delay) => Math.round(delay * (1 + jitter * random)))

const httpDate = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Delay of a `Retry-After` header in milliseconds: whole seconds or an HTTP date; 0 for anything else. */
const parseRetryAfter = (header: string, now: number): number => {
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  return httpDate.test(text) ? (Date.parse(text) || now) - now : 0
}

/**
 * Decides the next state of a webhook after a try: 2xx is delivered, and 410 ends delivery at once. Anything else,
 * including redirects and no response, is retried on the schedule until the last try, or later if the receiver requests
 * it by `Retry-After` (at most 24 hours).
 */
export const outcomeOfTry = (result: {
  /** Number of tries, including this one. */
  readonly tries: number
  /** Status of the response; null if there was none. */
  readonly status: number | null
  /** `Retry-After` of the response. */
  readonly retryAfter: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
  /** In [0, 1). */
  readonly random: number
}): TryOutcome => {
  const { now, status } = result
  if (status !== null && status >= 200 && status < 300) return { next: "delivered", status }
  if (status === 410) return { next: "gone" }
  return Option.match(delayAfter(result.tries, result.random), {
    onNone: (): TryOutcome => ({ next: "dead" }),
    onSome: (delay) => {
      const retryAfter = Math.min(parseRetryAfter(result.retryAfter ?? "", now), maxRetryAfter)
      return { next: "retry", at: now + Math.max(delay, retryAfter) }
    }
  })
}

/** Result of a try. */
export interface TryResult {
  /** The webhook as claimed for the try. */
  readonly row: OutboxRow
  /** Time of the response or failure, in real milliseconds since 1970. */
  readonly now: number
  /** Status of the response; null if there was none. */
  readonly status: number | null
  /** Reason for a failure, without URL or body; null after a success. */
  readonly error: string | null
  readonly next: TryOutcome
}

/**
 * News of a try about its endpoint. A receiver that responds with 410 declines all further webhooks. For a single call,
 * whose URL may be specific to it, 410 concerns only this webhook, and the endpoint counts as working.
 */
export const endpointSignalOf = ({ next, row }: TryResult): EndpointSignal => {
  if (next.next === "delivered") return "works"
  if (next.next === "gone") return isOfSingleCall(row) ? "works" : "gone"
  return "fails"
}

type Settlement = Pick<
  OutboxRow,
  "state" | "due_at" | "leased_until" | "finished_at" | "last_status" | "last_error"
>

/** Changes to a webhook after a try, given the health of its endpoint after the try. */
export const settlementOf = ({ error, next, now, row, status }: TryResult, health: EndpointHealth): Settlement => {
  const over = { due_at: row.due_at, leased_until: 0, finished_at: now, last_status: status }
  if (next.next === "delivered") return { ...over, state: "delivered", last_error: null }
  const isDisabled = health.disabled_at !== null
  if (next.next === "retry" && !isDisabled) {
    return {
      state: "pending",
      due_at: next.at,
      leased_until: 0,
      finished_at: null,
      last_status: status,
      last_error: error
    }
  }
  return { ...over, state: "dead", last_error: isDisabled ? disabledError : error }
}
