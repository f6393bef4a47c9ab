import { assert, describe } from "@effect/vitest"
import { type ContactCounts, ContactStore } from "@trunkline/campaigns"
import { BusinessTime, type CampaignId, PhoneNumber } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { HttpSender } from "@trunkline/webhooks"
import { Effect, Layer, Option, Schema } from "effect"
import { Engine, memoryParts } from "../src/index.js"
import { agents, campaignBody, connections, mondayMorning, over, scope, upload } from "./Fixtures.js"
import { completeStopFile } from "./StopFixtures.js"

const Posted = Schema.Struct({
  user_identifier: Schema.String,
  retry_attempt: Schema.Int,
  next_action_status: Schema.NullOr(Schema.String),
  executed_at: Schema.String,
  cohort_id: Schema.String
})
type Posted = typeof Posted.Type

/** Numbers that end in 1 are busy, those that end in 2 do not answer. */
const simulator = { rules: [{ suffix: "1", callee: "busy" }, { suffix: "2", callee: "no_answer" }] } as const
const options = { agents, connections, simulator, maxConcurrentCalls: 50 }

/** Parts of an engine in memory that collects its webhooks in a list, in the order in which calls end. */
const partsOf = (posted: Array<Posted>) =>
  Layer.merge(
    memoryParts(options),
    HttpSender.layerOf(({ body }) =>
      Effect.sync(() => {
        posted.push(Schema.decodeUnknownSync(Posted)(JSON.parse(new TextDecoder().decode(body))))
        return { status: 200, headers: {} }
      })
    )
  )
const engine = (posted: Array<Posted>) => Engine.layer(options).pipe(Layer.provideMerge(partsOf(posted)))

/** A minute before the window closes. */
const mondayEvening = Date.parse("2024-05-20T12:29:00Z")

const phone = (index: number) => PhoneNumber.make(`+919876${500_000 + index}`)
const csv = (indexes: ReadonlyArray<number>) =>
  `id,name,mobile\n${indexes.map((index) => `${index},Someone,${phone(index)}\n`).join("")}`
/** Numbers that end in 0, whose callees answer. */
const tens = (count: number) => Array.from({ length: count }, (_, index) => index * 10)

const create = (config: Record<string, unknown> = {}) =>
  Effect.gen(function*() {
    const { campaigns } = yield* Engine
    const webhook_config = { url: "https://example.com/hook" }
    const body = campaignBody({ attempts_per_second: 0.5, webhook_config, ...config })
    const { campaign_id } = yield* campaigns.create(scope, body, "demo")
    return { campaign_id, owner: { kind: "campaign", id: campaign_id } as const }
  })

const act = (id: CampaignId, action: "pause" | "resume") =>
  Effect.flatMap(Engine, ({ campaigns }) => campaigns.act(scope, id, action, "demo"))
const statusOf = (id: CampaignId) =>
  Effect.flatMap(Engine, ({ campaigns }) => Effect.map(campaigns.get(scope, id), ({ status }) => status))
const countsOf = (id: CampaignId) => Effect.flatMap(ContactStore, (store) => store.counts(id))
const reasonOf = (id: CampaignId, index: number) =>
  Effect.flatMap(
    ContactStore,
    (store) => Effect.map(store.find(id, phone(index)), Option.map(({ decision }) => decision.reason))
  )
const isFinished = ({ calling, waiting }: ContactCounts) => waiting + calling === 0
const momentOf = ({ executed_at }: Posted) => Date.parse(executed_at)
const inOrder = (posted: ReadonlyArray<Posted>) => posted.toSorted((a, b) => momentOf(a) - momentOf(b))
/** Called contacts, in the order of dialling. */
const called = (posted: ReadonlyArray<Posted>) => inOrder(posted).map(({ user_identifier }) => Number(user_identifier))
const tick = BusinessTime.sleep("1 milli")

