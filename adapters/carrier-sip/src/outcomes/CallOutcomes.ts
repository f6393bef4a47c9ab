import { DialFailed, NotAnswered } from "@trunkline/telephony"

/** Why a call that we dialled was not answered. */
export type CallFailure =
  /** A final response of the other side; `rang` after a 18x, `cause` is the Q.850 cause of its `Reason` header. */
  | {
    readonly _tag: "Refused"
    readonly status: number
    readonly cause: number | null
    readonly rang: boolean
    /** Seconds of its `Retry-After`. */
    readonly retryAfter: number | null
  }
  /** There was no final response in time: a phone may have rung. */
  | { readonly _tag: "Silent" }
  /** The name of the server has no address, or no connection to it was possible: nothing was dialled. */
  | { readonly _tag: "Unreachable" }
  /** The other side rang for as long as it may, and we cancelled. */
  | { readonly _tag: "RingTimeout" }
  /** We cancelled for another reason. */
  | { readonly _tag: "Cancelled" }
  /** The other side answered with a session description that we cannot use. */
  | { readonly _tag: "UnusableMedia" }
  /** This process has no port or no time for another call: nothing was dialled. */
  | { readonly _tag: "Overloaded" }

/** Result of a call, and its reason without the name of the provider. */
interface CallOutcome {
  readonly status: NotAnswered["status"]
  readonly reason: string | null
}

const busy: CallOutcome = { status: "busy", reason: null }
const declined: CallOutcome = { status: "busy", reason: "declined" }
const noAnswer: CallOutcome = { status: "no_answer", reason: null }
const invalidNumber: CallOutcome = { status: "failed", reason: "invalid_number" }
const rejected: CallOutcome = { status: "provider_error", reason: "rejected_by_provider" }
const unavailable: CallOutcome = { status: "provider_error", reason: "provider_unavailable" }

/** Outcomes of Q.850 causes, which win over the status of the response. Other causes leave it to the status. */
const byCause: ReadonlyMap<number, CallOutcome> = new Map([
  ...[1, 22, 28].map((cause) => [cause, invalidNumber] as const),
  [17, busy],
  ...[18, 19, 20].map((cause) => [cause, noAnswer] as const),
  [21, declined],
  ...[34, 38, 41, 42, 44, 47].map((cause) => [cause, unavailable] as const)
])

/** Outcomes of final responses. Others are `rejected` below 500 and from 600, and `unavailable` from 500. */
const byStatus: ReadonlyMap<number, CallOutcome> = new Map([
  ...[404, 410, 484, 604].map((status) => [status, invalidNumber] as const),
  ...[480, 487].map((status) => [status, noAnswer] as const),
  ...[486, 600].map((status) => [status, busy] as const),
  ...[603, 607].map((status) => [status, declined] as const)
])

/** Outcomes of what happens on our side. */
const byEvent: Readonly<Record<Exclude<CallFailure["_tag"], "Refused">, CallOutcome>> = {
  Silent: unavailable,
  Unreachable: unavailable,
  RingTimeout: noAnswer,
  Cancelled: { status: "no_answer", reason: "cancelled" },
  UnusableMedia: { status: "provider_error", reason: "unusable_media" },
  Overloaded: { status: "provider_error", reason: "overloaded" }
}

const outcomeOf = (failure: CallFailure): CallOutcome => {
  if (failure._tag !== "Refused") return byEvent[failure._tag]
  const { cause, rang, status } = failure
  const known = (cause === null ? undefined : byCause.get(cause)) ?? byStatus.get(status)
  if (known !== undefined) return known
  if (status === 408) return rang ? noAnswer : unavailable
  return status >= 500 && status < 600 ? unavailable : rejected
}

/** Text of a reason in the API: name of the provider, colon, reason. */
export const failureReason = (reason: string): string => `sip: ${reason}`

const retryAfterOf = (failure: CallFailure) =>
  failure._tag === "Refused" && failure.retryAfter !== null ? { retryAfter: failure.retryAfter } : {}

/** The failure of a call that was placed. */
export const notAnswered = (failure: CallFailure): NotAnswered => {
  const { reason, status } = outcomeOf(failure)
  const isFailure = status === "failed" || status === "provider_error"
  return new NotAnswered({
    status,
    reason: reason !== null && isFailure ? failureReason(reason) : reason,
    ...retryAfterOf(failure)
  })
}

/**
 * The failure of a dial whose first response, or lack of one, is `failure`; null when the call counts as placed, because
 * the other side has tried to reach the contact.
 */
export const dialFailed = (failure: CallFailure): DialFailed | null => {
  const { reason, status } = outcomeOf(failure)
  if (status !== "provider_error" || reason === null) return null
  return failure._tag === "Silent"
    ? new DialFailed({ certainty: "unknown", reason: "unknown: the trunk did not respond in time" })
    : new DialFailed({ certainty: "provider", reason: failureReason(reason), ...retryAfterOf(failure) })
}
