import { assert, describe } from "@effect/vitest"
import { BusinessTime, FaultPoints, Transactions } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { type Attempt, AttemptStore, CallSlots, LiveCalls } from "@trunkline/telephony"
import { Effect, Fiber, Layer } from "effect"
import { campaignFaults, CampaignRunner, Campaigns, ContactStore, DialQueue, Roster } from "../../src/index.js"
import { campaignBody, campaigns, mondayMorning, numberOf, over, people, scope } from "../Fixtures.js"

const start = { start: mondayMorning }
const running = Effect.flatMap(CampaignRunner, (runner) => Effect.forkScoped(runner.run))
const created = (config: Record<string, unknown> = {}) =>
  Effect.flatMap(Campaigns, (service) => service.create(scope, campaignBody({}, config), "demo"))
const moments = (history: ReadonlyArray<Attempt>) =>
  history.map(({ attempted_at }) => attempted_at - mondayMorning).toSorted((a, b) => a - b)

/** Transactions that take this long to commit. */
const slow = (millis: () => number) =>
  Layer.effect(
    Transactions,
    Effect.map(Transactions, (transactions) => ({
      ...transactions,
      run: (effect) => Effect.tap(transactions.run(effect), () => BusinessTime.sleep(millis())),
      runGuarded: (effect) => Effect.tap(transactions.runGuarded(effect), () => BusinessTime.sleep(millis()))
    }))
  )

const mostInSecond = (sorted: ReadonlyArray<number>) =>
  Math.max(...sorted.map((from) => sorted.filter((at) => at >= from && at < from + 1000).length))

