import { assert, describe, it } from "@effect/vitest"
import { type CreateCampaign, DailyCap, EndWhenExhausted } from "@trunkline/campaigns"
import { propertyRuns } from "@trunkline/kernel/testing"
import { CalleeModel } from "@trunkline/rehearsal"
import { Effect, FastCheck, Schema } from "effect"
import { makeReport } from "../src/run/MakeReport.js"
import { type RehearsalRun, type RehearsalRunResult, runRehearsal } from "../src/run/RehearsalRun.js"
import { numberedContacts, sourceOfIterable } from "../src/simulation/ContactSource.js"
import { runOnEngine } from "./engine/EngineRun.js"
import { after, monday, onLines } from "./Fixtures.js"

const share = FastCheck.constantFrom(0, 0.1, 0.3, 0.6)
/** Seconds, often the time between two dials, so that events meet. */
const seconds = FastCheck.constantFrom(0, 0.05, 0.1, 0.5, 1, 2, 10, 45)
const minutes = FastCheck.constantFrom(1, 2, 30, 90)
const toggle = FastCheck.boolean().map((enabled) => ({ enabled }))
const channels = FastCheck.option(FastCheck.integer({ min: 1, max: 6 }), { nil: undefined })

const line = (connection_id: string, first: number) =>
  FastCheck.record({ numbers: FastCheck.integer({ min: 1, max: 3 }), weight: FastCheck.constantFrom(1, 2, 2.5) }).map(
    ({ numbers, weight }) => ({
      connection_id,
      weight,
      phone_numbers: Array.from({ length: numbers }, (_, index) => `+9111400000${first + index}`)
    })
  )

const plan = FastCheck.record({
  people: FastCheck.integer({ min: 1, max: 60 }),
  rate: FastCheck.constantFrom(0.1, 0.5, 2, 3, 4, 10, 33, 200, 500),
  lines: FastCheck.tuple(line("a", 10), line("b", 20), line("c", 30)),
  howManyLines: FastCheck.integer({ min: 1, max: 3 }),
  rotates: FastCheck.boolean(),
  channels: FastCheck.record({ a: channels, b: channels, c: channels }),
  maxConcurrentCalls: FastCheck.constantFrom(1, 2, 5, 9, 60),
  opensFor: FastCheck.constantFrom("09:02", "10:00", "18:00"),
  hours: FastCheck.constantFrom(0.05, 1, 30, 170),
  early: FastCheck.constantFrom(-3_600_000, 0, 1_801),
  policy: FastCheck.option(FastCheck.record({
    max_retries: FastCheck.integer({ min: 0, max: 4 }),
    retry_interval_minutes: FastCheck.oneof(minutes, FastCheck.array(minutes, { minLength: 1, maxLength: 3 })),
    retry_on: FastCheck.record({
      busy: toggle,
      no_answer: toggle,
      failed: toggle,
      short_duration: toggle,
      provider_error: FastCheck.record({ max_retries: FastCheck.integer({ min: 0, max: 3 }) })
    })
  })),
  callees: FastCheck.record({
    hours: FastCheck.record({
      answer: FastCheck.constantFrom(0, 0.2, 0.4),
      voicemail: FastCheck.constantFrom(0, 0.1, 0.2),
      busy: FastCheck.constantFrom(0, 0.2),
      failed: FastCheck.constantFrom(0, 0.2),
      provider_error: FastCheck.constantFrom(0, 0.02, 0.6, 0.95)
    }).map((hours) => [{ from: 0, to: 24, ...hours }]),
    people: FastCheck.record({ invalid_number: share, never_answer: share, habit: share }),
    ring_seconds: FastCheck.record({
      answer: seconds,
      voicemail: seconds,
      busy: seconds,
      failed: seconds,
      no_answer: seconds
    }),
    talk: FastCheck.record({
      seconds,
      short: share,
      voicemail_seconds: seconds,
      business_retry: share,
      reschedule: share,
      reschedule_hours: FastCheck.constantFrom(0.01, 1, 20)
    })
  }),
  seed: FastCheck.integer(),
  dailyCap: FastCheck.constantFrom(Infinity, 1, 3),
  endWhenExhausted: FastCheck.boolean()
})
type Plan = typeof plan extends FastCheck.Arbitrary<infer A> ? A : never

const campaignOfPlan = (
  { hours, howManyLines, lines, opensFor, policy, rate, rotates }: Plan
): CreateCampaign => {
  const used = lines.slice(0, howManyLines)
  const rotation = rotates && used.flatMap(({ phone_numbers }) => phone_numbers).length > 1
  return onLines({ rate, window: ["09:00", opensFor], end: after(hours), retries: policy }, used, rotation)
}

/** One run of a plan, which reads its contacts anew. */
const runOf = (scenario: Plan): RehearsalRun => ({
  campaign: campaignOfPlan(scenario),
  people: sourceOfIterable(numberedContacts(scenario.people)),
  callees: Schema.decodeUnknownSync(CalleeModel)(scenario.callees),
  seed: scenario.seed,
  now: monday + scenario.early,
  maxConcurrentCalls: scenario.maxConcurrentCalls,
  channels: Object.fromEntries(
    Object.entries(scenario.channels).flatMap(([id, most]) => most === undefined ? [] : [[id, most]])
  ),
  sink: () => Effect.void,
  onProgress: () => Effect.void
})

/** Plays a plan; returns its log and its report. */
const played = (scenario: Plan, run: (play: RehearsalRun) => Effect.Effect<RehearsalRunResult>) => {
  let log = ""
  const play = { ...runOf(scenario), sink: (lines: string) => Effect.sync(() => void (log += lines)) }
  return run(play).pipe(
    Effect.map((result) => ({ log: log.split("\n"), report: makeReport(play, result, null), over_at: result.over_at })),
    Effect.provideService(DailyCap, scenario.dailyCap),
    Effect.provideService(EndWhenExhausted, scenario.endWhenExhausted)
  )
}

describe("a rehearsal", () => {
  it("has the log and the report of the engine in virtual time, whatever the campaign", () =>
    FastCheck.assert(
      FastCheck.asyncProperty(plan, (scenario) =>
        Effect.runPromise(Effect.gen(function*() {
          assert.deepStrictEqual(yield* played(scenario, runRehearsal), yield* played(scenario, runOnEngine))
        }))),
      { numRuns: propertyRuns(100) }
    ))
})
