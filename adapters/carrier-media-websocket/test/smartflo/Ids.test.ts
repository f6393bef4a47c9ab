import { assert, describe, it } from "@effect/vitest"
import { AttemptId } from "@trunkline/kernel"
import type { DialectLine } from "../../src/dialects/Dialect.js"
import { attempt_id, callAt, lineOf } from "./Line.js"

const now = Date.parse("2026-11-30T04:30:00Z")

/** A call in progress, in the time of India. */
const live = (call_id: string, more: object = {}) => ({
  id: 1,
  call_id,
  direction: 2,
  type: "click-to-call",
  did: "+911140000001",
  customer_number: "09876543210",
  state: "Ringing",
  created_at: "2026-11-30 10:00:01",
  ...more
})

const record = (call_id: string, more: object = {}) => ({
  call_id,
  direction: "outbound",
  status: "missed",
  date: "2026-11-30",
  time: "10:00:01",
  client_number: "+919876543210",
  did_number: "+911140000001",
  answered_seconds: 0,
  hangup_cause: "USER_BUSY",
  ...more
})

/** The id that a line learns for its call from a response. */
const learned = (json: unknown, line: DialectLine = lineOf()) => {
  line.create(callAt(now))
  line.lateIds?.learn(attempt_id, json)
  return line.lateIds?.of(attempt_id)
}

describe("the id by which the API of Smartflo knows a call", () => {
  it("is that of the only call between its numbers since it was asked for", () => {
    assert.strictEqual(learned([live("other", { customer_number: "09876543219" }), live("mine")]), "mine")
    assert.strictEqual(learned({ count: 1, results: [record("mine")] }), "mine")
    assert.strictEqual(learned([live("mine"), live("mine", { id: 2, type: "voice streaming" })]), "mine")
    assert.strictEqual(learned([live("leg"), live("mine", { type: "voice streaming" })]), "mine")
  })

  it("stays unknown where several calls could be the one, or none", () => {
    assert.isNull(learned([live("one"), live("two")]))
    assert.isNull(learned([live("in", { direction: 1 })]))
    assert.isNull(learned([live("old", { created_at: "2026-11-30 09:59:00" })]))
    assert.isNull(learned([live("no time", { created_at: "" })]))
    assert.isNull(learned([live("did", { did: "+911140000002" })]))
    assert.isNull(learned([live("")]))
    assert.isNull(learned({ results: [record("in", { direction: "inbound" })] }))
    assert.isNull(learned({ results: [record("old", { time: "09:59:00" })] }))
    for (const json of [null, {}, [], { results: {} }, "no"]) assert.isNull(learned(json))
  })

  it("is no other call's", () => {
    const line = lineOf()
    const other = AttemptId.make("0199aaaa-0000-7000-8000-000000000002")
    line.create(callAt(now, { attempt_id: other }))
    line.lateIds?.learn(other, [live("first")])
    assert.isNull(learned([live("first")], line))
    assert.strictEqual(learned([live("first"), live("second")], line), "second")
  })

  it("is asked for among calls in progress, and then among records of the time since, in the time of India", () => {
    const line = lineOf()
    line.create(callAt(now))
    const paths = (among: "live" | "all") =>
      line.lateIds?.requests(attempt_id, among, now + 60_000).map(({ path }) => path) ?? []
    assert.deepStrictEqual(paths("live"), ["/v1/live_calls"])
    const [first, second = ""] = paths("all")
    assert.strictEqual(first, "/v1/live_calls")
    assert.strictEqual(
      second,
      "/v1/call/records?from_date=2026-11-30+09%3A59%3A55&to_date=2026-11-30+10%3A01%3A00&limit=100"
    )
    assert.deepStrictEqual(line.lateIds?.requests("unknown", "all", now), [])
  })
})

describe("what Smartflo says of a call", () => {
  const state = (json: unknown) => lineOf().readLookup(json, "mine")

  it("is what it lists under the id, and nothing otherwise", () => {
    assert.deepInclude(state([live("mine")]), { state: "ringing" })
    assert.deepInclude(state([live("mine"), live("mine", { state: "Answered" })]), { state: "talking" })
    assert.deepInclude(state({ results: [record("mine")] }), { failure: { status: "busy", reason: null } })
    assert.deepInclude(state({ results: [record("mine", { status: "answered" })] }), { state: "over", failure: null })
    assert.deepInclude(state({ results: [record("mine", { answered_seconds: 4 })] }), { failure: null })
    for (const json of [null, [], [live("other")], { results: [record("other")] }]) assert.isNull(state(json))
    assert.isNull(state({ results: [record("mine", { status: "new" })] }))
  })
})

describe("a call that Smartflo is asked for", () => {
  const bodyOf = (more: Parameters<typeof callAt>[1]) => JSON.parse(lineOf().create(callAt(now, more)).body ?? "")

  it("has numbers without a plus, and rings for as long as the provider can", () => {
    assert.deepInclude(bodyOf({}), {
      async: 1,
      customer_number: "919876543210",
      caller_id: "911140000001",
      customer_ring_timeout: 20,
      call_timeout: 600
    })
    assert.deepInclude(bodyOf({ ringSeconds: 2 }), { customer_ring_timeout: 10 })
    assert.deepInclude(bodyOf({ ringSeconds: 60 }), { customer_ring_timeout: 30 })
    assert.notProperty(bodyOf({ limitSeconds: null }), "call_timeout")
  })

  it("is accepted, refused, or of an unclear outcome, as the response says", () => {
    const { readCallId, readRefusal } = lineOf()
    assert.strictEqual(readCallId({ success: true, ref_id: "r1" }), "r1")
    assert.strictEqual(readCallId({ success: "true", message: "queued" }), "accepted")
    assert.isNotNull(readRefusal?.({ success: false, message: "no" }))
    assert.isNotNull(readRefusal?.({ success: "false" }))
    for (const json of [null, {}, { ref_id: "r1" }, { success: "maybe" }]) {
      assert.isNull(readCallId(json))
      assert.isNull(readRefusal?.(json))
    }
  })
})