describe("Dialler", () => {
  virtualTest("claims all contacts that the rate allows at once, and keeps the rate on a slow store", () => {
    const history: Array<Attempt> = []
    const sizes: Array<number> = []
    const spoil = Layer.merge(
      slow(() => 12),
      Layer.effect(
        DialQueue,
        Effect.map(DialQueue, (store) => ({
          ...store,
          claimMany: (all: Parameters<typeof store.claimMany>[0]) =>
            Effect.tap(
              store.claimMany(all),
              () => Effect.sync(() => sizes.push(...all.map(({ claims }) => claims.length)))
            )
        }))
      )
    )
    return Effect.gen(function*() {
      yield* running
      const { campaign_id } = yield* created({ attempts_per_second: 250 })
      yield* over(campaign_id)
      const dialled = moments(history)
      const [first = 0, last = 0] = [dialled[0], dialled.at(-1)]
      assert.isAtLeast(Math.max(...sizes), 3)
      assert.closeTo((last - first) / 1000, 600 / 250, 0.2)
      assert.isAtMost(mostInSecond(dialled), 251)
    }).pipe(Effect.provide(campaigns({
      people: 600,
      history,
      spoil,
      lines: 2_000,
      simulator: { default: "invalid" }
    })))
  }, start)

  virtualTest("keeps the rate across a restart", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      const { campaign_id } = yield* created({ attempts_per_second: 4 })
      const runner = yield* CampaignRunner
      for (const millis of [1_600, 300, 900, 100, 2_000]) {
        const process = yield* Effect.fork(runner.run)
        yield* BusinessTime.sleep(millis)
        yield* Fiber.interrupt(process)
      }
      yield* running
      yield* over(campaign_id)
      assert.strictEqual(history.length, 60)
      assert.isAtMost(mostInSecond(moments(history)), 5)
    }).pipe(Effect.provide(campaigns({ people: 60, history, simulator: { default: "invalid" } })))
  }, start)

  virtualTest("releases contacts when it is too late to dial them", () => {
    const history: Array<Attempt> = []
    let withdrawn = 0
    const counting = Layer.effect(
      AttemptStore,
      Effect.map(AttemptStore, (store) => ({
        ...store,
        withdraw: (...args: Parameters<typeof store.withdraw>) =>
          Effect.tap(store.withdraw(...args), (did) => Effect.sync(() => withdrawn += did ? 1 : 0))
      }))
    )
    return Effect.gen(function*() {
      yield* created({ attempts_per_second: 1 })
      yield* running
      yield* BusinessTime.sleep("1 hour")
      assert.strictEqual(withdrawn, 1)
      const shut = Date.parse("2024-05-20T12:30:00Z")
      assert.isTrue(history.every(({ attempted_at }) => attempted_at < shut))
      assert.isBelow(history.length, 20)
      assert.strictEqual(yield* (yield* LiveCalls).count, 0)
      assert.strictEqual(yield* (yield* CallSlots).inUse(scope), 0)
      assert.isEmpty(yield* (yield* AttemptStore).unfinished)
      yield* BusinessTime.sleep("1 day")
      assert.strictEqual(history.length, 20)
      assert.isTrue(history.every(({ retry_attempt }) => retry_attempt === 0))
    }).pipe(Effect.provide(campaigns({ people: 20, history, spoil: Layer.merge(slow(() => 1_500), counting) })))
  }, { start: Date.parse("2024-05-20T12:29:50Z") })

  virtualTest("loses neither a line nor a contact when a claim fails to commit", () => {
    const history: Array<Attempt> = []
    let failures = 3
    const spoil = Layer.effect(
      AttemptStore,
      Effect.map(AttemptStore, (store) => ({
        ...store,
        insertMany: (attempts: ReadonlyArray<Attempt>) =>
          Effect.suspend(() => failures-- > 0 ? Effect.die("the disk failed") : store.insertMany(attempts))
      }))
    )
    return Effect.gen(function*() {
      yield* running
      const { campaign_id } = yield* created()
      yield* over(campaign_id)
      assert.isBelow(failures, 0)
      assert.strictEqual(history.length, 5)
      assert.isTrue(history.every(({ retry_attempt }) => retry_attempt === 0))
      assert.strictEqual(yield* (yield* CallSlots).inUse(scope), 0)
    }).pipe(Effect.provide(campaigns({ people: 5, history, spoil })))
  }, start)

  virtualTest("releases committed claims when no further calls may start", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* (yield* LiveCalls).close
      yield* running
      const { campaign_id } = yield* created()
      yield* BusinessTime.sleep("10 seconds")
      assert.isEmpty(history)
      assert.deepStrictEqual(yield* (yield* ContactStore).counts(campaign_id), { waiting: 3, calling: 0, finished: 0 })
      assert.isEmpty(yield* (yield* AttemptStore).unfinished)
      assert.strictEqual(yield* (yield* CallSlots).inUse(scope), 0)
    }).pipe(Effect.provide(campaigns({ people: 3, history })))
  }, start)

  virtualTest("dials a number once when two cohorts list it", () => {
    const history: Array<Attempt> = []
    const twice = [...people(3), ...people(5)]
    return Effect.gen(function*() {
      yield* running
      const { campaign_id } = yield* created()
      yield* over(campaign_id)
      assert.deepStrictEqual(
        history.map((attempt) => attempt.user_phone_number).toSorted(),
        [0, 1, 2, 3, 4].map(numberOf)
      )
    }).pipe(Effect.provide(campaigns({ people: Roster.layerOf(twice), history })))
  }, start)

  virtualTest("passes each fault point right after the step it is named after", () => {
    const struck: Array<string> = []
    const faults = Layer.succeed(FaultPoints, {
      after: (point) => (effect) => Effect.tap(effect, () => Effect.sync(() => struck.push(point)))
    })
    return Effect.gen(function*() {
      const live = yield* LiveCalls
      yield* running
      const { campaign_id } = yield* created({ attempts_per_second: 0.1 })
      yield* BusinessTime.sleep("5 seconds")
      const ours = () => struck.filter((point) => campaignFaults.some((name) => name === point))
      assert.deepStrictEqual(ours(), ["enrol.kept", "claim.kept", "finish.kept"])
      yield* live.close
      yield* BusinessTime.sleep("10 seconds")
      assert.deepStrictEqual(ours().slice(3), ["claim.kept", "withdraw.kept"])
      yield* (yield* Campaigns).act(scope, campaign_id, "cancel", "demo")
    }).pipe(Effect.provide(Layer.provide(campaigns({ people: 3, simulator: { default: "invalid" } }), faults)))
  }, start)

  virtualTest("shares scarce lines evenly between campaigns", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      const first = yield* created({ attempts_per_second: 50 })
      const second = yield* created({ attempts_per_second: 50 })
      yield* BusinessTime.sleep("10 minutes")
      const of = (id: string) => history.filter((attempt) => attempt.campaign_id === id).length
      const [one, two] = [of(first.campaign_id), of(second.campaign_id)]
      assert.isAtLeast(Math.min(one, two), 20)
      assert.isAtMost(Math.abs(one - two), 6)
    }).pipe(Effect.provide(campaigns({
      people: 1_000,
      history,
      maxConcurrentCalls: 4,
      simulator: { default: "no_answer" }
    })))
  }, start)
})
