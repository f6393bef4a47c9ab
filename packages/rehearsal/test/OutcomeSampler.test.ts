import { assert, describe, it } from "@effect/vitest"
import { CalleeModel, defaultCallees, type Distribution } from "@trunkline/rehearsal"
import { Either, Schema } from "effect"
import { sample } from "../src/callees/Distribution.js"
import { makeOutcomeSampler, seededRandom, type SimulatedOutcome } from "../src/callees/OutcomeSampler.js"
import { monday, plain } from "./Fixtures.js"

const hour = 3_600_000
const day = 24 * hour
const bounds = { ringMillis: 40_000, talkMillis: 3_600_000 }

const outcomes = (model: CalleeModel, seed: number | string = 1) =>
  makeOutcomeSampler(model, { seed, timezone: "Asia/Kolkata", bounds })

const people = 40_000

/** The share of contacts with an outcome of a call at a moment. */
const shareOf = (
  model: CalleeModel,
  happens: (outcome: SimulatedOutcome) => boolean,
  at = monday,
  seed: number | string = 1
) => {
  const outcome = outcomes(model, seed)
  let count = 0
  for (let person = 1; person <= people; person += 1) {
    if (happens(outcome(person, 0, at))) count += 1
  }
  return count / people
}

const answers = (outcome: SimulatedOutcome) => outcome._tag === "PickedUp" && outcome.by === "person"

/** Four standard deviations of a share, which chance exceeds once in 16,000 times. */
const near = (actual: number, expected: number) =>
  assert.approximately(actual, expected, 4 * Math.sqrt(expected * (1 - expected) / people) + 1e-9)

describe("makeOutcomeSampler", () => {
  it("respects the shares of every hour, with any habit", () => {
    for (const habit of [0, 0.5, 1]) {
      const model = plain({
        hours: [
          { from: 0, to: 12, answer: 0.2, voicemail: 0.1, busy: 0.15, failed: 0.05, provider_error: 0.02 },
          { from: 12, to: 24, answer: 0.6 }
        ],
        people: { habit }
      })
      near(shareOf(model, answers), 0.98 * 0.2)
      near(shareOf(model, (outcome) => outcome._tag === "PickedUp" && outcome.by === "voicemail"), 0.98 * 0.1)
      near(shareOf(model, (outcome) => outcome._tag === "NotReached" && outcome.status === "busy"), 0.98 * 0.15)
      near(shareOf(model, (outcome) => outcome._tag === "NotReached" && outcome.status === "failed"), 0.98 * 0.05)
      near(shareOf(model, (outcome) => outcome._tag === "NotReached" && outcome.status === "no_answer"), 0.98 * 0.5)
      near(shareOf(model, (outcome) => outcome._tag === "ProviderError"), 0.02)
      near(shareOf(model, answers, monday + 6 * hour), 0.6)
    }
  })

  it("respects the shares of contacts that never answer or have invalid numbers", () => {
    const model = plain({ hours: { answer: 1 }, people: { invalid_number: 0.1, never_answer: 0.25 } })
    near(shareOf(model, (outcome) => outcome._tag === "NotReached" && outcome.invalid), 0.1)
    near(shareOf(model, answers), 0.9 * 0.75)
    const outcome = outcomes(model)
    for (let person = 1; person <= 200; person += 1) {
      const first = answers(outcome(person, 0, monday))
      for (let count = 1; count < 10; count += 1) {
        assert.strictEqual(answers(outcome(person, count, monday + count * day / 3)), first)
      }
    }
  })

  it("gives contacts habits: fixed per part of the day at 1, independent at 0", () => {
    const again = (habit: number, at: number) => {
      const outcome = outcomes(plain({ hours: { answer: 0.5 }, people: { habit } }))
      let same = 0
      for (let person = 1; person <= people; person += 1) {
        if (answers(outcome(person, 0, monday)) === answers(outcome(person, 1, at))) same += 1
      }
      return same / people
    }
    assert.strictEqual(again(1, monday + day), 1)
    near(again(1, monday + 9 * hour), 0.5)
    near(again(0, monday + day), 0.5)
    near(again(0.6, monday + day), 0.36 + 0.64 * 0.5)
  })

  it("is deterministic for a seed and differs for another", () => {
    const outcomesFor = (seed: number | string) =>
      Array.from(
        { length: 500 },
        (_, person) => outcomes(defaultCallees, seed)(person + 1, person % 4, monday + person * hour)
      )
    assert.deepStrictEqual(outcomesFor(7), outcomesFor(7))
    assert.deepStrictEqual(outcomesFor("7"), outcomesFor(7))
    assert.notDeepEqual(outcomesFor(7), outcomesFor(8))
  })

  it("never exceeds the ringing and talking times of the engine", () => {
    const model = plain({ hours: { answer: 1 }, ring: { answer: { median: 30, p90: 90 } }, talk: { seconds: 100_000 } })
    const outcome = outcomes(model)
    for (let person = 1; person <= 1_000; person += 1) {
      const result = outcome(person, 0, monday)
      if (result._tag === "ProviderError") continue
      assert.isAtMost(result.ringMillis, bounds.ringMillis)
      if (result._tag === "PickedUp") assert.strictEqual(result.talkMillis, bounds.talkMillis)
    }
    const unanswered = shareOf(model, (result) => result._tag === "NotReached" && result.status === "no_answer")
    // The share of a log-normal with this median and 90th percentile that is above 40 s.
    near(unanswered, 0.3687)
  })

  it("ends conversations as the model says", () => {
    const model = plain({
      hours: { answer: 1 },
      talk: { short: 0.2, short_seconds: 3, business_retry: 0.1, reschedule: 0.3, reschedule_hours: 1 }
    })
    near(shareOf(model, (outcome) => outcome._tag === "PickedUp" && outcome.short && outcome.talkMillis === 3_000), 0.2)
    near(shareOf(model, (outcome) => outcome._tag === "PickedUp" && outcome.business_retry), 0.8 * 0.1)
    near(shareOf(model, (outcome) => outcome._tag === "PickedUp" && outcome.reschedule_after === hour), 0.8 * 0.3)
  })
})

