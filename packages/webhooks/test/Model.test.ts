import { assert, describe, it } from "@effect/vitest"
import { FaultPoints, OrgId, Scope, VirtualClock, WorkspaceId } from "@trunkline/kernel"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Outbox, RunningTries, SendFailed, WebhookDelivery, webhookFaultPoints } from "@trunkline/webhooks"
import {
  Array,
  Clock,
  Duration,
  Effect,
  Exit,
  FastCheck,
  Layer,
  Logger,
  Random,
  Schedule,
  Scope as Lifetime
} from "effect"
import { answer, body, enqueue, nudge, scope, type Sent, world } from "./World.js"

const quiet = Logger.remove(Logger.defaultLogger)

const other = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("other") })
const limits = { total: 12, perEndpoint: 3 }
const options = { limits, pollInterval: Duration.days(1) }

/** Behaviour of a receiver: duration and kind of its outage, and its response time. */
const receiver = FastCheck.record({
  downHours: FastCheck.constantFrom(0, 0, 1, 6, 30, 1_000),
  failure: FastCheck.constantFrom("status", "network", "hang", "gone"),
  flaky: FastCheck.constantFrom(0, 0.3),
  millis: FastCheck.constantFrom(0, 20, 3_000)
})

const plan = FastCheck.record({
  seed: FastCheck.integer(),
  receivers: FastCheck.array(receiver, { minLength: 1, maxLength: 4 }),
  webhooks: FastCheck.array(
    FastCheck.record({
      to: FastCheck.nat(),
      atMinutes: FastCheck.constantFrom(0, 0, 1, 60, 600),
      single: FastCheck.boolean(),
      elsewhere: FastCheck.boolean()
    }),
    { minLength: 1, maxLength: 40 }
  ),
  crashes: FastCheck.array(FastCheck.integer({ min: 1, max: 7_200 }), { maxLength: 4 }),
  faults: FastCheck.constantFrom(0, 0.05)
})

type Plan = typeof plan extends FastCheck.Arbitrary<infer A> ? A : never

const hour = 3_600_000

/** Delivers a plan for 40 days of simulated time with its crashes, and returns requests and results. */
const deliver = ({ crashes, faults, receivers, seed, webhooks }: Plan) => {
  const random = Random.make(seed)
  const running = new Map<string, number>()
  const most = new Map<string, number>()
  const requests: globalThis.Array<Sent & { readonly ok: boolean }> = []
  const respond = (one: Sent) => {
    const index = Number(new URL(one.url).pathname.slice(1))
    const { downHours, failure, flaky, millis } = receivers[index] ?? receivers[0] ?? none
    const key = one.url
    return Effect.gen(function*() {
      running.set(key, (running.get(key) ?? 0) + 1)
      most.set(key, Math.max(most.get(key) ?? 0, running.get(key) ?? 0))
      const isDown = one.at < downHours * hour || (yield* random.next) < flaky
      requests.push({ ...one, ok: !isDown })
      if (!isDown) return yield* Effect.delay(answer(200), millis)
      if (failure === "network") return yield* new SendFailed({ reason: "the connection was refused" })
      if (failure === "hang") {
        return yield* Effect.delay(new SendFailed({ reason: "the response timed out" }), "15 seconds")
      }
      return yield* Effect.delay(answer(failure === "gone" ? 410 : 500), millis)
    }).pipe(Effect.ensuring(Effect.sync(() => running.set(key, (running.get(key) ?? 1) - 1))))
  }
  const points = Layer.succeed(FaultPoints, {
    after: (point) => (effect) =>
      Effect.tap(
        effect,
        () =>
          Effect.flatMap(random.next, (drawn) =>
            drawn < faults && point !== "none" ? Effect.die(new Error(point)) : Effect.void)
      )
  })
  return Effect.gen(function*() {
    for (const [number, { atMinutes, elsewhere, single, to }] of webhooks.entries()) {
      const url = `https://r.example/${to % receivers.length}`
      yield* enqueue(number, {
        url,
        scope: elsewhere ? other : scope,
        ...(single ? { campaign_id: null } : {})
      }).pipe(Effect.zipRight(nudge), Effect.delay(`${atMinutes} minutes`), Effect.forkScoped)
    }
    const outbox = yield* Outbox
    for (const seconds of [...crashes.sort((a, b) => a - b), 40 * 86_400]) {
      const lifetime = yield* Lifetime.make()
      const process = yield* Layer.buildWithScope(WebhookDelivery.layer(options), lifetime)
      yield* Effect.forkIn(Effect.provide(Effect.flatMap(WebhookDelivery, ({ run }) => run), process), lifetime)
      yield* Effect.sleep(`${seconds} seconds`)
      yield* Lifetime.close(lifetime, Exit.void)
    }
    return {
      requests,
      most,
      counts: yield* Effect.forEach([scope, other], (of) => outbox.counts(of, null)),
      left: yield* outbox.claimDue({
        now: yield* Clock.currentTimeMillis,
        leaseMillis: 1,
        plan: new RunningTries(limits).plan()
      })
    }
  }).pipe(
    Effect.scoped,
    Effect.provide(Layer.provideMerge(world(respond, options), Layer.merge(points, quiet))),
    Effect.withRandom(Random.make(seed))
  )
}

