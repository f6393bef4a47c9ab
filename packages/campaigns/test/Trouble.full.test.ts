import { assert, describe } from "@effect/vitest"
import { BusinessTime, ConnectionId, Transactions } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import {
  type Attempt,
  AttemptStore,
  CallSlots,
  type Carrier,
  Carriers,
  Connections,
  DialFailed,
  LiveCalls
} from "@trunkline/telephony"
import { Effect, Layer, Option, Schema } from "effect"
import {
  CampaignProgress,
  CampaignRunner,
  Campaigns,
  CampaignSignals,
  CampaignStore,
  ContactStore,
  PatchCampaign,
  Roster
} from "../src/index.js"
import { campaignBody, campaigns, mondayMorning, over, people, scope } from "./Fixtures.js"

const start = { start: mondayMorning }
const running = Effect.flatMap(CampaignRunner, (runner) => Effect.forkScoped(runner.run))
const created = (body = campaignBody()) => Effect.flatMap(Campaigns, (service) => service.create(scope, body, "demo"))
const nothingLeft = { waiting: 0, calling: 0, finished: 3 }

/** A roster of two contacts; `looked` runs whenever the campaign checks that all are enrolled. */
const watchedRoster = (looked: () => Effect.Effect<unknown>) =>
  Layer.effect(
    Roster,
    Effect.map(Roster, (roster) => ({
      ...roster,
      next: (...[of, campaign, after, limit]: Parameters<typeof roster.next>) =>
        Effect.tap(
          roster.next(of, campaign, after, limit),
          (found) => limit === 1 && found.length === 0 ? looked() : Effect.void
        )
    }))
  ).pipe(Layer.provide(Roster.layerOf(people(2))))