describe("a stop file", () => {
  virtualTest("added to an active campaign removes waiting contacts at once, and no others", () => {
    const posted: Array<Posted> = []
    return Effect.gen(function*() {
      const { campaign_id, owner } = yield* create()
      const everyone = tens(40)
      yield* upload(owner, csv(everyone))
      yield* BusinessTime.sleep("19 seconds")
      const stopped = everyone.filter((index) => index % 20 === 0)
      yield* upload(owner, csv([...stopped, 7, 8, 9]), "stop_file")
      yield* tick
      const stoppedAt = yield* BusinessTime.now
      const { waiting } = yield* countsOf(campaign_id)
      yield* over(campaign_id)
      const before = called(posted.filter((call) => momentOf(call) < stoppedAt))
      const expected = everyone.filter((index) => before.includes(index) || !stopped.includes(index))
      assert.deepStrictEqual(called(posted), expected)
      assert.strictEqual(waiting, expected.length - before.length)
      assert.deepStrictEqual(
        inOrder(posted).map(momentOf),
        expected.map((_, place) => mondayMorning + 2_000 * place)
      )
      assert.deepStrictEqual(yield* reasonOf(campaign_id, 380), Option.some("stopped"))
      assert.deepStrictEqual(yield* reasonOf(campaign_id, 390), Option.some("done"))
      assert.deepStrictEqual(yield* reasonOf(campaign_id, 0), Option.some("done"))
    }).pipe(Effect.provide(engine(posted)))
  }, { start: mondayMorning })

  virtualTest("added before any cohort applies to every later cohort", () => {
    const posted: Array<Posted> = []
    return Effect.gen(function*() {
      const { campaign_id, owner } = yield* create()
      yield* upload(owner, csv([0, 10, 50]), "stop_file")
      yield* BusinessTime.sleep("1 minute")
      assert.strictEqual(yield* statusOf(campaign_id), "active")
      yield* upload(owner, csv(tens(4)))
      yield* tick
      const { finished } = yield* countsOf(campaign_id)
      assert.strictEqual(finished, 2)
      yield* upload(owner, csv(tens(7)))
      yield* over(campaign_id)
      assert.deepStrictEqual(called(posted), [20, 30, 40, 60])
      assert.deepStrictEqual(yield* countsOf(campaign_id), { waiting: 0, calling: 0, finished: 7 })
      assert.deepStrictEqual(yield* reasonOf(campaign_id, 50), Option.some("stopped"))
    }).pipe(Effect.provide(engine(posted)))
  }, { start: mondayMorning })

  virtualTest("with every contact ends the campaign", () => {
    const posted: Array<Posted> = []
    return Effect.gen(function*() {
      const { campaign_id, owner } = yield* create()
      yield* upload(owner, csv(tens(1_200)))
      yield* BusinessTime.sleep("3 seconds")
      yield* upload(owner, csv(tens(1_200)), "stop_file")
      const stoppedAt = yield* BusinessTime.now
      yield* BusinessTime.sleep("10 minutes")
      assert.strictEqual(yield* statusOf(campaign_id), "ended")
      assert.isTrue(posted.every((call) => momentOf(call) <= stoppedAt))
      assert.deepStrictEqual(yield* countsOf(campaign_id), { waiting: 0, calling: 0, finished: 1_200 })
    }).pipe(Effect.provide(engine(posted)))
  }, { start: mondayMorning })

  virtualTest("ends a campaign outside of its window", () => {
    const posted: Array<Posted> = []
    return Effect.gen(function*() {
      const { campaign_id, owner } = yield* create({ attempts_per_second: 0.1 })
      yield* upload(owner, csv(tens(400)))
      yield* BusinessTime.sleep("2 minutes")
      assert.deepInclude(yield* countsOf(campaign_id), { calling: 0 })
      yield* upload(owner, csv(tens(400)), "stop_file")
      yield* tick
      assert.isTrue(isFinished(yield* countsOf(campaign_id)))
      assert.strictEqual(yield* statusOf(campaign_id), "ended")
      assert.strictEqual(posted.length, 6)
    }).pipe(Effect.provide(engine(posted)))
  }, { start: mondayEvening })

  virtualTest("added during a pause applies before the campaign resumes", () => {
    const posted: Array<Posted> = []
    return Effect.gen(function*() {
      const { campaign_id, owner } = yield* create()
      yield* upload(owner, csv(tens(10)))
      yield* BusinessTime.sleep("3 seconds")
      yield* act(campaign_id, "pause")
      yield* BusinessTime.sleep("10 minutes")
      yield* upload(owner, csv(tens(9)), "stop_file")
      yield* tick
      assert.deepStrictEqual(yield* countsOf(campaign_id), { waiting: 1, calling: 0, finished: 9 })
      assert.strictEqual(yield* statusOf(campaign_id), "paused")
      yield* act(campaign_id, "resume")
      yield* over(campaign_id)
      assert.deepStrictEqual(called(posted), [0, 10, 90])
    }).pipe(Effect.provide(engine(posted)))
  }, { start: mondayMorning })

  virtualTest("lets calls in progress finish, and cancels pending retries", () => {
    const posted: Array<Posted> = []
    const retry_config = { max_retries: 3, retry_interval_minutes: 5 }
    return Effect.gen(function*() {
      const { campaign_id, owner } = yield* create({ attempts_per_second: 100, retry_config })
      yield* upload(owner, csv([1, 2, 11, 12]))
      yield* BusinessTime.sleep("15 seconds")
      assert.deepStrictEqual(yield* countsOf(campaign_id), { waiting: 2, calling: 2, finished: 0 })
      yield* upload(owner, csv([1, 2]), "stop_file")
      yield* tick
      assert.deepStrictEqual(yield* countsOf(campaign_id), { waiting: 1, calling: 2, finished: 1 })
      yield* over(campaign_id)
      const nextOf = (id: string) =>
        posted.filter(({ user_identifier }) => user_identifier === id).map(({ next_action_status }) =>
          next_action_status
        )
      assert.deepStrictEqual(nextOf("1"), ["retry"])
      assert.deepStrictEqual(nextOf("2"), [null])
      assert.deepStrictEqual(nextOf("11"), ["retry", "retry", "retry", null])
      assert.deepStrictEqual(nextOf("12"), ["retry", "retry", "retry", null])
      assert.deepStrictEqual(yield* reasonOf(campaign_id, 1), Option.some("stopped"))
      assert.deepStrictEqual(yield* reasonOf(campaign_id, 2), Option.some("stopped"))
    }).pipe(Effect.provide(engine(posted)))
  }, { start: mondayMorning })

  virtualTest("completed during a crash applies before the next dial", () => {
    const posted: Array<Posted> = []
    return Effect.scoped(Effect.gen(function*() {
      const kept = yield* Layer.build(partsOf(posted))
      const running = <A, E>(during: Effect.Effect<A, E, Engine>) =>
        Effect.provide(during, Layer.provide(Engine.layer(options), Layer.succeedContext(kept)))
      const { campaign_id } = yield* running(Effect.gen(function*() {
        const made = yield* create()
        yield* upload(made.owner, csv(tens(150)))
        yield* BusinessTime.sleep("10 minutes")
        return made
      }))
      const before = called(posted)
      assert.isNotEmpty(before)
      yield* completeStopFile(campaign_id, tens(149).map(phone)).pipe(Effect.provide(kept))
      yield* running(over(campaign_id))
      assert.deepStrictEqual(called(posted), [...before, 1_490])
      assert.deepStrictEqual(yield* Effect.provide(countsOf(campaign_id), kept), {
        waiting: 0,
        calling: 0,
        finished: 150
      })
    }))
  }, { start: mondayEvening })
})

describe("a number in two cohorts of a campaign", () => {
  virtualTest("is dialled once, also when the second cohort is added to an active campaign", () => {
    const posted: Array<Posted> = []
    return Effect.gen(function*() {
      const { campaign_id, owner } = yield* create()
      const first = yield* upload(owner, csv([0, 10, 20, 30]))
      yield* BusinessTime.sleep("3 seconds")
      const second = yield* upload(owner, csv([10, 30, 40]))
      yield* over(campaign_id)
      assert.deepStrictEqual(inOrder(posted).map(({ cohort_id, user_identifier }) => [user_identifier, cohort_id]), [
        ...["0", "10", "20", "30"].map((index) => [index, first.cohort_id]),
        ["40", second.cohort_id]
      ])
    }).pipe(Effect.provide(engine(posted)))
  }, { start: mondayMorning })
})
