import { assert, describe } from "@effect/vitest"
import { BusinessTime, type PhoneNumber } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { Attempt, BlockedNumbers, CallRegistry, Carriers, DialFailed } from "@trunkline/telephony"
import { Effect, Layer, Option } from "effect"
import { CampaignContacts, ContactStore, DailyCap, DialQueue } from "../../src/index.js"
import { campaigns, mondayMorning, numberOf, over, scope } from "../Fixtures.js"
import { created, running, start } from "./GatedFixtures.js"

const attemptsOf = (history: ReadonlyArray<Attempt>, index: number) =>
  history.filter((attempt) => attempt.user_phone_number === numberOf(index))

const block = (...numbers: ReadonlyArray<PhoneNumber>) =>
  Effect.flatMap(BlockedNumbers, (blocked) => blocked.add(scope, { phone_numbers: numbers, reason: null }, "demo"))

/** Carriers that record the numbers they dial. */
const watched = (dialled: Array<PhoneNumber>) =>
  Layer.effect(
    Carriers,
    Effect.map(Carriers, ({ list }) => {
      const watching = list.map((carrier) => ({
        ...carrier,
        place: (plan: Parameters<typeof carrier.place>[0]) =>
          Effect.zipRight(Effect.sync(() => dialled.push(plan.to)), carrier.place(plan))
      }))
      return Carriers.of({ list: watching, find: () => Option.fromNullable(watching[0]) })
    })
  )

describe("a blocked number", () => {
  virtualTest("gets a failed attempt without a dial and delays no other contact", () => {
    const history: Array<Attempt> = []
    const dialled: Array<PhoneNumber> = []
    return Effect.gen(function*() {
      yield* block(...[1, 3].map(numberOf))
      yield* running
      const { campaign_id } = yield* created({ attempts_per_second: 1, retry_config: {} })
      yield* over(campaign_id)
      assert.deepStrictEqual(dialled, [0, 2, 4].map(numberOf))
      const at = dialled.map((number) =>
        (history.find((attempt) => attempt.user_phone_number === number)?.attempted_at ?? 0) - mondayMorning
      )
      assert.deepStrictEqual(at, [0, 1000, 2000])
      for (const index of [1, 3]) {
        const [attempt, ...more] = attemptsOf(history, index)
        assert.isEmpty(more)
        assert.deepInclude(attempt, { state: "ended", provider_call_id: null, retry_attempt: 0 })
        assert.deepInclude(attempt?.result, {
          completion_status: "failed",
          connectivity_status: null,
          next_action_status: null,
          failure_reason: "blocked_number"
        })
      }
      const contact = yield* (yield* CampaignContacts).find(scope, campaign_id, numberOf(1))
      assert.deepInclude(contact, { state: "finished", attempts: 1 })
      assert.deepInclude(contact.decision, { verdict: "never", reason: "blocked_number" })
      const { contacts, outcomes } = yield* (yield* ContactStore).totals(campaign_id)
      assert.deepStrictEqual(contacts, { waiting: 0, calling: 0, finished: 5 })
      assert.deepInclude(outcomes, { blocked: 2, completed: 3 })
    }).pipe(Effect.provide(campaigns({ people: 5, history, spoil: watched(dialled) })))
  }, start)

  virtualTest("gets no retry when it is blocked during its call", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      const { campaign_id } = yield* created({ retry_config: {} })
      yield* BusinessTime.sleep("1 second")
      yield* block(numberOf(0))
      yield* over(campaign_id)
      const [attempt, ...more] = attemptsOf(history, 0)
      assert.isEmpty(more)
      assert.deepInclude(attempt?.result, { connectivity_status: "no_answer", next_action_status: null })
      const contact = yield* (yield* CampaignContacts).find(scope, campaign_id, numberOf(0))
      assert.strictEqual(contact.decision.reason, "blocked_number")
    }).pipe(Effect.provide(campaigns({ people: 1, history, simulator: { default: "no_answer" } })))
  }, start)
})

describe("a number of several campaigns", () => {
  virtualTest("is dialled at most as often per day as the cap allows, over all campaigns", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      const config = { retry_config: { max_retries: 3, retry_interval_minutes: 60 } }
      const { campaign_id } = yield* created(config)
      yield* BusinessTime.sleep("10 minutes")
      yield* created(config)
      yield* BusinessTime.sleep("3 hours")
      const store = yield* ContactStore
      const contact = Option.getOrThrow(yield* store.find(campaign_id, numberOf(0)))
      const tuesday = Date.parse("2024-05-21T03:30:00Z")
      assert.deepInclude(contact, { state: "waiting", due_at: tuesday })
      assert.deepInclude(contact.decision, { verdict: "not_before", reason: "daily_cap", not_before: tuesday })
      yield* over(campaign_id)
      const days = history.map(({ attempted_at }) => new Date(attempted_at).toISOString().slice(0, 10))
      assert.deepStrictEqual(days.toSorted().slice(0, 6), [
        "2024-05-20",
        "2024-05-20",
        "2024-05-21",
        "2024-05-21",
        "2024-05-22",
        "2024-05-22"
      ])
    }).pipe(
      Effect.provide(campaigns({ people: 1, history, simulator: { default: "busy" } })),
      Effect.provideService(DailyCap, 2)
    )
  }, start)

  virtualTest("is not dialled by a campaign while another one calls it", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      const first = yield* created()
      yield* BusinessTime.sleep("2 seconds")
      const second = yield* created()
      yield* BusinessTime.sleep("1 second")
      const contact = yield* (yield* CampaignContacts).find(scope, second.campaign_id, numberOf(0))
      assert.deepInclude(contact.decision, { verdict: "not_before", reason: "on_the_phone" })
      yield* over(first.campaign_id)
      yield* over(second.campaign_id)
      const [one, two] = history
      assert.strictEqual(history.length, 2)
      assert.isAtLeast(two?.attempted_at ?? 0, one?.result?.finished_at ?? Infinity)
      assert.isAtMost(two?.attempted_at ?? Infinity, (one?.result?.finished_at ?? 0) + 30_000)
    }).pipe(Effect.provide(campaigns({ people: 1, history, simulator: { default: "no_answer" } })))
  }, start)
})

