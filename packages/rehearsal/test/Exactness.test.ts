import { assert, describe, it } from "@effect/vitest"
import { PhoneNumber } from "@trunkline/kernel"
import { NothingToRehearse, rehearse } from "@trunkline/rehearsal"
import { DateTime, Effect, Schema, Stream } from "effect"
import { after, allAnswer, campaignOf, iso, monday, noneAnswer, options, plain, retries } from "./Fixtures.js"

const second = 1_000

describe("a rehearsal of uniform contacts", () => {
  it.effect("ends with the last call: 100 contacts at 2 per second, 5 s of ringing, 60 s of talk", () =>
    Effect.gen(function*() {
      const report = yield* rehearse(options({ contacts: 100, callees: allAnswer }))
      assert.isTrue(report.finished)
      assert.strictEqual(iso(report.last_call_over_at), new Date(monday + 99 * 500 + 65 * second).toISOString())
      assert.strictEqual(report.dials, 100)
      assert.deepStrictEqual(report.outcomes, [{ outcome: "answered", calls: 100 }])
      assert.strictEqual(report.talk_minutes, 100)
      assert.strictEqual(report.line_minutes, Math.round(100 * 65 / 6) / 10)
      assert.strictEqual(report.peak_calls, 100)
      assert.deepStrictEqual(report.reached, { people: 100, by_call: [100] })
      assert.strictEqual(report.never_reached.people, 0)
    }))

  it.effect("lets phones ring and people talk for as long as the engine does", () =>
    Effect.gen(function*() {
      const callees = plain({ hours: { answer: 1 }, ring: { answer: 60 }, talk: { seconds: 300 } })
      const usual = yield* rehearse(options({ contacts: 10, callees }))
      assert.deepStrictEqual(usual.reached.people, 0)
      const longer = options({ contacts: 10, callees, ringTimeoutSeconds: 90, maxDurationSeconds: 120 })
      const report = yield* rehearse(longer)
      assert.deepStrictEqual([report.reached.people, report.talk_minutes], [10, 20])
    }))

  it.effect("peaks at 131 concurrent calls with 2 calls per second of 65 s each", () =>
    Effect.gen(function*() {
      const { calls_per_hour, peak_calls } = yield* rehearse(options({ contacts: 200, callees: allAnswer }))
      assert.include([130, 131], peak_calls)
      assert.deepStrictEqual(calls_per_hour, [
        { hour: "2026-03-02 09:00", dials: 200, answers: 200, talk_minutes: 200, peak_calls }
      ])
    }))

  it.effect("calls each contact as often as the policy allows when none answers", () =>
    Effect.gen(function*() {
      const report = yield* rehearse(
        options({ contacts: 10, callees: noneAnswer, campaign: campaignOf({ retries: retries(2, 60) }) })
      )
      assert.strictEqual(report.dials, 30)
      assert.strictEqual(report.line_minutes, 15)
      assert.strictEqual(report.talk_minutes, 0)
      assert.isTrue(report.finished)
      assert.deepStrictEqual(report.never_reached.causes, [
        { reason: "retries_exhausted", last_outcome: "no_answer", people: 10 }
      ])
      assert.deepStrictEqual(report.never_reached.examples[0], {
        person: 1,
        calls: 3,
        reason: "retries_exhausted",
        last_outcome: "no_answer"
      })
      // The third call of the first person: an hour after 30 s of ringing, twice.
      assert.strictEqual(
        iso(report.last_call_over_at),
        new Date(monday + 2 * (3_600 + 30) * second + 9 * 500 + 30 * second).toISOString()
      )
    }))

  it.effect("counts contacts by the call that reached them", () =>
    Effect.gen(function*() {
      const callees = plain({
        hours: [{ from: 0, to: 10, answer: 0 }, { from: 10, to: 24, answer: 1 }]
      })
      const report = yield* rehearse(
        options({ contacts: 20, callees, campaign: campaignOf({ retries: retries(3, 40) }) })
      )
      assert.deepStrictEqual(report.reached, { people: 20, by_call: [0, 0, 20] })
      assert.deepStrictEqual(report.hours_of_day, [
        { hour: 9, dials: 40, answers: 0 },
        { hour: 10, dials: 20, answers: 20 }
      ])
    }))

  it.effect("never dials outside the window or after the end", () =>
    Effect.gen(function*() {
      const report = yield* rehearse(options({
        contacts: 3 * 360,
        callees: allAnswer,
        campaign: campaignOf({ rate: 0.1, window: ["09:00", "10:00"], end: after(24.5) })
      }))
      assert.isFalse(report.finished)
      assert.strictEqual(report.dials, 360 + 180)
      assert.strictEqual(report.people_left, 3 * 360 - 540)
      assert.deepStrictEqual(
        report.windows.map(({ closes_at, dials, first_dial_at }) => [iso(first_dial_at), iso(closes_at), dials]),
        [[after(0), after(1), 360], [after(24), after(24.5), 180]]
      )
      assert.deepStrictEqual(report.never_reached.causes, [
        { reason: "campaign_ended", last_outcome: null, people: 540 }
      ])
    }))

  it.effect("moves retries into the next window and counts those past the end", () =>
    Effect.gen(function*() {
      const callees = noneAnswer
      const window = ["09:00", "10:00"] as const
      const nextDay = yield* rehearse(
        options({ contacts: 5, callees, campaign: campaignOf({ window, retries: retries(1, 120), end: after(26) }) })
      )
      assert.deepStrictEqual(nextDay.windows.map(({ dials }) => dials), [5, 5])
      assert.strictEqual(iso(nextDay.windows[1]?.first_dial_at ?? null), after(24))
      const tooLate = yield* rehearse(
        options({ contacts: 5, callees, campaign: campaignOf({ window, retries: retries(1, 120), end: after(23) }) })
      )
      assert.strictEqual(tooLate.dials, 5)
      assert.isTrue(tooLate.finished)
      assert.deepStrictEqual(tooLate.never_reached.causes, [
        { reason: "past_end", last_outcome: "no_answer", people: 5 }
      ])
    }))

  it.effect("keeps local hours on the day of a clock change", () =>
    Effect.gen(function*() {
      const report = yield* rehearse(options({
        contacts: 3 * 360,
        callees: allAnswer,
        campaign: campaignOf({
          rate: 0.1,
          timezone: "Europe/Berlin",
          window: ["01:00", "04:00"],
          days: ["Sunday"],
          start: "2026-03-28T12:00:00Z",
          end: "2026-03-29T12:00:00Z"
        })
      }))
      assert.deepStrictEqual(report.calls_per_hour.map(({ dials, hour }) => [hour, dials]), [
        ["2026-03-29 01:00", 360],
        ["2026-03-29 03:00", 360]
      ])
      assert.strictEqual(report.people_left, 360)
    }))

  it.effect("waits for lines: with 10, one of them reserved for inbound calls, 9 calls are concurrent", () =>
    Effect.gen(function*() {
      const report = yield* rehearse(options({ contacts: 45, callees: allAnswer, maxConcurrentCalls: 10 }))
      assert.strictEqual(report.peak_calls, 9)
      assert.strictEqual(report.lines_needed.waited_minutes, 4)
      assert.strictEqual(report.lines_needed.for_the_rate, Math.ceil((130 + 2 * Math.sqrt(130)) / 0.9))
    }))

  it.effect("does not count the night as waiting for lines", () =>
    Effect.gen(function*() {
      const campaign = campaignOf({ window: ["09:00", "09:02"] })
      const settings = options({ contacts: 30, callees: allAnswer, campaign, maxConcurrentCalls: 10 })
      const report = yield* rehearse(settings)
      assert.strictEqual(report.windows.length, 2)
      assert.isAtMost(report.lines_needed.waited_minutes, 2 + 2)
    }))

  it.effect("respects the channels of a connection", () =>
    Effect.gen(function*() {
      const report = yield* rehearse(options({ contacts: 20, callees: allAnswer, maxChannels: { line: 3 } }))
      assert.strictEqual(report.peak_calls, 3)
    }))

  it.effect("pauses a line whose provider rejects every call", () =>
    Effect.gen(function*() {
      const callees = plain({ hours: { answer: 1, provider_error: 1 } })
      const report = yield* rehearse(options({ contacts: 60, callees }))
      assert.deepStrictEqual(report.outcomes, [{ outcome: "provider_error", calls: 60 }])
      assert.isAbove(Number(report.last_call_over_at?.epochMillis) - monday, 10 * 60 * second)
    }))

  it.effect("bills connected calls in whole increments", () =>
    Effect.gen(function*() {
      const prices = { currency: "INR", per_minute: [0.5, 0.8] as const, pulse_seconds: 45 }
      const { cost } = yield* rehearse(options({ contacts: 10, callees: allAnswer, prices }))
      assert.deepStrictEqual(cost, { currency: "INR", billed_minutes: 15, from: 7.5, to: 12 })
    }))

  it.effect("keeps promised callbacks", () =>
    Effect.gen(function*() {
      const callees = plain({ hours: { answer: 1 }, talk: { reschedule: 1, reschedule_hours: 2 } })
      const report = yield* rehearse(options({ contacts: 1, callees, campaign: campaignOf({ end: after(5) }) }))
      assert.strictEqual(report.dials, 3)
      assert.deepStrictEqual(report.reached.by_call, [1])
    }))

  it.effect("calls a number once when it is listed repeatedly", () =>
    Effect.gen(function*() {
      const person = (last: number) => ({ user_phone_number: PhoneNumber.make(`+9198765432${last}`) })
      const people = [person(10), person(11), person(10), person(12)]
      for (const contacts of [people, Stream.fromIterable(people)]) {
        const report = yield* rehearse(options({ contacts, callees: allAnswer }))
        assert.deepStrictEqual([report.people, report.duplicates, report.dials], [3, 1, 3])
      }
    }))

  it.effect("begins at `now`, also in the middle of a campaign", () =>
    Effect.gen(function*() {
      const now = monday + 2 * 3_600 * second
      const report = yield* rehearse(options({ contacts: 1, callees: allAnswer, now }))
      assert.strictEqual(iso(report.began_at), after(2))
      assert.strictEqual(iso(report.last_call_over_at), new Date(now + 65 * second).toISOString())
    }))

  it.effect("rejects a campaign that ends before it begins", () =>
    Effect.gen(function*() {
      const late = rehearse(options({ contacts: 1, now: monday + 30 * 24 * 3_600 * second }))
      assert.instanceOf(yield* Effect.flip(late), NothingToRehearse)
    }))

  it.effect("reports a campaign without contacts", () =>
    Effect.gen(function*() {
      const report = yield* rehearse({
        ...options({ contacts: 0 }),
        lowestRate: true,
        campaign: campaignOf({ end: after(1) })
      })
      assert.deepStrictEqual([report.people, report.dials, report.last_call_over_at], [0, 0, null])
      assert.isTrue(Schema.is(Schema.DateTimeUtcFromSelf)(report.began_at))
      assert.isTrue(DateTime.isDateTime(report.end_timestamp))
    }))
})
