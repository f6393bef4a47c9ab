import { type Announcement, DialFailed, NotAnswered } from "@trunkline/telephony"

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
  | {
    readonly _tag: "Unreachable"
    /** Code of the operating system or of TLS; absent where it is not known. */
    readonly code?: string
  }
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

/** Names of the outcomes of a refusal, as options of connections write them. */
export const outcomeNames = [
  "busy",
  "declined",
  "no_answer",
  "invalid_number",
  "rejected_by_provider",
  "provider_unavailable"
] as const

/** Outcome of a refusal by its name. */
export type OutcomeName = typeof outcomeNames[number]

/** Outcomes of refusals, by Q.850 cause and by final response. A cause wins over the response. */
export interface OutcomeTable {
  readonly causes: ReadonlyMap<number, OutcomeName>
  readonly statuses: ReadonlyMap<number, OutcomeName>
}

const outcomes: Readonly<Record<OutcomeName, CallOutcome>> = {
  busy: { status: "busy", reason: null },
  declined: { status: "busy", reason: "declined" },
  no_answer: { status: "no_answer", reason: null },
  invalid_number: { status: "failed", reason: "invalid_number" },
  rejected_by_provider: { status: "provider_error", reason: "rejected_by_provider" },
  provider_unavailable: { status: "provider_error", reason: "provider_unavailable" }
}

/** Outcomes that hold for all trunks. Other causes leave it to the response, and other responses to their hundreds. */
const standardTable: OutcomeTable = {
  causes: new Map([
    ...[1, 22, 28].map((cause) => [cause, "invalid_number"] as const),
    [17, "busy"],
    ...[18, 19, 20].map((cause) => [cause, "no_answer"] as const),
    [21, "declined"],
    ...[34, 38, 41, 42, 44, 47].map((cause) => [cause, "provider_unavailable"] as const)
  ]),
  statuses: new Map([
    ...[404, 410, 484, 604].map((status) => [status, "invalid_number"] as const),
    ...[480, 487].map((status) => [status, "no_answer"] as const),
    ...[486, 600].map((status) => [status, "busy"] as const),
    ...[603, 607].map((status) => [status, "declined"] as const)
  ])
}

/** Table of a trunk without outcomes of its own. */
const noOutcomes: OutcomeTable = { causes: new Map(), statuses: new Map() }

/** Outcomes of what happens on our side. */
const byEvent: Readonly<Record<Exclude<CallFailure["_tag"], "Refused">, CallOutcome>> = {
  Silent: outcomes.provider_unavailable,
  Unreachable: outcomes.provider_unavailable,
  RingTimeout: outcomes.no_answer,
  Cancelled: { status: "no_answer", reason: "cancelled" },
  UnusableMedia: { status: "provider_error", reason: "unusable_media" },
  Overloaded: { status: "provider_error", reason: "overloaded" }
}

const nameOf = ({ cause, rang, status }: Extract<CallFailure, { readonly _tag: "Refused" }>, table: OutcomeTable) => {
  for (const { causes, statuses } of [table, standardTable]) {
    const outcomeName = (cause === null ? undefined : causes.get(cause)) ?? statuses.get(status)
    if (outcomeName !== undefined) return outcomeName
  }
  if (status === 408) return rang ? "no_answer" : "provider_unavailable"
  return status >= 500 && status < 600 ? "provider_unavailable" : "rejected_by_provider"
}

const outcomeOf = (failure: CallFailure, table: OutcomeTable): CallOutcome =>
  failure._tag === "Refused" ? outcomes[nameOf(failure, table)] : byEvent[failure._tag]

/** Text of a reason in the API: name of the provider, colon, reason. */
export const failureReason = (reason: string): string => `sip: ${reason}`

const retryAfterOf = (failure: CallFailure) =>
  failure._tag === "Refused" && failure.retryAfter !== null ? { retryAfter: failure.retryAfter } : {}

/** The failure of a call that was placed. Outcomes of the trunk's own win over those that hold for all. */
export const notAnswered = (failure: CallFailure, table: OutcomeTable = noOutcomes): NotAnswered => {
  const { reason, status } = outcomeOf(failure, table)
  const isFailure = status === "failed" || status === "provider_error"
  return new NotAnswered({
    status,
    reason: reason !== null && isFailure ? failureReason(reason) : reason,
    ...retryAfterOf(failure)
  })
}

/** Responses that exchanges send when an announcement is over, whatever it said; with all of 500 to 599. */
const vagueStatuses: ReadonlyArray<number> = [408, 480, 487, 603]

/** Causes that tell none: normal, unspecified, and interworking, unspecified (ITU-T Q.850). */
const vagueCauses: ReadonlyArray<number> = [31, 127]

/**
 * True for a failure that does not tell why a phone was not reached, so that what was heard before it does: a vague response
 * without a cause, which the trunk's own outcomes do not name, or our own ring timeout.
 */
export const isVague = (failure: CallFailure, table: OutcomeTable = noOutcomes): boolean => {
  if (failure._tag !== "Refused") return failure._tag === "RingTimeout"
  const { cause, status } = failure
  if (table.statuses.has(status) || cause !== null && (table.causes.has(cause) || !vagueCauses.includes(cause))) {
    return false
  }
  return vagueStatuses.includes(status) || status >= 500 && status < 600
}

/**
 * The failure of a call whose announcement was heard before it: its status is that of the cause that was heard, or else that of
 * the failure, and its reason the announcement.
 */
export const announcementFailure = (
  failure: CallFailure,
  { by, cause, name }: Announcement,
  table: OutcomeTable = noOutcomes
): NotAnswered => {
  const outcomeName = cause === null ? undefined : table.causes.get(cause) ?? standardTable.causes.get(cause)
  const { status } = outcomeName === undefined ? outcomeOf(failure, table) : outcomes[outcomeName]
  return new NotAnswered({ status, reason: failureReason(`${by}: ${name}`), ...retryAfterOf(failure) })
}

/**
 * The failure of a dial whose first response, or lack of one, is `failure`; null when the call counts as placed, because
 * the other side has tried to reach the contact.
 */
export const dialFailed = (failure: CallFailure, table: OutcomeTable = noOutcomes): DialFailed | null => {
  const { reason, status } = outcomeOf(failure, table)
  if (status !== "provider_error" || reason === null) return null
  if (failure._tag === "Silent") {
    return new DialFailed({ certainty: "unknown", reason: "unknown: the trunk did not respond in time" })
  }
  return failure._tag === "Overloaded"
    ? new DialFailed({ certainty: "none", reason: failureReason(reason) })
    : new DialFailed({ certainty: "provider", reason: failureReason(reason), ...retryAfterOf(failure) })
}
