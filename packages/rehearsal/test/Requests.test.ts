import { assert, describe, it } from "@effect/vitest"
import { issuesOf } from "@trunkline/errors"
import { RehearseCampaign } from "@trunkline/rehearsal"
import { Either, Schema } from "effect"

/** The issues of a request as the API reports them: paths within the body, and messages. */
const wrongWith = (body: unknown): ReadonlyArray<readonly [place: string, msg: string]> =>
  Either.match(Schema.decodeUnknownEither(RehearseCampaign, { errors: "all" })(body), {
    onLeft: ({ issue }) => issuesOf(issue, "body").map(({ loc, msg }) => [loc.slice(1).join("."), msg] as const),
    onRight: () => []
  })

const band = { from: 0, to: 24, answer: 0.5 }

describe("RehearseCampaign", () => {
  it.each<readonly [callees: unknown, place: string, remedy: string]>([
    [{ hour: [band] }, "callees.hour", "did you mean hours?"],
    [{ hours: [{ ...band, answered: 1 }] }, "callees.hours.0.answered", "did you mean answer?"],
    [{ people: { habits: 1 } }, "callees.people.habits", "did you mean habit?"],
    [{ ring_seconds: { noanswer: 30 } }, "callees.ring_seconds.noanswer", "did you mean no_answer?"],
    [{ ring_seconds: { answer: { median: 9, p90: 22, p99: 40 } } }, "callees.ring_seconds.answer.p99", "p90"],
    [
      { talk: { seconds: { percentiles: [[0, 1], [100, 2]], at_most: 5 } } },
      "callees.talk.seconds.at_most",
      "known are"
    ],
    [{ talk: { length: 60 } }, "callees.talk.length", "known are seconds, short"]
  ])("is refused with the key that the model of the people does not have: %j", (callees, place, remedy) => {
    const [[at, msg = ""] = []] = wrongWith({ callees })
    assert.strictEqual(at, place)
    assert.match(msg, /^is not a known field; /)
    assert.include(msg, remedy)
  })

  it("rejects unknown keys of the callee model and of the prices", () => {
    const body = { callees: { a: 1, people: { b: 1 } }, prices: { currency: "INR", per_minute: 1, pulse: 30 } }
    assert.deepStrictEqual(wrongWith(body).map(([place]) => place).sort(), [
      "callees.a",
      "callees.people.b",
      "prices.pulse"
    ])
  })

  it("requires the lowest price first", () => {
    const priced = (per_minute: unknown) => wrongWith({ prices: { currency: "INR", per_minute } })
    assert.deepStrictEqual(priced([2, 1]), [["prices.per_minute", "The lowest price comes first: [lowest, highest]"]])
    for (const good of [0, 1.5, [1, 2], [1, 1]]) assert.deepStrictEqual(priced(good), [])
  })

  it("accepts an empty body and ignores unknown top-level keys", () => {
    assert.deepStrictEqual(wrongWith({}), [])
    assert.deepStrictEqual(wrongWith({ note: "from a newer client" }), [])
  })
})
