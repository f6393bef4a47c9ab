import { assert, describe, it } from "@effect/vitest"
import { BusinessTime, type PhoneNumber, VirtualClock } from "@trunkline/kernel"
import { propertyRuns, virtualTest } from "@trunkline/kernel/testing"
import { type Attempt, type Callee, CallSlots } from "@trunkline/telephony"
import { Effect, FastCheck, Layer, Option } from "effect"
import { CampaignRunner, Campaigns, CampaignSignals, ContactStore, Roster } from "../src/index.js"
import { campaignBody, campaigns, mondayMorning, numberOf, over, people, scope } from "./Fixtures.js"

const start = { start: mondayMorning }
const running = Effect.flatMap(CampaignRunner, (runner) => Effect.forkScoped(runner.run))
const created = (config: Record<string, unknown> = {}) =>
  Effect.flatMap(Campaigns, (service) => service.create(scope, campaignBody({}, config), "demo"))
const personOf = (attempt: Attempt) => attempt.user_phone_number

describe("a campaign with stop files", () => {
  virtualTest("respects a stop file at the next dial even without a signal, and loses no beat or line", () => {
    const history: Array<Attempt> = []
    const stops: Array<PhoneNumber> = []
    return Effect.gen(function*() {
      yield* running
      const { campaign_id } = yield* created({ attempts_per_second: 1 })
      yield* BusinessTime.sleep("2500 millis")
      stops.push(...[3, 4, 5, 8].map(numberOf))
      yield* over(campaign_id)
      const dialled = history.toSorted((a, b) => a.attempted_at - b.attempted_at)
      assert.deepStrictEqual(dialled.map(personOf), [0, 1, 2, 6, 7, 9].map(numberOf))
      assert.deepStrictEqual(
        dialled.map(({ attempted_at }) => attempted_at - mondayMorning),
        [0, 1000, 2000, 3000, 4000, 5000]
      )
      assert.strictEqual(yield* (yield* CallSlots).inUse(scope), 0)
      const store = yield* ContactStore
      assert.deepStrictEqual(yield* store.counts(campaign_id), { waiting: 0, calling: 0, finished: 10 })
      const stopped = Option.getOrThrow(yield* store.find(campaign_id, numberOf(3)))
      assert.strictEqual(stopped.attempts, 0)
      assert.deepInclude(stopped.decision, { verdict: "never", reason: "stopped" })
    }).pipe(Effect.provide(campaigns({ people: Roster.layerOf(people(10), stops), history })))
  }, start)

  virtualTest("resumes a stop file after its store failed", () => {
    let failures = 2
    const stops: Array<PhoneNumber> = []
    const spoil = Layer.effect(
      ContactStore,
      Effect.map(ContactStore, (store) => ({
        ...store,
        setStopCursor: (...args: Parameters<typeof store.setStopCursor>) =>
          Effect.suspend(() =>
            args[1].row > 600 && failures-- > 0 ? Effect.die("the disk failed") : store.setStopCursor(...args)
          )
      }))
    )
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      const { campaign_id } = yield* created({ attempts_per_second: 0.1 })
      yield* BusinessTime.sleep("5 seconds")
      stops.push(...people(2_000).map((person) => person.user_phone_number).reverse())
      yield* (yield* CampaignSignals).cohortCompleted(campaign_id)
      yield* over(campaign_id)
      assert.isBelow(failures, 1)
      assert.deepStrictEqual(yield* (yield* ContactStore).counts(campaign_id), {
        waiting: 0,
        calling: 0,
        finished: 100
      })
      assert.strictEqual(history.length, 1)
    }).pipe(Effect.provide(campaigns({ people: Roster.layerOf(people(100), stops), spoil, history })))
  }, start)
})

