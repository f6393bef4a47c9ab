import { assert, describe, it } from "@effect/vitest"
import { OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import {
  DeliveriesPage,
  DeliveriesQuery,
  ResendWebhooks,
  RotateSecret,
  WebhookDeliveries,
  type WebhookOwner
} from "@trunkline/webhooks"
import { Effect, Either, Layer, Logger, Schema, TestClock } from "effect"
import {
  answer,
  attempt,
  campaign_id,
  counts,
  enqueue,
  nudge,
  Owners,
  scope,
  secretUrl,
  sentSoFar,
  startDelivery,
  world
} from "./World.js"

const campaign: WebhookOwner = { kind: "campaign", id: campaign_id }
const elsewhere = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("other") })

const open = Effect.map(
  Owners,
  ({ set }) => set(campaign, { config: { url: secretUrl, secret: "s3cret" }, isOver: false })
)

/** Encoded page for a query string. */
const list = (query: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function*() {
    const { list } = yield* WebhookDeliveries
    const page = yield* list(scope, campaign_id, yield* Schema.decode(DeliveriesQuery)(query))
    return yield* Schema.encode(DeliveriesPage)(page)
  })

const numbers = (page: typeof DeliveriesPage.Encoded) =>
  page.items.map(({ attempt_id }) => Number(attempt_id.slice(-12)))
const settled = Effect.zipRight(nudge, TestClock.adjust("1 second"))