describe("sample", () => {
  const values = (spread: Distribution) => {
    const chance = seededRandom("spread")
    return Array.from(
      { length: people },
      (_, person) => sample(spread, chance("talk", person, 0), chance("talk_spread", person, 0))
    ).sort((a, b) => a - b)
  }
  const at = (sorted: ReadonlyArray<number>, share: number) => sorted[Math.floor(share * people)] ?? 0

  it("has the given median, 90th percentile and maximum", () => {
    const sorted = values({ median: 75, p90: 210, at_most: 600 })
    assert.approximately(at(sorted, 0.5), 75, 2)
    assert.approximately(at(sorted, 0.9), 210, 6)
    assert.strictEqual(sorted.at(-1), 600)
  })

  it("interpolates linearly between percentiles", () => {
    const sorted = values({ percentiles: [[0, 10], [50, 20], [100, 120]] })
    assert.approximately(at(sorted, 0.25), 15, 0.3)
    assert.approximately(at(sorted, 0.75), 70, 2)
    assert.isAtLeast(sorted[0] ?? 0, 10)
    assert.isAtMost(sorted.at(-1) ?? 0, 120)
  })
})

describe("CalleeModel", () => {
  const read = (model: unknown) => Either.mapLeft(Schema.decodeUnknownEither(CalleeModel)(model), String)

  it("has a default for every part", () => {
    assert.deepStrictEqual(read({}), Either.right(defaultCallees))
    const other = Either.getOrThrow(read({ talk: { short: 0.5 }, people: {} }))
    assert.deepStrictEqual(other, { ...defaultCallees, talk: { ...defaultCallees.talk, short: 0.5 } })
  })

  it.each([
    [{ hours: [{ from: 0, to: 12, answer: 1 }] }, "Hour 12 is in 0 of the bands"],
    [{ hours: [{ from: 0, to: 13, answer: 1 }, { from: 12, to: 24, answer: 1 }] }, "Hour 12 is in 2 of the bands"],
    [{ hours: [{ from: 0, to: 24, answer: 0.9, busy: 0.2 }] }, "must not be more than 1 together"],
    [{ hours: [{ from: 9, to: 9, answer: 0.9 }] }, "Must be later than from"],
    [{ talk: { short: 2 } }, "short"],
    [{ talk: { seconds: { median: 9, p90: 3 } } }, "Must not be smaller than the median"],
    [{ talk: { seconds: { percentiles: [[0, 3], [90, 5]] } } }, "from percentile 0 to percentile 100"]
  ])("refuses %j", (model, message) => {
    assert.include(Either.getOrThrow(Either.flip(read(model))), message)
  })
})
