import type { ProviderCall } from "../Dialect.js"
import { connected, failed, outcomeIn, type OutcomeWords, ringing, talking } from "../Outcomes.js"
import { textAt } from "../StreamFormat.js"

const invalidNumber = failed("failed", "smartflo: invalid_number")
const noAnswer = failed("no_answer")
const callFailed = failed("failed", "smartflo: the call failed")

/**
 * Why a call that was missed did not connect, by the code of its cause, which is that of Q.850. Source of the field, without its
 * values: https://docs.smartflo.tatatelebusiness.com/docs/webhook
 */
export const smartfloCauses: OutcomeWords = {
  "1": invalidNumber,
  "17": failed("busy"),
  "18": noAnswer,
  "19": noAnswer,
  "20": noAnswer,
  "21": failed("busy", "declined"),
  "22": invalidNumber,
  "27": callFailed,
  "28": invalidNumber,
  "34": callFailed,
  "38": callFailed,
  "41": callFailed,
  "42": callFailed,
  "44": callFailed
}

/** The same causes by their names, which published notices have beside the code or in its place. */
export const smartfloCauseNames: Readonly<Record<string, string>> = {
  UNALLOCATED_NUMBER: "1",
  USER_BUSY: "17",
  NO_USER_RESPONSE: "18",
  NO_ANSWER: "19",
  SUBSCRIBER_ABSENT: "20",
  CALL_REJECTED: "21",
  NUMBER_CHANGED: "22",
  DESTINATION_OUT_OF_ORDER: "27",
  INVALID_NUMBER_FORMAT: "28",
  NORMAL_CIRCUIT_CONGESTION: "34",
  NETWORK_OUT_OF_ORDER: "38",
  NORMAL_TEMPORARY_FAILURE: "41",
  SWITCH_CONGESTION: "42",
  REQUESTED_CHAN_UNAVAIL: "44"
}

/**
 * States of a call by its word. The `agent` of a notice is the leg that was called first, which is the person here; `missed by
 * agent` has no row, since it could be either side, and the report of the end follows. Sources:
 * https://docs.smartflo.tatatelebusiness.com/docs/webhook and /reference/v1callrecords
 */
export const smartfloStates: OutcomeWords = {
  "answered by agent": talking,
  "answered by customer": talking,
  answered: connected,
  missed: noAnswer,
  "missed by customer": noAnswer
}

/** Content of a report about a call, in the words of Smartflo. */
export interface ReportWords {
  readonly status: string
  /** Codes and names of the cause, the first that is known counts; empty where they are not told. */
  readonly causes: ReadonlyArray<string>
  /** True where the report tells the end of the call. */
  readonly isOver: boolean
  /** True where it tells that two sides were connected. */
  readonly isConnected: boolean
}

const byCause = (cause: string): ProviderCall | null => {
  const name = cause.trim().toUpperCase().replaceAll(/[\s-]+/g, "_")
  const code = Object.hasOwn(smartfloCauseNames, name) ? smartfloCauseNames[name] ?? "" : name
  return outcomeIn(smartfloCauses, code)
}

/** State of a call by what a report says; null for a word that is not known. */
export const smartfloState = ({ causes, isConnected, isOver, status }: ReportWords): ProviderCall | null => {
  const word = status.trim().toLowerCase()
  const knownCall = outcomeIn(smartfloStates, word)
  if (knownCall === null) return null
  if (knownCall === connected && !isOver) return talking
  if (knownCall.failure === null) return knownCall
  if (isConnected) return connected
  return causes.reduce((foundCall: ProviderCall | null, cause) => foundCall ?? byCause(cause), null) ?? knownCall
}

/** Fields of a report: a variable that was not filled in is empty. */
export const filled = (text: string): string => /^\$\w+$/.test(text.trim()) ? "" : text.trim()

/** State of a call in progress as `GET /v1/live_calls` lists it. Source: /reference/v1live_calls */
const liveState = (row: unknown): ProviderCall => textAt(row, "state") === "Answered" ? talking : ringing

/** State of a call that is over as `GET /v1/call/records` lists it; null for a word that is not known. */
const recordState = (row: unknown): ProviderCall | null =>
  smartfloState({
    status: textAt(row, "status"),
    causes: [textAt(row, "hangup_cause"), textAt(row, "reason")],
    isOver: true,
    isConnected: Number(textAt(row, "answered_seconds")) > 0
  })

/** The calls in a list of calls in progress; none for anything else. */
export const liveRows = (json: unknown): ReadonlyArray<unknown> => Array.isArray(json) ? json : []

/** The calls in a list of records; none for anything else. */
export const recordRows = (json: unknown): ReadonlyArray<unknown> => {
  const results: unknown = typeof json === "object" && json !== null ? Reflect.get(json, "results") : null
  return Array.isArray(results) ? results : []
}

/** State of a call by a list of calls in progress, or of records; null where it is in neither. */
export const readSmartfloLookup = (json: unknown, call_id: string): ProviderCall | null => {
  const isCall = (row: unknown): boolean => textAt(row, "call_id") === call_id
  const legs = liveRows(json).filter(isCall).map(liveState)
  if (legs.length > 0) return legs.find(({ state }) => state === "talking") ?? ringing
  const record = recordRows(json).find(isCall)
  return record === undefined ? null : recordState(record)
}