describe("a campaign with failing parts", () => {
  virtualTest("is either paused or ended after a pause at its last moment, and ends at its end at the latest", () => {
    let pause: Effect.Effect<unknown> = Effect.void
    const roster = watchedRoster(() => Effect.forkDaemon(pause))
    return Effect.gen(function*() {
      yield* running
      const service = yield* Campaigns
      const { campaign_id } = yield* created()
      pause = Effect.ignore(service.act(scope, campaign_id, "pause", "demo"))
      yield* BusinessTime.sleep("8 days")
      assert.strictEqual((yield* service.get(scope, campaign_id)).status, "ended")
    }).pipe(Effect.provide(campaigns({ people: roster })))
  }, start)

  virtualTest("loses neither the call nor the contact when its store fails once while a call is accepted", () => {
    let failures = 1
    const spoil = Layer.effect(
      AttemptStore,
      Effect.map(AttemptStore, (store) => ({
        ...store,
        acceptMany: (...args: Parameters<typeof store.acceptMany>) =>
          Effect.suspend(() => failures-- > 0 ? Effect.die("the disk failed") : store.acceptMany(...args))
      }))
    )
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      const { campaign_id } = yield* created(campaignBody({}, { retry_config: {} }))
      yield* over(campaign_id)
      assert.deepStrictEqual(yield* (yield* ContactStore).counts(campaign_id), nothingLeft)
      assert.strictEqual(yield* (yield* LiveCalls).count, 0)
      assert.strictEqual(yield* (yield* CallSlots).inUse(scope), 0)
      const broken = history.filter((attempt) => attempt.result?.next_action_status === "internal_error_retry")
      assert.strictEqual(broken.length, 1)
      assert.strictEqual(history.length, 4)
    }).pipe(Effect.provide(campaigns({ people: 3, spoil, history })))
  }, start)

  virtualTest(
    "ends an attempt as unknown after ten seconds when its carrier neither takes nor finds the call",
    () => {
      const spoil = Layer.effect(
        Carriers,
        Effect.map(Carriers, ({ list }) => {
          const silent = list.map((carrier): Carrier => ({
            ...carrier,
            place: () => Effect.never,
            dedupe: () => ({ _tag: "None" })
          }))
          return { list: silent, find: () => Option.fromNullable(silent[0]) }
        })
      )
      const history: Array<Attempt> = []
      return Effect.gen(function*() {
        yield* running
        const { campaign_id } = yield* created(campaignBody({}, { retry_config: {} }))
        yield* over(campaign_id)
        assert.deepStrictEqual(yield* (yield* ContactStore).counts(campaign_id), nothingLeft)
        for (const { attempted_at, result } of history) {
          assert.strictEqual((result?.finished_at ?? 0) - attempted_at, 10_000)
          assert.isNull(result?.connectivity_status)
          assert.isNull(result?.next_action_status)
        }
      }).pipe(Effect.provide(campaigns({ people: 3, spoil, history })))
    },
    start
  )

  virtualTest("uses up no attempt of anybody while its line can send nothing, and says why it waits", () => {
    let isLate = true
    const spoil = Layer.effect(
      Carriers,
      Effect.map(Carriers, ({ list }) => {
        const late = list.map((carrier): Carrier => ({
          ...carrier,
          place: (plan) =>
            isLate ? new DialFailed({ certainty: "none", reason: "sip: overloaded" }) : carrier.place(plan)
        }))
        return { list: late, find: () => Option.fromNullable(late[0]) }
      })
    )
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      const { campaign_id } = yield* created(campaignBody({}, { retry_config: {} }))
      yield* BusinessTime.sleep("61 seconds")
      assert.deepStrictEqual(history, [])
      const { attempts, contacts, hold, lines } = yield* (yield* CampaignProgress).of(scope, campaign_id)
      assert.deepInclude(contacts, { waiting: 3, calling: 0, finished: 0 })
      assert.deepStrictEqual([attempts, hold], [0, "line_paused"])
      assert.strictEqual(lines[0]?.reason, "sip: overloaded")
      isLate = false
      yield* over(campaign_id)
      assert.deepStrictEqual(history.map(({ result }) => result?.connectivity_status), Array(3).fill("connected"))
    }).pipe(Effect.provide(campaigns({ people: 3, spoil, history, simulator: { default: "answer" } })))
  }, start)

  virtualTest("dials no contact after the window has closed when its store is slow", () => {
    const spoil = Layer.effect(
      Transactions,
      Effect.map(
        Transactions,
        (transactions) => ({
          ...transactions,
          run: (effect) => Effect.zipRight(BusinessTime.sleep("1 second"), transactions.run(effect)),
          runGuarded: (effect) => Effect.zipRight(BusinessTime.sleep("1 second"), transactions.runGuarded(effect))
        })
      )
    )
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* created()
      yield* running
      yield* BusinessTime.sleep("1 hour")
      assert.isAtMost(history.length, 2)
      assert.isTrue(history.every(({ attempted_at }) => attempted_at < Date.parse("2024-05-20T12:30:00Z")))
      yield* BusinessTime.sleep("1 day")
      assert.strictEqual(history.length, 3)
    }).pipe(Effect.provide(campaigns({ people: 3, spoil, history })))
  }, { start: Date.parse("2024-05-20T12:29:54Z") })

  virtualTest("dials on the first line that becomes free", () => {
    const both = [
      { connection_id: "sim-1", phone_numbers: ["+911140000001"] },
      { connection_id: "sim-2", phone_numbers: ["+911140000003"] }
    ]
    let meanwhile: Effect.Effect<void> = Effect.void
    const spoil = Layer.effect(
      Connections,
      Effect.map(Connections, ({ list, find }) => ({
        list,
        find: (...[owner, id]: Parameters<typeof find>) =>
          Effect.zipRight(Effect.suspend(() => id === "sim-2" ? meanwhile : Effect.void), find(owner, id))
      }))
    )
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      const slots = yield* CallSlots
      const lines = yield* Effect.forEach(
        both,
        ({ connection_id }) =>
          Effect.flatMap(Connections, ({ find }) => Effect.flatten(find(scope, ConnectionId.make(connection_id))))
      )
      const taken = yield* Effect.forEach(
        lines,
        (line) => Effect.replicateEffect(slots.take(scope, line, { _tag: "Single" }), 50)
      )
      yield* running
      const { campaign_id } = yield* created(campaignBody({}, { connection_configs: both }))
      yield* BusinessTime.sleep("1 minute")
      const release = taken[0]?.[0]?.release ?? Effect.die("there is a first line")
      meanwhile = Effect.suspend(() => {
        meanwhile = Effect.void
        return release
      })
      yield* (yield* CampaignSignals).notify(campaign_id)
      yield* over(campaign_id)
      assert.strictEqual(history.length, 3)
    }).pipe(Effect.provide(campaigns({ people: 3, spoil, history, maxConcurrentCalls: 200 })))
  }, start)

  virtualTest("shares its dials with a second line from the moment it is added", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      const service = yield* Campaigns
      const { campaign_id } = yield* created(campaignBody({}, { attempts_per_second: 10 }))
      yield* BusinessTime.sleep("10 seconds")
      yield* service.act(scope, campaign_id, "pause", "demo")
      yield* BusinessTime.sleep("5 minutes")
      const connection_configs = [
        { connection_id: "sim-1", phone_numbers: ["+911140000001"] },
        { connection_id: "sim-2", phone_numbers: ["+911140000003"] }
      ]
      const { app_config } = campaignBody({}, { attempts_per_second: 10, connection_configs })
      const body = Schema.decodeUnknownSync(PatchCampaign)({ app_config })
      yield* service.patch(scope, campaign_id, body, "demo")
      yield* service.act(scope, campaign_id, "resume", "demo")
      yield* over(campaign_id)
      const later = history.filter(({ attempted_at }) => attempted_at > mondayMorning + 60_000).slice(0, 40)
      assert.strictEqual(later.filter(({ connection_id }) => connection_id === "sim-2").length, 20)
    }).pipe(Effect.provide(campaigns({ people: 300, history })))
  }, start)

  virtualTest("continues when its store works again", () => {
    let failures = 3
    const spoil = Layer.effect(
      CampaignStore,
      Effect.map(CampaignStore, (store) => ({
        ...store,
        findOwnedMany: (...args: Parameters<typeof store.findOwnedMany>) =>
          Effect.suspend(() => failures-- > 0 ? Effect.die("the disk failed") : store.findOwnedMany(...args))
      }))
    )
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      yield* running
      const { campaign_id } = yield* created()
      yield* over(campaign_id)
      assert.strictEqual(history.length, 3)
    }).pipe(Effect.provide(campaigns({ people: 3, spoil, history })))
  }, start)
})
