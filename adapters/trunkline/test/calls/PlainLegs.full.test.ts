import { assert, describe, it } from "@effect/vitest"
import { CallHungUp, type EngineFault, type PlainLeg } from "trunkline"
import { call, line, withTrunkline } from "../Fixtures.js"

/** A leg on which the other side answers every question; methods may be others. */
const legOf = (methods: Partial<PlainLeg>): PlainLeg => ({
  say: async () => undefined,
  listen: async () => ({ text: "Yes." }),
  hangUp: async () => undefined,
  ...methods
})

/** Runs a call on a leg to its end; returns its record, what `onError` heard, and the warnings of the log. */
const callOn = async (leg: PlainLeg) => {
  const faults: Array<EngineFault> = []
  const warnings: Array<string> = []
  const warn = (...words: ReadonlyArray<unknown>) =>
    void warnings.push(words.map((word) => JSON.stringify(word)).join(" "))
  const quiet = () => undefined
  const place = async () => ({
    provider_call_id: "1",
    answered: Promise.resolve(leg),
    cancel: async () => undefined
  })
  const ended = await withTrunkline({
    lines: [{ ...line, provider: "mine", carrier: { place } }],
    simulator: {},
    logger: { debug: quiet, info: quiet, warn, error: warn },
    onError: (fault) => void faults.push(fault)
  }, async ({ calls }) => (await calls.create(call)).ended)
  return { ended, heard: faults, warnings }
}

const broken = new Error("no route for +919876543210")

describe("a connected call of a plain carrier", () => {
  for (const method of ["say", "listen"] as const) {
    it(`whose ${method} fails ends, hangs up, and is reported with its attempt and the error`, async () => {
      let hungUp = 0
      const { ended, heard, warnings } = await callOn(legOf({
        [method]: () => Promise.reject(broken),
        hangUp: async () => void (hungUp += 1)
      }))
      const message = `mine: the call was given up since ${method} failed: no route for ***`
      assert.deepStrictEqual(heard.map(({ attempt_id, cause, kind, message }) => [kind, attempt_id, message, cause]), [
        ["call", ended.attempt_id, message, broken]
      ])
      assert.deepStrictEqual([ended.connectivity_status, ended.failure_reason], ["connected", message])
      assert.lengthOf(warnings, 1)
      assert.include(warnings[0], message)
      assert.include(warnings[0], ended.attempt_id)
      assert.include(warnings[0], "PlainLegs.full.test")
      assert.isAtLeast(hungUp, 1)
    })
  }

  it("that throws before there is a promise, or resolves with something else, is reported, too", async () => {
    const thrown = await callOn(legOf({
      say: () => {
        throw new TypeError("Cannot read properties of undefined (reading 'write')")
      }
    }))
    assert.match(thrown.heard[0]?.message ?? "", /say failed: Cannot read properties/)
    const deaf = await callOn(legOf({ listen: async () => JSON.parse(`{"words":"Yes."}`) }))
    assert.deepStrictEqual(deaf.heard.map(({ message }) => message), [
      "mine: the call was given up since listen failed: it resolves with a text, a digit or null"
    ])
    const mumbling = await callOn(legOf({ say: async () => JSON.parse(`{"interrupted":true}`) }))
    assert.match(mumbling.heard[0]?.message ?? "", /since say failed: it resolves with nothing, or with the text/)
  })

  it("that is hung up says who did it, and nobody hears of a fault", async () => {
    for (const by of ["user", "provider"] as const) {
      const { ended, heard, warnings } = await callOn(legOf({ listen: () => Promise.reject(new CallHungUp(by)) }))
      assert.deepStrictEqual([ended.connectivity_status, ended.failure_reason], ["connected", null])
      assert.deepStrictEqual([heard, warnings], [[], []])
    }
  })

  it("that rejects after it has ended is silent", async () => {
    let isOver = false
    const { ended, heard, warnings } = await callOn(legOf({
      say: () => isOver ? Promise.reject(broken) : Promise.resolve(),
      listen: () => {
        if (isOver) return Promise.reject(broken)
        isOver = true
        return Promise.reject(new CallHungUp())
      },
      hangUp: () => Promise.reject(broken)
    }))
    assert.strictEqual(ended.connectivity_status, "connected")
    assert.deepStrictEqual([heard, warnings], [[], []])
  })
})
