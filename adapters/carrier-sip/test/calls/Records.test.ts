import { assert, describe, it } from "@effect/vitest"
import { ConnectionId } from "@trunkline/kernel"
import { NotAnswered } from "@trunkline/telephony"
import { Effect } from "effect"
import { makeSipCallTable, type SipCallEntry } from "../../src/calls/SipCallTable.js"

const recordOf = (id: string): SipCallEntry => ({
  provider_call_id: id,
  connection_id: ConnectionId.make("line"),
  attempt_id: null,
  since: 0,
  call: { provider_call_id: id, answer: Effect.never, cancel: Effect.void },
  stage: { _tag: "Ringing" }
})

describe("the record of calls", () => {
  it("remembers how a call has ended, and nothing that the call has needed", () => {
    const records = makeSipCallTable()
    const record = recordOf("one")
    records.add(record)
    const result = new NotAnswered({ status: "busy", reason: null })
    assert.isTrue(records.end(record, result))
    assert.isFalse(records.end(record, null))
    const entry = records.find("one")
    assert.deepStrictEqual(entry?.stage, { _tag: "Over", result })
    assert.notStrictEqual(entry?.call, record.call)
    assert.deepStrictEqual(records.live(record.connection_id), [])
  })

  it("forgets the oldest of 10,000 ended calls", () => {
    const records = makeSipCallTable()
    for (let index = 0; index <= 10_000; index++) {
      const record = recordOf(String(index))
      records.add(record)
      records.end(record, null)
    }
    assert.isUndefined(records.find("0"))
    assert.isDefined(records.find("1"))
  })
})