const plan = FastCheck.record({
  callees: FastCheck.array(FastCheck.constantFrom<Callee>("answer", "busy", "no_answer", "provider_error"), {
    minLength: 10,
    maxLength: 10
  }),
  rate: FastCheck.constantFrom(0.1, 1, 20),
  lines: FastCheck.integer({ min: 1, max: 6 }),
  steps: FastCheck.array(
    FastCheck.record({
      after: FastCheck.integer({ min: 0, max: 120 }),
      arrive: FastCheck.integer({ min: 0, max: 15 }),
      stop: FastCheck.array(FastCheck.nat(40), { maxLength: 15 }),
      tell: FastCheck.boolean(),
      act: FastCheck.constantFrom<"pause" | "resume" | null>(null, "pause", "resume")
    }),
    { maxLength: 6 }
  )
})
type Plan = typeof plan extends FastCheck.Arbitrary<infer A> ? A : never

/** Runs the planned campaign to its end; returns all attempts and the moment from which each number was stopped. */
const rehearsed = (given: Plan) => {
  const history: Array<Attempt> = []
  const everyone = people(100)
  const roster = everyone.splice(0, 10)
  const stops: Array<PhoneNumber> = []
  const since = new Map<PhoneNumber, number>()
  const program = Effect.scoped(Effect.gen(function*() {
    const service = yield* Campaigns
    const bell = yield* CampaignSignals
    yield* running
    const { campaign_id } = yield* created({
      attempts_per_second: given.rate,
      retry_config: { max_retries: 2, retry_interval_minutes: 1 }
    })
    for (const { act, after, arrive, stop, tell } of given.steps) {
      yield* BusinessTime.sleep(after * 1000)
      const now = yield* BusinessTime.now
      if ((yield* service.get(scope, campaign_id)).status === "ended") break
      roster.push(...everyone.splice(0, arrive))
      for (const number of stop.map(numberOf)) {
        stops.push(number)
        since.set(number, Math.min(now, since.get(number) ?? now))
      }
      if (tell) yield* bell.cohortCompleted(campaign_id)
      if (act !== null) yield* Effect.ignore(service.act(scope, campaign_id, act, "demo"))
    }
    yield* Effect.ignore(service.act(scope, campaign_id, "resume", "demo"))
    yield* bell.cohortCompleted(campaign_id)
    const campaign = yield* over(campaign_id)
    const store = yield* ContactStore
    const contacts = yield* Effect.forEach(roster, (one) => store.find(campaign_id, one.user_phone_number))
    return { campaign, contacts: contacts.map(Option.getOrThrow), counts: yield* store.counts(campaign_id) }
  })).pipe(Effect.provide(campaigns({
    people: Roster.layerOf(roster, stops),
    history,
    maxConcurrentCalls: given.lines,
    simulator: { rules: given.callees.map((who, digit) => ({ suffix: String(digit), callee: who })) }
  })))
  return Effect.map(VirtualClock.run(program, start), (ended) => ({ ...ended, history, since }))
}

describe("any campaign with stop files", () => {
  it("dials no number after its stop file completes, dials all others, and ends", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(plan, async (given) => {
        const { campaign, contacts, counts, history, since } = await Effect.runPromise(rehearsed(given))
        assert.isBelow(campaign.updated_at.epochMillis, campaign.end_timestamp.epochMillis, "ends by itself")
        assert.deepStrictEqual(counts, { waiting: 0, calling: 0, finished: contacts.length })
        for (const attempt of history) {
          const stoppedAt = since.get(personOf(attempt)) ?? Infinity
          assert.isAtMost(attempt.attempted_at, stoppedAt, "dialled though stopped")
          const { finished_at = 0, next_action_status = null } = attempt.result ?? {}
          assert.isTrue(next_action_status === null || finished_at <= stoppedAt, "promised though stopped")
        }
        for (const { attempts, decision, user_phone_number } of contacts) {
          const stopped = decision.reason === "stopped"
          const theirs = history.filter((attempt) => personOf(attempt) === user_phone_number)
          assert.strictEqual(theirs.length, attempts)
          assert.isTrue(stopped ? since.has(user_phone_number) : attempts > 0, "why finished")
          const promises = theirs.map(({ result }) => result?.next_action_status !== null)
          assert.isTrue(promises.slice(0, -1).every((promised) => promised), "called again without a promise")
          if (!stopped) assert.isFalse(promises.at(-1), "a promise not kept")
        }
      }),
      { numRuns: propertyRuns(20), seed: 20240520 }
    )
  })
})
