import { LRUCache } from "lru-cache"
import { type ApiRequest, type CallToCreate, jsonBody, type LateIds } from "../Dialect.js"
import { toE164 } from "../Numbers.js"
import { textAt } from "../StreamFormat.js"
import { liveRows, recordRows } from "./SmartfloReports.js"
import { writeMark } from "./SmartfloStream.js"

/** A call of the line as it is known here. */
interface LineCall {
  /** The other side in E.164; empty where only the id of the API is known. */
  readonly theirs: string
  readonly ours: string
  readonly isInbound: boolean
  /** Epoch milliseconds. */
  readonly since: number
  readonly isDecided?: boolean
}

/** Numbers of both sides of a call in E.164. */
interface CallSides {
  readonly from: string
  readonly to: string
}

/** Calls of a line, with the ids that the API gives them. */
export interface SmartfloCalls extends LateIds {
  readonly create: (call: CallToCreate) => ApiRequest
  /** Remembers a call that came in at a moment, in epoch milliseconds. */
  readonly remember: (call_id: string, numbers: CallSides, now: number) => void
  /** Remembers what a notice tells: the id of a call, empty for none, and that it was answered or is over. */
  readonly tell: (call_id: string, id: string, isDecided: boolean) => void
  /** True while a call of ours rings: then a call of the same two numbers is that one, and did not come in. */
  readonly isCalling: (numbers: CallSides, now: number) => boolean
}

/** Most calls that are remembered. */
const maxCalls = 10_000

/** Time that a clock of the provider may be behind ours, and the longest time in which a person answers, in milliseconds. */
const skewMillis = 5_000
const ringMillis = 60_000

/** Shortest and longest time of ringing that the provider takes, in seconds. */
const ring = { min: 10, max: 30 }

/** Shift of the time in which the provider writes, in milliseconds: it is that of India. */
const shiftMillis = 19_800_000

const digits = (number: string): string => number.replaceAll(/\D/g, "")

const writeTime = (millis: number): string =>
  new Date(millis + shiftMillis).toISOString().slice(0, 19).replace("T", " ")

const readTime = (text: string): number => Date.parse(`${text.trim().replace(" ", "T")}Z`) - shiftMillis

/** A call in a list of the provider. */
interface ListedCall {
  readonly id: string
  readonly theirs: string
  readonly ours: string
  /** False for a call in the direction that is not wanted. */
  readonly mayBe: (isInbound: boolean) => boolean
  readonly since: number
  readonly isStream: boolean
}

const mayBe = (direction: string) => (isInbound: boolean): boolean =>
  !(isInbound ? ["2", "outbound"] : ["1", "inbound"]).includes(direction.toLowerCase())

const live = (country: string) => (row: unknown): ListedCall => ({
  id: textAt(row, "call_id"),
  theirs: toE164(textAt(row, "customer_number"), country),
  ours: toE164(textAt(row, "did"), country),
  mayBe: mayBe(textAt(row, "direction")),
  since: readTime(textAt(row, "created_at")),
  isStream: /voice.?stream|voice.?bot/i.test(textAt(row, "type"))
})

const recordedCallOf = (country: string) => (row: unknown): ListedCall => ({
  id: textAt(row, "call_id"),
  theirs: toE164(textAt(row, "client_number"), country),
  ours: toE164(textAt(row, "did_number"), country),
  mayBe: mayBe(textAt(row, "direction")),
  since: readTime(`${textAt(row, "date")} ${textAt(row, "time")}`),
  isStream: false
})

/**
 * Makes the calls of a line. The response to a call tells no id by which the API knows it: notices do, and otherwise the only call
 * between its two numbers since it was asked for. Sources, below https://docs.smartflo.tatatelebusiness.com:
 * /reference/v1click_to_call, /reference/v1live_calls and /reference/v1callrecords
 */
export const makeSmartfloCalls = ({ apiKey, country, customField }: {
  readonly apiKey: string
  readonly country: string
  readonly customField: string
}): SmartfloCalls => {
  const calls = new LRUCache<string, LineCall>({ max: maxCalls })
  const ids = new LRUCache<string, string>({ max: maxCalls })
  const owners = new LRUCache<string, string>({ max: maxCalls })

  const name = (call_id: string, id: string): void => {
    if (id === "") return
    ids.set(call_id, id)
    owners.set(id, call_id)
  }

  /** The one id in a list that can be that of a call; null for none, and where several could be. */
  const idIn = (call_id: string, call: LineCall, listedCalls: ReadonlyArray<ListedCall>): string | null => {
    const possible = listedCalls.filter(({ id, mayBe, ours, since, theirs }) =>
      id !== "" && (owners.get(id) ?? call_id) === call_id && mayBe(call.isInbound)
      && theirs === call.theirs && ours === call.ours && since >= call.since - skewMillis
    )
    const streams = possible.filter(({ isStream }) => isStream)
    const few = new Set((streams.length > 0 ? streams : possible).map(({ id }) => id))
    const [only] = few
    return few.size === 1 ? only ?? null : null
  }

  return {
    create: ({ attempt_id, from, limitSeconds, now, ringSeconds, to, token }) => {
      calls.set(attempt_id, { theirs: to, ours: from, isInbound: false, since: now })
      return {
        method: "POST",
        path: "/v1/click_to_call_support",
        ...jsonBody({
          api_key: apiKey,
          async: 1,
          customer_number: digits(to),
          caller_id: digits(from),
          customer_ring_timeout: Math.min(ring.max, Math.max(ring.min, ringSeconds)),
          ...(limitSeconds !== null && { call_timeout: limitSeconds }),
          [customField]: writeMark({ attempt_id, token })
        })
      }
    },
    remember: (call_id, { from, to }, now) => {
      if (!calls.has(call_id)) calls.set(call_id, { theirs: from, ours: to, isInbound: true, since: now })
    },
    tell: (call_id, id, isDecided) => {
      name(call_id, id)
      const call = calls.get(call_id)
      if (call !== undefined && isDecided) calls.set(call_id, { ...call, isDecided })
    },
    isCalling: ({ from, to }, now) => {
      const earliest = now - ringMillis
      return Array.from(calls.values()).some(({ isDecided, isInbound, ours, since, theirs }) =>
        !isInbound && isDecided !== true && since >= earliest &&
        [`${from} ${to}`, `${to} ${from}`].includes(`${theirs} ${ours}`)
      )
    },
    recall: (call_id, call) => {
      if (!calls.has(call_id)) calls.set(call_id, call)
    },
    of: (call_id) => ids.get(call_id) ?? null,
    requests: (call_id, among, now) => {
      const call = calls.get(call_id)
      if (call === undefined || ids.has(call_id)) return []
      const dates = { from_date: writeTime(call.since - skewMillis), to_date: writeTime(now) }
      const records: ApiRequest = {
        method: "GET",
        path: `/v1/call/records?${new URLSearchParams({ ...dates, limit: "100" })}`
      }
      return [{ method: "GET", path: "/v1/live_calls" }, ...(among === "all" ? [records] : [])]
    },
    learn: (call_id, json) => {
      const call = calls.get(call_id)
      if (call === undefined || ids.has(call_id)) return
      const listedCalls = [...liveRows(json).map(live(country)), ...recordRows(json).map(recordedCallOf(country))]
      const id = listedCalls.some((row) => row.id === call_id) ? call_id : idIn(call_id, call, listedCalls)
      if (id !== null) name(call_id, id)
    }
  }
}
