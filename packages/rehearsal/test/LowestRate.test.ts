import { assert, describe, it } from "@effect/vitest"
import { defaultCallees, type RehearsalOptions, rehearse } from "@trunkline/rehearsal"
import { Effect } from "effect"
import { scaleFor } from "../src/run/LowestRate.js"
import { after, allAnswer, campaignOf, noneAnswer, options, plain, retries } from "./Fixtures.js"

const lowest = (settings: Parameters<typeof options>[0]) =>
  Effect.map(
    rehearse({ ...options(settings), lowestRate: true }),
    ({ lowest_rate_that_finishes }) => lowest_rate_that_finishes
  )

/** Rehearses a campaign at another rate; succeeds with true when it finishes. */
const finishesAt = (attempts_per_second: number, settings: RehearsalOptions) =>
  Effect.map(
    rehearse({
      ...settings,
      campaign: { ...settings.campaign, app_config: { ...settings.campaign.app_config, attempts_per_second } }
    }),
    ({ finished, never_reached }) => finished && never_reached.causes.every(({ reason }) => reason !== "past_end")
  )

describe("the lowest rate that finishes", () => {
  it.effect("is the number of calls over the available time when all contacts answer: 90 in 3 minutes", () =>
    Effect.gen(function*() {
      const campaign = campaignOf({ rate: 2, end: after(0.05) })
      const lowestRate = yield* lowest({ contacts: 90, callees: allAnswer, campaign })
      assert.strictEqual(lowestRate?.attempts_per_second, 0.5)
      assert.strictEqual(lowestRate?.goal, "every_call")
      assert.strictEqual(lowestRate?.people_tried, 90)
    }))

  it.effect("finishes, while a lower rate does not", () =>
    Effect.gen(function*() {
      const campaign = campaignOf({ rate: 2, end: after(0.15), retries: retries(2, 1) })
      const settings = options({ contacts: 80, callees: noneAnswer, campaign })
      const lowestRate = yield* lowest(settings)
      const rate = lowestRate?.attempts_per_second ?? 0
      assert.isAbove(rate, 0.1)
      assert.isTrue(yield* finishesAt(rate, settings))
      assert.isFalse(yield* finishesAt(rate - 0.1, settings))
    }))

  it.effect("is found for a campaign whose own rate is too low", () =>
    Effect.gen(function*() {
      const campaign = campaignOf({ rate: 0.1, end: after(0.05) })
      const lowestRate = yield* lowest({ contacts: 45, callees: allAnswer, campaign })
      assert.strictEqual(lowestRate?.attempts_per_second, 0.3)
    }))

  it.effect("is null when lines are too few, and the report says how many are needed", () =>
    Effect.gen(function*() {
      const campaign = campaignOf({ rate: 2, end: after(0.1) })
      const settings = options({ contacts: 100, callees: allAnswer, campaign, maxConcurrentCalls: 5 })
      const report = yield* rehearse({ ...settings, lowestRate: true })
      assert.strictEqual(report.lowest_rate_that_finishes?.attempts_per_second, null)
      assert.isFalse(report.finished)
      const lines = report.lines_needed.to_finish ?? 0
      assert.isAbove(lines, 5)
      const enough = yield* rehearse({ ...settings, maxConcurrentCalls: lines + 2 })
      assert.isTrue(enough.finished)
    }))

  it.effect("has a weaker goal when retries are lost to the end at any rate", () =>
    Effect.gen(function*() {
      const campaign = campaignOf({ rate: 1, end: after(0.1), retries: retries(1, 120) })
      const lowestRate = yield* lowest({ contacts: 30, callees: noneAnswer, campaign })
      assert.strictEqual(lowestRate?.goal, "nobody_waiting")
      assert.strictEqual(lowestRate?.attempts_per_second, 0.1)
    }))

  it.effect("is tried with a sample of many contacts at a proportional rate", () =>
    Effect.gen(function*() {
      const callees = plain({ hours: { answer: 0.5 }, talk: { seconds: 5 } })
      const campaign = campaignOf({ rate: 5, end: after(0.125) })
      const lowestRate = yield* lowest({ contacts: 2_000, callees, campaign })
      assert.strictEqual(lowestRate?.people_tried, 1_000)
      assert.approximately(lowestRate?.attempts_per_second ?? 0, 2_000 / 450, 0.1)
    }))

  it("keeps enough lines in a scaled-down run, or ignores them", () => {
    assert.deepStrictEqual(scaleFor(100_000, 2_000, true), { step: 100, lines: 20 })
    assert.deepStrictEqual(scaleFor(100_000, 600, true), { step: 30, lines: 20 })
    assert.deepStrictEqual(scaleFor(100_000, 10, true), { step: 100, lines: null })
    assert.deepStrictEqual(scaleFor(100_000, 10, false), { step: 100, lines: null })
    assert.deepStrictEqual(scaleFor(500, 10, true), { step: 1, lines: 10 })
  })

  it.effect("does not change the rest of the report", () =>
    Effect.gen(function*() {
      const settings = options({
        contacts: 60,
        callees: defaultCallees,
        campaign: campaignOf({ retries: retries(1, 5) })
      })
      const { lowest_rate_that_finishes: _, ...searched } = yield* rehearse({ ...settings, lowestRate: true })
      const { lowest_rate_that_finishes: none, ...plainly } = yield* rehearse(settings)
      assert.isNull(none)
      assert.deepStrictEqual(searched, plainly)
    }))
})
