import { assert, layer } from "@effect/vitest"
import { AttemptId, OrgId, Scope, Transactions, WorkspaceId } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import type { Outbox } from "../outbox/Outbox.js"
import type { OutboxRow } from "../outbox/OutboxRow.js"
import type { OutboxPosition } from "../outbox/OutboxService.js"
import {
  claimAt,
  emptyOutbox,
  enqueueAll,
  lawCampaign,
  lawScope as scope,
  otherScope as elsewhere,
  planFor,
  tryResultOf,
  webhook
} from "./OutboxFixtures.js"

const ids = (rows: ReadonlyArray<{ readonly webhook_id: string }>) => rows.map((row) => row.webhook_id)

/** Laws of `Outbox`. All of them may share a layer, but nothing else may use its outbox meanwhile. */
export const outboxLaws = <E>(name: string, live: Layer.Layer<Outbox | Transactions, E>) =>
  layer(live)(`Outbox laws: ${name}`, (it) => {
    it.effect("returns a claimed webhook byte for byte, with its try counted", () =>
      Effect.gen(function*() {
        yield* emptyOutbox
        const body = Uint8Array.from({ length: 256 }, (_, byte) => byte)
        const row = webhook({ body, secret: "s", campaign_id: null, scope: elsewhere })
        yield* enqueueAll([row])
        const [claimed] = yield* claimAt(50)
        assert.deepStrictEqual(claimed, { ...row, tries: 1, started_at: 50, leased_until: 150 })
      }))

    it.effect("keeps the first webhook of an id", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        const row = webhook()
        yield* enqueueAll([row, { ...row, body: Uint8Array.of(9) }])
        const claims = yield* claimAt(1)
        assert.deepStrictEqual(claims.map(({ body }) => [...body]), [[1, 2, 3]])
        yield* outbox.record(claims.map((row) => tryResultOf(row, 200, 2)))
        yield* outbox.enqueueMany([row])
        assert.deepStrictEqual(yield* claimAt(1_000), [])
      }))

    it.effect("tells its backlog: what is pending, and since when the first of it is due", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        assert.deepStrictEqual(yield* outbox.backlog, { pending: 0, dueSince: null })
        yield* enqueueAll([webhook({ due_at: 30 }), webhook({ due_at: 20, scope: elsewhere })])
        assert.deepStrictEqual(yield* outbox.backlog, { pending: 2, dueSince: 20 })
        const claims = yield* claimAt(25)
        assert.deepStrictEqual(yield* outbox.backlog, { pending: 2, dueSince: 30 })
        yield* outbox.record(claims.map((row) => tryResultOf(row, 200, 26)))
        assert.deepStrictEqual(yield* outbox.backlog, { pending: 1, dueSince: 30 })
      }))

    it.effect("adds many webhooks at once, each as it would alone", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        const url = "https://many.example/"
        const rows = [30, 10, 20].map((due_at) => webhook({ due_at, url }))
        const beside = webhook({ due_at: 15, url, scope: elsewhere })
        const again = { ...beside, due_at: 40 }
        yield* outbox.enqueueMany([...rows, beside, again])
        assert.deepStrictEqual(yield* outbox.nextDue(planFor(1)), Option.some(10))
        const due = (yield* claimAt(50, planFor(9))).map(({ due_at }) => due_at)
        assert.sameMembers(due, [10, 15, 20, 30])
      }))

    it.effect("rolls back enqueued, claimed and recorded webhooks of a failed transaction", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        const transactions = yield* Transactions
        const rollBack = <A>(effect: Effect.Effect<A, never, Outbox>) =>
          Effect.flip(transactions.run(Effect.zipRight(effect, Effect.fail("undone"))))
        yield* rollBack(outbox.enqueueMany([webhook()]))
        const row = webhook()
        yield* transactions.run(outbox.enqueueMany([row]))
        yield* rollBack(claimAt(1))
        const [claimed] = yield* claimAt(1)
        assert.deepStrictEqual([claimed?.webhook_id, claimed?.tries], [row.webhook_id, 1])
        yield* rollBack(outbox.record([tryResultOf(claimed ?? row, 200, 2)]))
        assert.deepStrictEqual(ids(yield* claimAt(101)), [row.webhook_id])
      }))

    it.effect("claims due webhooks, longest due first, up to the limit", () =>
      Effect.gen(function*() {
        yield* emptyOutbox
        yield* enqueueAll([30, 20, 10, 41].map((due_at) => webhook({ due_at })))
        const claim = Effect.map(claimAt(40, planFor(2)), (rows) => rows.map(({ due_at }) => due_at))
        assert.deepStrictEqual(yield* claim, [10, 20])
        assert.deepStrictEqual(yield* claim, [30])
        assert.deepStrictEqual(yield* claim, [])
      }))

    it.effect("returns a claimed webhook again after its lease, unchanged except for its tries", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        const row = webhook()
        yield* outbox.enqueueMany([row])
        assert.lengthOf(yield* claimAt(1_000), 1)
        assert.lengthOf(yield* claimAt(1_099), 0)
        assert.deepStrictEqual(yield* outbox.nextDue(planFor(1)), Option.some(1_100))
        const [again] = yield* claimAt(1_100)
        assert.deepStrictEqual(again, { ...row, tries: 2, started_at: 1_100, leased_until: 1_200 })
      }))

    it.effect("never gives a webhook to two concurrent claims", () =>
      Effect.gen(function*() {
        yield* emptyOutbox
        const rows = Array.from({ length: 20 }, () => webhook())
        yield* enqueueAll(rows)
        const claim = claimAt(1, planFor(6))
        const claims = yield* Effect.all([claim, claim, claim, claim], { concurrency: "unbounded" })
        assert.deepStrictEqual(ids(claims.flat()).sort(), ids(rows))
      }))

    it.effect("never claims a delivered webhook again, whatever later results say", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        const campaign_id = lawCampaign()
        yield* outbox.enqueueMany([webhook({ campaign_id })])
        const [row = webhook()] = yield* claimAt(10)
        yield* outbox.record([tryResultOf(row, 204, 70)])
        yield* outbox.record([tryResultOf(row, 500, 80), tryResultOf({ ...row, tries: 10 }, 500, 90)])
        assert.deepStrictEqual(yield* claimAt(4_000_000_000_000), [])
        assert.deepStrictEqual(yield* outbox.nextDue(planFor(1)), Option.none())
        const [listed] = yield* outbox.listByCampaign({ scope, campaign_id, limit: 1 })
        assert.deepStrictEqual(
          [listed?.state, listed?.last_status, listed?.last_error, listed?.finished_at, listed?.leased_until],
          ["delivered", 204, null, 70, 0]
        )
      }))

    it.effect("claims a failed webhook again when it is due, and keeps the reason", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        yield* outbox.enqueueMany([webhook()])
        const [row = webhook()] = yield* claimAt(10)
        yield* outbox.record([tryResultOf(row, 503, 20)])
        assert.deepStrictEqual(yield* outbox.nextDue(planFor(1)), Option.some(5_020))
        assert.lengthOf(yield* claimAt(5_019), 0)
        const [again] = yield* claimAt(5_020)
        assert.deepStrictEqual([again?.tries, again?.last_status, again?.last_error], [2, 503, "HTTP 503"])
      }))

    it.effect("ignores the failure of a try whose lease has ended", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        const campaign_id = lawCampaign()
        yield* outbox.enqueueMany([webhook({ campaign_id })])
        const [first = webhook()] = yield* claimAt(0)
        yield* claimAt(100)
        yield* outbox.record([tryResultOf(first, 500, 110)])
        const [listed] = yield* outbox.listByCampaign({ scope, campaign_id, limit: 1 })
        assert.deepStrictEqual([listed?.tries, listed?.leased_until, listed?.last_status], [2, 200, null])
        yield* outbox.record([tryResultOf(first, 200, 120)])
        assert.deepStrictEqual(yield* outbox.counts(scope, campaign_id), { pending: 0, delivered: 1, dead: 0 })
      }))

    it.effect("keeps a dead webhook until it is replayed with the full schedule", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        const campaign_id = lawCampaign()
        const rows = [webhook({ campaign_id }), webhook({ campaign_id }), webhook({ campaign_id })]
        const foreign = webhook({ campaign_id, scope: elsewhere })
        yield* enqueueAll([...rows, foreign])
        const claims = yield* claimAt(10)
        const resultOf = (of: OutboxRow, status: number) =>
          claims.filter(({ webhook_id }) => webhook_id === of.webhook_id).map((row) => tryResultOf(row, status, 20))
        const [dead = foreign, delivered = foreign] = rows
        yield* outbox.record(resultOf(dead, 410).map((result) => ({ ...result, next: { next: "dead" } })))
        yield* outbox.record([...resultOf(delivered, 200), ...resultOf(foreign, 200)])
        const attempt_ids = [...rows, ...rows, foreign].map((row) => row.attempt_id)
        assert.strictEqual(yield* outbox.replay({ scope, campaign_id, attempt_ids, now: 30 }), 2)
        const again = yield* claimAt(31)
        assert.deepStrictEqual(
          again.map(({ body, finished_at, tries, webhook_id }) => [webhook_id, tries, finished_at, [...body]]),
          ids([dead, delivered]).map((id) => [id, 1, null, [1, 2, 3]])
        )
      }))

    it.effect("counts a campaign and its workspace separately from others", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        const ownScope = new Scope({ org_id: OrgId.make(lawCampaign()), workspace_id: WorkspaceId.make("main") })
        const campaign_id = lawCampaign()
        const fields = { scope: ownScope, campaign_id }
        yield* enqueueAll([webhook(fields), webhook(fields)])
        const [delivered = webhook(), dead = webhook()] = yield* claimAt(0)
        yield* outbox.record([tryResultOf(delivered, 200, 1), { ...tryResultOf(dead, 500, 1), next: { next: "dead" } }])
        yield* enqueueAll([webhook(fields), webhook({ ...fields, campaign_id: null }), webhook({ ...fields, scope })])
        assert.deepStrictEqual(yield* outbox.counts(ownScope, campaign_id), { pending: 1, delivered: 1, dead: 1 })
        assert.deepStrictEqual(yield* outbox.counts(ownScope, null), { pending: 2, delivered: 1, dead: 1 })
        assert.deepStrictEqual(yield* outbox.counts(ownScope, lawCampaign()), { pending: 0, delivered: 0, dead: 0 })
      }))

    it.effect("lists a campaign's webhooks newest first, in pages both ways", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        const campaign_id = lawCampaign()
        const rows = Array.from({ length: 7 }, (_, index) => webhook({ campaign_id, created_at: (index >> 1) * 10 }))
        yield* enqueueAll([...rows].reverse().concat(webhook({ campaign_id, scope: elsewhere })))
        const newest = [...rows].reverse()
        const page = (query: { readonly after?: OutboxPosition; readonly before?: OutboxPosition }) =>
          Effect.map(outbox.listByCampaign({ scope, campaign_id, limit: 3, ...query }), ids)
        const place = (index: number) => newest[index] ?? webhook()
        assert.deepStrictEqual(yield* page({}), ids(newest).slice(0, 3))
        assert.deepStrictEqual(yield* page({ after: place(2) }), ids(newest).slice(3, 6))
        assert.deepStrictEqual(yield* page({ after: place(5) }), ids(newest).slice(6))
        assert.deepStrictEqual(yield* page({ before: place(6) }), ids(newest).slice(3, 6))
        assert.deepStrictEqual(yield* page({ before: place(0) }), [])
        const between = yield* outbox.listByCampaign({ scope, campaign_id, limit: 10, from: 10, to: 30 })
        assert.deepStrictEqual(between.map(({ created_at }) => created_at), [20, 20, 10, 10])
      }))

    it.effect("lists the webhook of one attempt", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        const campaign_id = lawCampaign()
        const [first, second] = [webhook({ campaign_id }), webhook({ campaign_id })]
        yield* enqueueAll([first, second])
        const attempt_id = AttemptId.make(second.webhook_id.slice("att_".length))
        assert.deepStrictEqual(
          ids(yield* outbox.listByCampaign({ scope, campaign_id, limit: 10, attempt_id })),
          ids([second])
        )
      }))

    it.effect("lists by status, separating pending from running", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        const campaign_id = lawCampaign()
        const rows = [0, 1, 2, 5_000].map((due_at) => webhook({ campaign_id, due_at }))
        yield* enqueueAll(rows)
        const [delivered = webhook(), dead = webhook()] = yield* claimAt(10)
        yield* outbox.record([tryResultOf(delivered, 200, 20), {
          ...tryResultOf(dead, 500, 20),
          next: { next: "dead" }
        }])
        const statuses = ["delivered", "failed", "running", "pending"] as const
        const lists = yield* Effect.forEach(statuses, (is) =>
          Effect.map(
            outbox.listByCampaign({ scope, campaign_id, limit: 10, status: { is, now: 50 } }),
            ids
          ))
        assert.deepStrictEqual(lists, ids(rows).map((id) => [id]))
      }))
  })
