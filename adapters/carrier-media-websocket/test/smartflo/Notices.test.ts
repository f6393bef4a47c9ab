import { assert, describe, it } from "@effect/vitest"
import { asked, attempt_id, callAt, lineOf, mark, ours, posted, theirs, token } from "./Line.js"

const ended = {
  call_id: "h3.08-1770534283.2156835",
  ref_id: "",
  direction: "clicktocall",
  call_status: "missed",
  end_stamp: "2026-11-30 10:00:20",
  billsec: "$billsec",
  call_connected: "0",
  hangup_cause_code: "17",
  hangup_cause_key: "$hangup_cause_key",
  custom_identifier: mark
}

const missed = {
  _tag: "Status",
  call_id: attempt_id,
  attempt_id,
  event_id: `${attempt_id}:missed:over`,
  news: { _tag: "Ended", status: "busy", reason: null }
}

describe("notices of Smartflo", () => {
  it("tell a call of ours by its own field, as JSON, a form or a query, and variables without a value are empty", () => {
    assert.deepStrictEqual<unknown>(lineOf().read(posted(ended)), missed)
    assert.deepStrictEqual<unknown>(lineOf().read(asked(String(new URLSearchParams(ended)))), missed)
    const open = { ...ended, call_status: "Answered by agent", end_stamp: "$end_stamp", hangup_cause_code: "$code" }
    assert.deepInclude(lineOf().read(posted(open)), {
      event_id: `${attempt_id}:answered by agent`,
      news: { _tag: "Answered" }
    })
  })

  it("teach the id by which the API knows a call", () => {
    const line = lineOf()
    line.create(callAt(Date.now()))
    assert.isNull(line.lateIds?.of(attempt_id))
    line.read(posted(ended))
    assert.strictEqual(line.lateIds?.of(attempt_id), ended.call_id)
    assert.deepStrictEqual(line.lateIds?.requests(attempt_id, "all", Date.now()), [])
  })

  it("about calls of others, and in words that are not known, change nothing", () => {
    for (const custom_identifier of ["", "order-7", `${attempt_id}.short`, `${mark}x`, "$custom_identifier"]) {
      assert.deepStrictEqual<unknown>(lineOf().read(posted({ ...ended, custom_identifier })), { _tag: "Other" })
    }
    assert.deepStrictEqual<unknown>(lineOf().read(posted({ ...ended, call_status: "new" })), { _tag: "Other" })
    assert.isNull(lineOf().read(posted({ hello: "there" })))
  })

  it("have our field under the name that the line gives it", () => {
    const line = lineOf({ custom_field: "custom_data" })
    assert.include(line.create(callAt(0)).body, `"custom_data":"${mark}"`)
    assert.deepStrictEqual<unknown>(line.read(posted(ended)), { _tag: "Other" })
    assert.deepStrictEqual<unknown>(line.read(posted({ ...ended, custom_data: mark })), missed)
  })
})

const question = "callId=ask-1&fromNumber=+919876543210&toNumber=01140000001&status=initiated"

describe("a dynamic endpoint of Smartflo", () => {
  it("is asked for the stream of a call that came in, whose plus comes as a space", () => {
    const inbound = { _tag: "Inbound", call_id: "ask-1", from: theirs, to: ours }
    assert.deepStrictEqual<unknown>(lineOf().read(asked(question)), inbound)
    const json = { callId: "ask-1", fromNumber: "09876543210", toNumber: "+911140000001" }
    assert.deepStrictEqual<unknown>(lineOf().read(posted(json)), inbound)
    assert.isNull(lineOf().read(posted({ ...json, callId: "../1" })))
  })

  it("replies with exactly two fields, one of which older panels write in another way", () => {
    const wss_url = "wss://voice.example/stream"
    const bodyOf = (options: object) => JSON.parse(lineOf(options).connect("ask-1", wss_url).reply?.body ?? "")
    assert.deepStrictEqual(bodyOf({}), { success: true, wss_url })
    assert.deepStrictEqual(bodyOf({ reply_field: "sucess" }), { sucess: true, wss_url })
    assert.strictEqual(lineOf().reject("ask-1", "no_capacity").reply?.status, 404)
  })

  it("gives a call of ours its own stream, and none to one without a token", () => {
    const line = lineOf()
    assert.deepStrictEqual<unknown>(line.read(asked(`${question}&custom_identifier=${mark}`)), {
      _tag: "Instruct",
      token
    })
    line.create(callAt(Date.now()))
    assert.isNull(line.read(asked(question)))
    assert.isNull(line.read(asked("callId=ask-2&fromNumber=911140000001&toNumber=919876543210")))
    line.read(posted(ended))
    assert.deepInclude(line.read(asked(question)), { _tag: "Inbound" })
  })
})

describe("streams of Smartflo", () => {
  const start = (parameters: unknown) =>
    JSON.stringify({
      event: "start",
      streamSid: "MZ1",
      start: { streamSid: "MZ1", callSid: "CS1", customParameters: parameters }
    })
  const read = (text: string) => {
    const { stream } = lineOf()
    return stream._tag === "Sound" ? stream.read(text) : null
  }

  it("tell the token of their call in an object, or the text of one; the id of the API they do not tell", () => {
    const begun = { _tag: "Start", stream_id: "MZ1", call_id: null, token }
    assert.deepStrictEqual<unknown>(read(start({ custom_identifier: mark })), begun)
    assert.deepStrictEqual<unknown>(read(start(JSON.stringify({ custom_identifier: mark }))), begun)
    for (const parameters of [null, "", "{", {}, { custom_identifier: "x" }, { other: mark }]) {
      assert.deepStrictEqual<unknown>(read(start(parameters)), { ...begun, token: null })
    }
  })

  it("count the sound that they are sent", () => {
    const { stream } = lineOf()
    const sound = stream._tag === "Sound" ? stream.sound?.("AAAA", "MZ1", 3) : ""
    assert.deepStrictEqual(JSON.parse(sound ?? ""), {
      event: "media",
      streamSid: "MZ1",
      media: { payload: "AAAA", chunk: 3 }
    })
  })
})
