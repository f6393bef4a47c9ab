import { assert, describe, it } from "@effect/vitest"
import { exotelState, exotelStates } from "../src/dialects/exotel/Exotel.js"
import { plivoState, plivoStates, readPlivoLookup } from "../src/dialects/plivo/PlivoCalls.js"
import {
  type ReportWords,
  smartfloCauseNames,
  smartfloCauses,
  smartfloState,
  smartfloStates
} from "../src/dialects/smartflo/SmartfloReports.js"
import { failureOf, telnyxCauses } from "../src/dialects/telnyx/Telnyx.js"
import {
  badNumbers,
  invalidNumber,
  twilioRefusal,
  twilioState,
  twilioStates
} from "../src/dialects/twilio/TwilioApi.js"

type Row = readonly [said: string, ...expected: ReadonlyArray<string | null>]

const shownState = (call: ReturnType<typeof twilioState>) =>
  call === null ? [null] : [call.state, call.failure?.status ?? null, call.failure?.reason ?? null]

const twilioRows: ReadonlyArray<Row> = [
  ["queued", "ringing", null, null],
  ["initiated", "ringing", null, null],
  ["ringing", "ringing", null, null],
  ["in-progress", "talking", null, null],
  ["answered", "talking", null, null],
  ["completed", "over", null, null],
  ["busy", "over", "busy", null],
  ["no-answer", "over", "no_answer", null],
  ["canceled", "over", "no_answer", "twilio: cancelled"],
  ["failed", "over", "failed", "twilio: the call failed"],
  ["failed 404", "over", "failed", "twilio: invalid_number"],
  ["failed 410", "over", "failed", "twilio: invalid_number"],
  ["failed 484", "over", "failed", "twilio: invalid_number"],
  ["failed 604", "over", "failed", "twilio: invalid_number"],
  ["something new", null]
]

const plivoRows: ReadonlyArray<Row> = [
  ["queued", "ringing", null, null],
  ["initiated", "ringing", null, null],
  ["early", "ringing", null, null],
  ["ringing", "ringing", null, null],
  ["in-progress", "talking", null, null],
  ["answer", "talking", null, null],
  ["completed", "over", null, null],
  ["busy", "over", "busy", null],
  ["busy/Rejected", "over", "busy", "declined"],
  ["timeout", "over", "no_answer", null],
  ["no-answer", "over", "no_answer", null],
  ["cancel", "over", "no_answer", "plivo: cancelled"],
  ["failed", "over", "failed", "plivo: the call failed"],
  ["failed/Network Error", "over", "failed", "plivo: the call failed"],
  ["failed/Unallocated number", "over", "failed", "plivo: invalid_number"],
  ["failed/Invalid Destination Address", "over", "failed", "plivo: invalid_number"],
  ["something new", null]
]

const exotelRows: ReadonlyArray<Row> = [
  ["queued", "ringing", null, null],
  ["ringing", "ringing", null, null],
  ["in-progress", "talking", null, null],
  ["answered", "talking", null, null],
  ["completed", "over", null, null],
  ["busy", "over", "busy", null],
  ["no-answer", "over", "no_answer", null],
  ["canceled", "over", "no_answer", "exotel: cancelled"],
  ["failed", "over", "failed", "exotel: the call failed"],
  ["something new", null]
]

const telnyxRows: ReadonlyArray<readonly [cause: string, status: string | null, reason: string | null]> = [
  ["user_busy", "busy", null],
  ["call_rejected", "busy", "declined"],
  ["timeout", "no_answer", null],
  ["no_answer", "no_answer", null],
  ["originator_cancel", "no_answer", "telnyx: cancelled"],
  ["not_found", "failed", "telnyx: invalid_number"],
  ["unallocated_number", "failed", "telnyx: invalid_number"],
  ["invalid_number_format", "failed", "telnyx: invalid_number"],
  ["normal_clearing", null, null],
  ["time_limit", null, null],
  ["unspecified", "provider_error", "telnyx: the call failed"]
]

const smartfloRows: ReadonlyArray<Row> = [
  ["answered by agent", "talking", null, null],
  ["answered by customer", "talking", null, null],
  ["answered", "over", null, null],
  ["missed", "over", "no_answer", null],
  ["missed by customer", "over", "no_answer", null],
  ["missed by agent", null],
  ["something new", null]
]

/** Causes of a call that was missed, by their codes; those that the tables do not have are calls that nobody answered. */
const smartfloMissed: ReadonlyArray<Row> = [
  ["1", "failed", "smartflo: invalid_number"],
  ["17", "busy", null],
  ["18", "no_answer", null],
  ["19", "no_answer", null],
  ["20", "no_answer", null],
  ["21", "busy", "declined"],
  ["22", "failed", "smartflo: invalid_number"],
  ["27", "failed", "smartflo: the call failed"],
  ["28", "failed", "smartflo: invalid_number"],
  ["34", "failed", "smartflo: the call failed"],
  ["38", "failed", "smartflo: the call failed"],
  ["41", "failed", "smartflo: the call failed"],
  ["42", "failed", "smartflo: the call failed"],
  ["44", "failed", "smartflo: the call failed"],
  ["0", "no_answer", null],
  ["16", "no_answer", null],
  ["31", "no_answer", null],
  ["102", "no_answer", null],
  ["", "no_answer", null]
]

