import { assert, describe, it } from "@effect/vitest"
import { isOpen, VirtualClock } from "@trunkline/kernel"
import { propertyRuns } from "@trunkline/kernel/testing"
import type { Attempt, Callee } from "@trunkline/telephony"
import { Effect, FastCheck } from "effect"
import { CampaignRunner, Campaigns, dialWindow } from "../src/index.js"
import { campaignBody, campaigns, mondayMorning, over, scope } from "./Fixtures.js"

const callee = FastCheck.constantFrom<Callee>(
  "answer",
  "busy",
  "no_answer",
  "decline",
  "invalid",
  "provider_error",
  "hang_up_early"
)

const plan = FastCheck.record({
  people: FastCheck.integer({ min: 1, max: 40 }),
  callees: FastCheck.array(callee, { minLength: 10, maxLength: 10 }),
  rate: FastCheck.constantFrom(0.1, 0.5, 2, 7, 50),
  lines: FastCheck.integer({ min: 1, max: 6 }),
  startHour: FastCheck.integer({ min: 0, max: 23 }),
  openHours: FastCheck.integer({ min: 1, max: 23 }),
  retries: FastCheck.integer({ min: 0, max: 4 }),
  interval: FastCheck.integer({ min: 1, max: 2_000 }),
  failed: FastCheck.boolean(),
  actions: FastCheck.array(
    FastCheck.record({
      after: FastCheck.integer({ min: 1, max: 7_200 }),
      pauseFor: FastCheck.integer({ min: 1, max: 7_200 })
    }),
    { maxLength: 3 }
  )
})
type Plan = typeof plan extends FastCheck.Arbitrary<infer A> ? A : never

const hour = (hours: number) => `${String(hours % 24).padStart(2, "0")}:00`

/** Runs the planned campaign to its end; returns all attempts and the moments at which dialling was paused. */
const rehearsed = async (given: Plan) => {
  const history: Array<Attempt> = []
  const pauses: Array<readonly [from: number, to: number]> = []
  const body = campaignBody(
    {
      allowed_schedule: {
        allowed_start_time: hour(given.startHour),
        allowed_end_time: hour(given.startHour + given.openHours),
        allowed_days: ["Monday", "Tuesday", "Thursday", "Sunday"]
      }
    },
    {
      attempts_per_second: given.rate,
      retry_config: {
        max_retries: given.retries,
        retry_interval_minutes: given.interval,
        retry_on: { failed: { enabled: given.failed } }
      }
    }
  )
  const program = Effect.scoped(Effect.gen(function*() {
    const service = yield* Campaigns
    yield* Effect.forkScoped((yield* CampaignRunner).run)
    const { campaign_id } = yield* service.create(scope, body, "test")
    for (const { after, pauseFor } of given.actions) {
      yield* Effect.sleep(after * 1000)
      if ((yield* service.get(scope, campaign_id)).status !== "active") continue
      yield* service.act(scope, campaign_id, "pause", "test")
      const from = (yield* service.get(scope, campaign_id)).updated_at.epochMillis
      yield* Effect.sleep(pauseFor * 1000)
      if ((yield* service.get(scope, campaign_id)).status !== "paused") continue
      yield* service.act(scope, campaign_id, "resume", "test")
      pauses.push([from, from + pauseFor * 1000])
    }
    return yield* over(campaign_id)
  })).pipe(Effect.provide(campaigns({
    people: given.people,
    history,
    maxConcurrentCalls: given.lines,
    simulator: { rules: given.callees.map((who, digit) => ({ suffix: String(digit), callee: who })) }
  })))
  const campaign = await Effect.runPromise(VirtualClock.run(program, { start: mondayMorning }))
  return { body, campaign, history, pauses }
}

describe("any campaign", () => {
  it("respects its window, rate, lines and policy, and finishes every contact", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(plan, async (given) => {
        const { body, campaign, history, pauses } = await rehearsed(given)
        const dialled = history.map((attempt) => attempt.attempted_at).sort((a, b) => a - b)
        const window = dialWindow(body.allowed_schedule)
        const end = campaign.end_timestamp.epochMillis

        assert.isTrue(dialled.every((at) => isOpen(window, at) && at >= mondayMorning && at < end), "window")
        const gap = 1000 / given.rate - 20
        assert.isTrue(dialled.slice(1).every((at, index) => at - (dialled[index] ?? 0) >= gap), "rate")
        assert.isTrue(dialled.every((at) => pauses.every(([from, to]) => at <= from || at >= to)), "pause")
        for (const { attempted_at } of history) {
          const atOnce = history.filter((other) =>
            other.attempted_at <= attempted_at && (other.result?.finished_at ?? 0) > attempted_at
          )
          assert.isAtMost(atOnce.length, given.lines, "lines")
        }

        const byPerson = new Map<string, Array<Attempt>>()
        for (const attempt of history) {
          byPerson.set(attempt.user_identifier, [...byPerson.get(attempt.user_identifier) ?? [], attempt])
        }
        for (const theirs of byPerson.values()) {
          assert.deepStrictEqual(
            theirs.map((attempt) => attempt.retry_attempt),
            theirs.map((_, index) => index),
            "order"
          )
          const promised = theirs.map((attempt) => attempt.result?.next_action_status !== null)
          assert.deepStrictEqual(promised.slice(0, -1), theirs.slice(1).map(() => true), "promises")
          const retried = theirs.filter((attempt) => attempt.result?.next_action_status === "retry").length
          assert.isAtMost(retried, given.retries, "retries")
          const stillPromised = promised.at(-1) === true
          assert.isTrue(!stillPromised || campaign.updated_at.epochMillis >= end, "kept promises")
        }
        if (campaign.updated_at.epochMillis < end) assert.strictEqual(byPerson.size, given.people, "everyone")
      }),
      { numRuns: propertyRuns(40), seed: 20240520 }
    )
  })
})