describe("the deliveries of a campaign", () => {
  it.scoped("are listed with their status, without secrets and bodies", () =>
    Effect.gen(function*() {
      yield* open
      yield* TestClock.setTime(1_000_000)
      yield* enqueue(1)
      yield* enqueue(2, { now: 9_000_000 })
      yield* startDelivery
      yield* TestClock.adjust("2 seconds")
      const { cursors, items, limit } = yield* list()
      assert.deepStrictEqual([limit, cursors], [50, { after: null, before: null }])
      assert.deepStrictEqual(items, [
        {
          attempt_id: attempt(2),
          status: "pending",
          url: secretUrl,
          response_status: null,
          tries: 0,
          last_error: null,
          started_at: null,
          finished_at: null,
          next_try_at: "1970-01-01T02:30:00.000Z"
        },
        {
          attempt_id: attempt(1),
          status: "delivered",
          url: secretUrl,
          response_status: 204,
          tries: 1,
          last_error: null,
          started_at: "1970-01-01T00:16:40.000Z",
          finished_at: "1970-01-01T00:16:41.000Z",
          next_try_at: null
        }
      ])
      assert.notMatch(JSON.stringify(items), /s3cret|9876543210/)
    }).pipe(Effect.provide(world(() => Effect.delay(answer(204), "1 second")))))

  it.scoped("report a running try, the latest failure, and the next try", () =>
    Effect.gen(function*() {
      yield* open
      yield* enqueue(1)
      yield* startDelivery
      yield* TestClock.adjust("1 second")
      const [running] = (yield* list({ status: "running" })).items
      assert.deepInclude(running, { status: "running", tries: 1, next_try_at: null, finished_at: null })
      yield* TestClock.adjust("2 seconds")
      const [waiting] = (yield* list({ status: "pending" })).items
      assert.deepInclude(waiting, { response_status: 503, last_error: "HTTP 503", tries: 1 })
      assert.isAtLeast(Date.parse(waiting?.next_try_at ?? ""), 7_000)
    }).pipe(Effect.provide(world(() => Effect.delay(answer(503), "2 seconds")))))

  it.scoped("report a paused receiver and the end of the pause", () =>
    Effect.gen(function*() {
      yield* open
      yield* Effect.forEach(Array.from({ length: 12 }), (_, index) => enqueue(index))
      yield* startDelivery
      yield* TestClock.adjust("1 second")
      const untried = (yield* list()).items.filter(({ tries }) => tries === 0)
      assert.isNotEmpty(untried)
      for (const { last_error, next_try_at } of untried) {
        assert.strictEqual(next_try_at, "1970-01-01T00:00:30.000Z")
        assert.match(last_error ?? "", /^The receiver failed \d+ times in a row: from 1970-01-01T00:00:30.000Z on/)
      }
      const [failed] = (yield* list()).items.filter(({ tries }) => tries === 1)
      assert.match(failed?.last_error ?? "", /^HTTP 500; The receiver failed/)
    }).pipe(Effect.provide(Layer.merge(Logger.remove(Logger.defaultLogger), world(() => answer(500))))))

  it.scoped("report a disabled receiver", () =>
    Effect.gen(function*() {
      yield* open
      yield* enqueue(1)
      yield* startDelivery
      yield* TestClock.adjust("1 second")
      yield* enqueue(2)
      for (const { last_error, status } of (yield* list({ status: "failed" })).items) {
        assert.strictEqual(status, "failed")
        assert.match(last_error ?? "", /HTTP 410: it is disabled/)
      }
      assert.lengthOf((yield* list({ status: "failed" })).items, 2)
    }).pipe(Effect.provide(Layer.merge(Logger.remove(Logger.defaultLogger), world(() => answer(410))))))

  it.scoped("are paged in both directions, each webhook once, despite new ones", () =>
    Effect.gen(function*() {
      yield* open
      yield* Effect.forEach(Array.from({ length: 7 }), (_, index) => enqueue(index))
      const first = yield* list({ limit: "3" })
      assert.deepStrictEqual([numbers(first), first.cursors.before], [[6, 5, 4], null])
      yield* enqueue(7)
      const second = yield* list({ limit: "3", after: first.cursors.after ?? "" })
      const third = yield* list({ limit: "3", after: second.cursors.after ?? "" })
      assert.deepStrictEqual([numbers(second), numbers(third), third.cursors.after], [[3, 2, 1], [0], null])
      const back = yield* list({ limit: "3", before: third.cursors.before ?? "" })
      assert.deepStrictEqual(back, second)
      const start = yield* list({ limit: "3", before: back.cursors.before ?? "" })
      const newest = yield* list({ limit: "3", before: start.cursors.before ?? "" })
      assert.deepStrictEqual([numbers(start), numbers(newest), newest.cursors.before], [[6, 5, 4], [7], null])
    }).pipe(Effect.provide(world(() => answer(200)))))

  it.scoped("can be filtered by the end of the attempt", () =>
    Effect.gen(function*() {
      yield* open
      yield* Effect.forEach([10, 20, 30], (at) => enqueue(at))
      const at = (millis: number) => new Date(millis).toISOString()
      assert.deepStrictEqual(numbers(yield* list({ start_datetime: at(20) })), [30, 20])
      assert.deepStrictEqual(numbers(yield* list({ start_datetime: at(10), end_datetime: at(30) })), [20, 10])
    }).pipe(Effect.provide(world(() => answer(200)))))

  it("reject invalid limits, cursors, ranges, states and ids with their location", () => {
    const issues = (query: Readonly<Record<string, string>>) =>
      Either.isLeft(Schema.decodeEither(DeliveriesQuery)(query))
    const refused = [
      { limit: "0" },
      { limit: "251" },
      { limit: "many" },
      { after: "x" },
      { before: `1_${attempt(1)}x` },
      { after: `1_${attempt(1)}`, before: `1_${attempt(1)}` },
      { start_datetime: "2026-01-02", end_datetime: "yesterday" },
      { start_datetime: "2026-01-02T00:00:00Z", end_datetime: "2026-01-01T00:00:00Z" },
      { status: "dead" }
    ].map(issues)
    assert.deepStrictEqual(refused, refused.map(() => true))
    assert.isFalse(issues({ limit: "250", after: `1716179400000_${attempt(1)}` }))
    const resend = (attempt_ids: ReadonlyArray<string>) =>
      Either.isRight(Schema.decodeEither(ResendWebhooks)({ attempt_ids }))
    assert.deepStrictEqual([resend([]), resend(Array(201).fill("a")), resend(Array(200).fill("a"))], [
      false,
      false,
      true
    ])
    const rotate = (body: typeof RotateSecret.Encoded) => Either.isRight(Schema.decodeEither(RotateSecret)(body))
    assert.deepStrictEqual(
      [{ overlap_hours: -1 }, { overlap_hours: 169 }, { overlap_hours: 1.5 }, { secret: "" }, { overlap_hours: 168 }]
        .map(rotate),
      [false, false, false, false, true]
    )
  })

  it.scoped("of a campaign of another workspace are not found", () =>
    Effect.gen(function*() {
      yield* open
      const { list, resend } = yield* WebhookDeliveries
      const errors = yield* Effect.all([
        Effect.flip(list(elsewhere, campaign_id, {})),
        Effect.flip(resend(elsewhere, campaign_id, [attempt(1)]))
      ])
      assert.deepStrictEqual(errors.map(({ _tag }) => _tag), ["NotFound", "NotFound"])
    }).pipe(Effect.provide(world(() => answer(200)))))
})

describe("resend", () => {
  it.scoped("sends delivered and given-up webhooks once, and skips running ones", () =>
    Effect.gen(function*() {
      yield* open
      yield* Effect.forEach([1, 2], (number) => enqueue(number))
      yield* startDelivery
      yield* settled
      yield* enqueue(3)
      yield* nudge
      yield* TestClock.adjust(0)
      const { resend } = yield* WebhookDeliveries
      yield* resend(scope, campaign_id, [1, 1, 2, 3, 99].map(attempt))
      yield* TestClock.adjust("1 second")
      const ids = (yield* sentSoFar).map(({ headers }) => Number(headers["webhook-id"]?.slice(-12)))
      assert.deepStrictEqual(ids.sort(), [1, 1, 2, 2, 3])
      assert.deepStrictEqual(yield* counts, { pending: 0, delivered: 3, dead: 0 })
    }).pipe(Effect.provide(world(() => Effect.delay(answer(200), "1 second")))))
})