const smartfloOver = (status: string, more: Partial<ReportWords> = {}) =>
  shownState(smartfloState({ status, causes: [], isOver: true, isConnected: false, ...more }))

describe("what providers say of a call", () => {
  it.each(
    [
      ["Twilio", twilioStates, twilioRows],
      ["Plivo and Vobiz", plivoStates("plivo"), plivoRows],
      ["Exotel", exotelStates, exotelRows],
      ["Smartflo", smartfloStates, smartfloRows],
      ["Smartflo, causes", smartfloCauses, smartfloMissed],
      ["Telnyx", telnyxCauses, telnyxRows]
    ] as const
  )("%s: each row of the table has a test below", (_, table, rows) => {
    const tested = new Set(rows.map(([said]) => said))
    assert.deepStrictEqual(Object.keys(table).filter((word) => !tested.has(word)), [])
  })

  it("Twilio: each response of a network that stands for a missing number has a test below", () => {
    const tested = new Set(twilioRows.map(([said]) => said))
    assert.deepStrictEqual(invalidNumber.filter((response) => !tested.has(`failed ${response}`)), [])
  })

  it.each(badNumbers)("Twilio: error %s is a number that cannot be called", (code) => {
    assert.deepStrictEqual(twilioRefusal({ code: Number(code) }), { status: "failed", reason: "invalid_number" })
  })

  it.each(twilioRows)("Twilio: %s", (said, ...expected) => {
    const [status = "", response = ""] = said === "something new" ? [said] : String(said).split(" ")
    assert.deepStrictEqual(shownState(twilioState(status, response)), expected)
  })

  it.each(plivoRows)("Plivo and Vobiz: %s", (said, ...expected) => {
    const [status = "", cause = ""] = String(said).split("/")
    assert.deepStrictEqual(shownState(plivoState("plivo", status, cause)), expected)
  })

  it.each(exotelRows)("Exotel: %s", (status, ...expected) => {
    assert.deepStrictEqual(shownState(exotelState(String(status))), expected)
  })

  it.each(smartfloRows)("Smartflo: %s", (status, ...expected) => {
    assert.deepStrictEqual(smartfloOver(String(status)), expected)
  })

  it.each(smartfloMissed)("Smartflo: missed with cause %s", (cause, ...expected) => {
    assert.deepStrictEqual(smartfloOver("Missed", { causes: [String(cause)] }), ["over", ...expected])
    const names = Object.entries(smartfloCauseNames).filter(([, code]) => code === cause).map(([name]) => name)
    assert.strictEqual(names.length > 0, Object.hasOwn(smartfloCauses, String(cause)))
    for (const name of names) {
      const spaced = name.toLowerCase().replaceAll("_", " ")
      for (const causes of [[name], ["", spaced], ["0", name]]) {
        assert.deepStrictEqual(smartfloOver("missed", { causes }), ["over", ...expected])
      }
    }
  })

  it("Smartflo: an answer is no end, and a call that connected two sides was not missed", () => {
    assert.deepStrictEqual(smartfloOver("Answered by agent", { isOver: false }), ["talking", null, null])
    assert.deepStrictEqual(smartfloOver("answered", { isOver: false }), ["talking", null, null])
    assert.deepStrictEqual(smartfloOver("missed", { isConnected: true, causes: ["17"] }), ["over", null, null])
  })

  it.each(telnyxRows)("Telnyx: %s", (cause, status, reason) => {
    assert.deepStrictEqual<unknown>(failureOf(cause), { _tag: "Ended", status, reason })
  })

  it("Twilio: a number that cannot be called, and other refusals", () => {
    assert.deepStrictEqual(twilioRefusal({ code: 21211 }), { status: "failed", reason: "invalid_number" })
    assert.deepStrictEqual(twilioRefusal({ code: 21215 }), { reason: "error 21215" })
    assert.isNull(twilioRefusal({ message: "+919876543210" }))
  })

  it("Plivo and Vobiz: records of calls that are over have a cause in place of a status", () => {
    const over = { end_time: "2026-11-29 10:00:00", answer_time: "" }
    const of = (hangup_cause_name: string) => shownState(readPlivoLookup("plivo", { ...over, hangup_cause_name }))
    assert.deepStrictEqual(of("Busy Line"), ["over", "busy", null])
    assert.deepStrictEqual(of("Rejected"), ["over", "busy", "declined"])
    assert.deepStrictEqual(of("No Answer"), ["over", "no_answer", null])
    assert.deepStrictEqual(of("Ring Timeout Reached"), ["over", "no_answer", null])
    assert.deepStrictEqual(of("Cancelled"), ["over", "no_answer", "plivo: cancelled"])
    assert.deepStrictEqual(of("Unallocated number"), ["over", "failed", "plivo: invalid_number"])
    const answered = { ...over, answer_time: "2026-11-29 09:59:00", hangup_cause_name: "Busy Line" }
    assert.deepStrictEqual(shownState(readPlivoLookup("plivo", answered)), ["over", null, null])
  })
})
