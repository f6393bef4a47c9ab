import { assert, describe } from "@effect/vitest"
import { Bus, BusinessTime, CampaignId, makeMemoryBus } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { type Attempt, CallSlots } from "@trunkline/telephony"
import { Context, Effect, Either, Layer, Queue, Schema } from "effect"
import { CampaignAction, CampaignRunner, Campaigns, ContactStore, RingingCalls } from "../src/index.js"
import { campaignBody, campaigns, mondayMorning, scope } from "./Fixtures.js"

const start = { start: mondayMorning }

/** Three phones ring; then a campaign without retries is paused or cancelled. */
const stopped = (action: "pause" | "cancel", cancelRinging: boolean, history: ReadonlyArray<Attempt>) =>
  Effect.gen(function*() {
    yield* Effect.forkScoped((yield* CampaignRunner).run)
    const service = yield* Campaigns
    const { campaign_id } = yield* service.create(scope, campaignBody({}, { attempts_per_second: 1 }), "demo")
    yield* BusinessTime.sleep("10 seconds")
    assert.strictEqual(yield* (yield* CallSlots).inUse(scope), 3)
    yield* service.act(scope, campaign_id, action, "demo", { cancelRinging })
    yield* BusinessTime.sleep("1 second")
    return {
      campaign_id,
      service,
      inUse: yield* (yield* CallSlots).inUse(scope),
      counts: yield* (yield* ContactStore).counts(campaign_id),
      ended: history.map(({ result }) => [
        result?.completion_status,
        result?.connectivity_status,
        result?.failure_reason,
        result?.next_action_status
      ])
    }
  })

const ringing = { people: 3, simulator: { default: "no_answer" as const } }
const thrice = <A>(value: A) => [value, value, value]

describe("a campaign that is stopped while phones ring", () => {
  virtualTest("stops ringing when it is asked to, and its contacts wait as before", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      const { campaign_id, counts, ended, inUse, service } = yield* stopped("pause", true, history)
      assert.deepStrictEqual(ended, thrice(["failed", "no_answer", "cancelled: the campaign was paused", "retry"]))
      assert.deepStrictEqual(counts, { waiting: 3, calling: 0, finished: 0 })
      assert.strictEqual(inUse, 0)
      yield* BusinessTime.sleep("10 minutes")
      assert.lengthOf(history, 3)
      yield* service.act(scope, campaign_id, "resume", "demo")
      yield* BusinessTime.sleep("2 minutes")
      assert.deepStrictEqual(
        history.slice(3).map(({ result, retry_attempt }) => [retry_attempt, result?.failure_reason]),
        thrice([1, null])
      )
      assert.deepStrictEqual(yield* (yield* ContactStore).counts(campaign_id), { waiting: 0, calling: 0, finished: 3 })
    }).pipe(Effect.provide(campaigns({ ...ringing, history })))
  }, start)

  virtualTest("goes on to ring otherwise", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      const { counts, ended, inUse } = yield* stopped("pause", false, history)
      assert.deepStrictEqual([ended, inUse, counts.calling], [[], 3, 3])
    }).pipe(Effect.provide(campaigns({ ...ringing, history })))
  }, start)

  virtualTest("is over with its contacts when it is cancelled", () => {
    const history: Array<Attempt> = []
    return Effect.gen(function*() {
      const { counts, ended } = yield* stopped("cancel", true, history)
      assert.deepStrictEqual(ended, thrice(["failed", "no_answer", "cancelled: the campaign was cancelled", null]))
      assert.deepStrictEqual(counts, { waiting: 0, calling: 0, finished: 3 })
    }).pipe(Effect.provide(campaigns({ ...ringing, history })))
  }, start)
})

describe("ringing calls of several processes", () => {
  virtualTest("are called off together, but for those that are claimed afterwards", () =>
    Effect.gen(function*() {
      const join = yield* makeMemoryBus
      const ringingIn = Effect.flatMap(join, (bus) =>
        Effect.map(
          Layer.build(RingingCalls.layer.pipe(Layer.provide(Layer.succeed(Bus, bus)))),
          (built) => Context.get(built, RingingCalls)
        ))
      const [here, there] = [yield* ringingIn, yield* ringingIn]
      const campaign = CampaignId.make("camp-000000000001")
      const claimedAt = yield* BusinessTime.now
      const heard: Array<string> = []
      there.onCallOff(campaign, claimedAt)((reason) => heard.push(reason))
      there.onCallOff(campaign, claimedAt)((reason) => heard.push(reason))()
      yield* here.cancel(campaign, "cancel")
      yield* Effect.repeatN(Effect.yieldNow(), 10)
      assert.deepStrictEqual(heard, ["cancelled: the campaign was cancelled"], "the one that is still listened to")
      there.onCallOff(campaign, claimedAt)((reason) => heard.push(reason))
      assert.strictEqual(heard.length, 2, "at once")
      there.onCallOff(campaign, claimedAt + 1)((reason) => heard.push(reason))
      yield* BusinessTime.sleep("1 minute")
      assert.strictEqual(heard.length, 2)
    }))
})

describe("ringing calls of another process", () => {
  virtualTest("go on where a cancellation comes late, and they were claimed after it", () =>
    Effect.gen(function*() {
      const campaign = CampaignId.make("camp-000000000001")
      const hints = yield* Queue.unbounded<string>()
      const bus = { isShared: true, publish: () => Effect.void, subscribe: () => Effect.succeed(Queue.take(hints)) }
      const ringing = Context.get(
        yield* Layer.build(RingingCalls.layer.pipe(Layer.provide(Layer.succeed(Bus, bus)))),
        RingingCalls
      )
      const pausedAt = yield* BusinessTime.now
      const heard: Array<number> = []
      for (const after of [0, 6]) ringing.onCallOff(campaign, pausedAt + after)(() => heard.push(after))
      yield* BusinessTime.sleep(8)
      yield* Queue.offerAll(hints, [`pause ${campaign} ${pausedAt}`, `pause ${campaign} ${pausedAt}`])
      yield* BusinessTime.sleep(1)
      assert.deepStrictEqual(heard, [0])
      ringing.onCallOff(campaign, pausedAt + 7)(() => heard.push(7))
      assert.deepStrictEqual(heard, [0], "the moment of the pause counts, not that of its hint")
    }))
})

describe("an action on a campaign", () => {
  const decode = Schema.decodeUnknownEither(CampaignAction)

  virtualTest("cancels ringing calls only when it stops the campaign", () =>
    Effect.sync(() => {
      assert.deepStrictEqual(decode({ action: "pause" }), Either.right({ action: "pause", cancel_ringing: false }))
      assert.isTrue(Either.isRight(decode({ action: "cancel", cancel_ringing: true })))
      assert.isTrue(Either.isLeft(decode({ action: "resume", cancel_ringing: true })))
    }))
})