const none = { downHours: 0, failure: "status", flaky: 0, millis: 0 }
const waits = [5, 300, 1_800, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * 3_600)].map((seconds) => seconds * 1_000)

describe("delivery to unreliable receivers through crashes", () => {
  it.live("loses nothing, and keeps to the schedule and its limits", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(plan, async (scenario) => {
          const { counts, left, most, requests } = await Effect.runPromise(VirtualClock.run(deliver(scenario)))
          assert.deepStrictEqual([left.rows, left.givenUp], [[], 0])
          const delivered = counts.reduce((sum, of) => sum + of.delivered, 0)
          assert.strictEqual(counts.reduce((sum, of) => sum + of.dead, delivered), scenario.webhooks.length)
          const byWebhook = Object.values(Array.groupBy(requests, ({ headers }) => headers["webhook-id"] ?? ""))
          assert.isAtMost(delivered, byWebhook.filter((tries) => tries.some(({ ok }) => ok)).length)
          for (const tries of byWebhook) {
            assert.isTrue(tries.every((one) => Buffer.compare(one.body, body) === 0))
            // A try that crashed repeats when its lease ends: sooner than the schedule, and beyond the tenth try.
            if (scenario.crashes.length + scenario.faults > 0) continue
            assert.isAtMost(tries.length, 10)
            tries.slice(1).forEach(({ at }, index) =>
              assert.isAtLeast(at - (tries[index]?.at ?? 0), waits[index] ?? Infinity)
            )
          }
          // Single calls and campaigns of two workspaces may share a URL.
          for (const count of most.values()) assert.isAtMost(count, 4 * limits.perEndpoint)
        }),
        { numRuns: propertyRuns(60) }
      )
    ))

  it.live("crashes at every fault point, and still delivers everything", () =>
    Effect.forEach(webhookFaultPoints, (point) => {
      let struck = 0
      const points = Layer.succeed(FaultPoints, {
        after: (name) => (effect) =>
          Effect.tap(effect, () => name === point && struck++ === 0 ? Effect.die(new Error(point)) : Effect.void)
      })
      return Effect.gen(function*() {
        yield* Effect.forEach([1, 2, 3], (number) => enqueue(number))
        const { run } = yield* WebhookDelivery
        yield* Effect.forkScoped(Effect.retry(Effect.sandbox(run), Schedule.forever))
        yield* Effect.sleep("5 minutes")
        assert.isAbove(struck, 0)
        assert.deepStrictEqual(yield* (yield* Outbox).counts(scope, null), { pending: 0, delivered: 3, dead: 0 })
      }).pipe(
        Effect.scoped,
        Effect.provide(Layer.provideMerge(world(() => answer(200)), Layer.merge(points, quiet))),
        VirtualClock.run
      )
    }))
})