describe("a number of campaigns that are due at once", () => {
  virtualTest("is dialled by one of them, though they claim in one transaction", () => {
    const together: Array<number> = []
    let isFirst = true
    // The first campaign finds nobody, and takes so long that the others claim together.
    const watched = Layer.effect(
      DialQueue,
      Effect.map(DialQueue, (store) => ({
        ...store,
        hold: (ids: Parameters<typeof store.hold>[0]) =>
          Effect.tap(store.hold(ids), () => Effect.sync(() => together.push(ids.length))),
        ready: (...args: Parameters<typeof store.ready>) =>
          Effect.suspend(() => {
            if (!isFirst) return store.ready(...args)
            isFirst = false
            return Effect.as(BusinessTime.sleep("20 millis"), [])
          })
      }))
    )
    return Effect.gen(function*() {
      const ids = yield* Effect.all([created(), created(), created()])
      yield* running
      yield* BusinessTime.sleep("100 millis")
      const contacts = yield* CampaignContacts
      const found = yield* Effect.forEach(ids, ({ campaign_id }) => contacts.find(scope, campaign_id, numberOf(0)))
      assert.deepStrictEqual(found.map(({ state }) => state).sort(), ["calling", "waiting", "waiting"])
      for (const { decision, state } of found) {
        if (state === "waiting") assert.strictEqual(decision.reason, "on_the_phone")
      }
      assert.isAtLeast(together[1] ?? 0, 2)
    }).pipe(Effect.provide(campaigns({ people: 1, spoil: watched, simulator: { default: "no_answer" } })))
  }, start)
})

describe("a contact that is in a call outside the campaign", () => {
  virtualTest("is called at most 30 seconds after the call", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      const carried = yield* CallRegistry
      yield* running
      const first = yield* created()
      yield* over(first.campaign_id)
      const [call] = history
      if (call === undefined) return assert.fail("a contact was called")
      const single = new Attempt({ ...call, kind: "outbound", campaign_id: null, cohort_id: null })
      yield* Effect.forkScoped(carried.track(single)(BusinessTime.sleep("100 seconds")))
      yield* BusinessTime.sleep("1 second")
      const before = yield* BusinessTime.now
      const { campaign_id } = yield* created()
      yield* over(campaign_id)
      assert.strictEqual(history.length, 2)
      assert.strictEqual((history[1]?.attempted_at ?? 0) - before, 120_000)
    }).pipe(Effect.provide(campaigns({ people: 1, history })))
  }, start)
})

describe("a line with mostly failing dials", () => {
  /** The first line of two fails until it is repaired. */
  const failing = (repaired: () => boolean) =>
    Layer.effect(
      Carriers,
      Effect.map(Carriers, ({ list }) => {
        const broken = list.map((carrier) => ({
          ...carrier,
          place: (plan: Parameters<typeof carrier.place>[0]) =>
            plan.connection.connection_id === "sim-1" && !repaired()
              ? Effect.fail(new DialFailed({ certainty: "provider", reason: "simulator: out of order" }))
              : carrier.place(plan)
        }))
        return Carriers.of({ list: broken, find: () => Option.fromNullable(broken[0]) })
      })
    )
  const both = [
    { connection_id: "sim-1", phone_numbers: ["+911140000001"] },
    { connection_id: "sim-2", phone_numbers: ["+911140000003"] }
  ]

  virtualTest("is paused while another line takes over", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      const { campaign_id } = yield* created({ connection_configs: both, attempts_per_second: 4 })
      yield* over(campaign_id)
      const failed = history.filter((attempt) => attempt.connection_id === "sim-1")
      assert.isAtLeast(failed.length, 20)
      assert.isAtMost(failed.length, 26)
      const gaps = history.map(({ attempted_at }) => attempted_at).toSorted((a, b) => a - b)
        .map((at, index, all) => at - (all[index - 1] ?? at))
      assert.isAtMost(Math.max(...gaps), 250)
      assert.strictEqual(history.length, 300)
    }).pipe(Effect.provide(campaigns({ people: 300, history, spoil: failing(() => false) })))
  }, start)

  virtualTest("holds the campaign when it is the only line, and is probed one call at a time", () => {
    const history: Array<Attempt> = []
    let repaired = false
    return Effect.gen(function*() {
      yield* running
      const { campaign_id } = yield* created({ attempts_per_second: 10 })
      yield* BusinessTime.sleep("20 seconds")
      assert.strictEqual(history.length, 20)
      const contact = yield* (yield* CampaignContacts).find(scope, campaign_id, numberOf(50))
      assert.deepInclude(contact.decision, { verdict: "not_before", reason: "line_paused" })
      yield* BusinessTime.sleep("60 seconds")
      assert.strictEqual(history.length, 21)
      repaired = true
      yield* over(campaign_id)
      assert.strictEqual(history.length, 100)
      const completed = history.filter(({ result }) => result?.connectivity_status === "connected")
      assert.strictEqual(completed.length, 79)
    }).pipe(Effect.provide(campaigns({ people: 100, history, spoil: failing(() => repaired) })))
  }, start)
})
