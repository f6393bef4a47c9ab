import { assert, layer } from "@effect/vitest"
import { AttemptId, CampaignId, OrgId, Scope, Transactions, WorkspaceId } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import { Outbox } from "./Outbox.js"
import { newOutboxRow, type OutboxRow } from "./OutboxRow.js"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const elsewhere = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("other") })
const afterEverything = 8_000_000_000_000
const everything = { now: afterEverything, limit: 10_000, leaseMillis: 0, exceptOrigins: [] }

let made = 0

/** A new webhook; later ones have larger ids. */
const webhook = (given: Partial<OutboxRow> = {}): OutboxRow => ({
  ...newOutboxRow({
    scope,
    campaign_id: CampaignId.make("camp-1"),
    attempt_id: AttemptId.make(`019a0000-0000-7000-8000-${String(++made).padStart(12, "0")}`),
    url: "https://a.example/hook",
    secret: null,
    body: Uint8Array.of(1, 2, 3),
    created_at: 1_000,
    ...given
  }),
  ...given
})

const campaign = () => CampaignId.make(`camp-law-${++made}`)
const ids = (rows: ReadonlyArray<OutboxRow>) => rows.map((row) => row.webhook_id)
const enqueueAll = (rows: ReadonlyArray<OutboxRow>) =>
  Effect.flatMap(Outbox, ({ enqueue }) => Effect.forEach(rows, enqueue, { discard: true }))

/** An outbox in which nothing of an earlier test is pending. */
const emptied = Effect.gen(function*() {
  const outbox = yield* Outbox
  const rows = yield* outbox.claimDue(everything)
  yield* Effect.forEach(rows, (row) => outbox.dead(row.webhook_id, { now: 0, status: null, error: "emptied" }))
  return outbox
})

/** The laws of `Outbox`. The layer may live through all of them; nobody else may use its outbox meanwhile. */
export const outboxLaws = <E>(name: string, live: Layer.Layer<Outbox | Transactions, E>) =>
  layer(live)(`Outbox laws: ${name}`, (it) => {
    it.effect("a webhook comes out as it was put in, byte for byte, with its try counted", () =>
      Effect.gen(function*() {
        const outbox = yield* emptied
        const body = Uint8Array.from({ length: 256 }, (_, byte) => byte)
        const row = webhook({ body, secret: "s", campaign_id: null, scope: elsewhere })
        yield* outbox.enqueue(row)
        const [claimed] = yield* outbox.claimDue({ now: 50, limit: 1, leaseMillis: 100, exceptOrigins: [] })
        assert.deepStrictEqual(claimed, { ...row, tries: 1, started_at: 50, leased_until: 150 })
      }))

    it.effect("the same id twice is one webhook, the first", () =>
      Effect.gen(function*() {
        const outbox = yield* emptied
        const row = webhook()
        yield* enqueueAll([row, { ...row, body: Uint8Array.of(9) }])
        const claimed = yield* outbox.claimDue(everything)
        assert.deepStrictEqual(claimed.map(({ body }) => [...body]), [[1, 2, 3]])
        yield* outbox.delivered(row.webhook_id, { now: 1, status: 200 })
        yield* outbox.enqueue(row)
        assert.deepStrictEqual(yield* outbox.claimDue(everything), [])
      }))

    it.effect("a transaction that fails takes its webhooks with it", () =>
      Effect.gen(function*() {
        const outbox = yield* emptied
        const transactions = yield* Transactions
        yield* Effect.flip(transactions.run(Effect.zipRight(outbox.enqueue(webhook()), Effect.fail("undone"))))
        const kept = webhook()
        yield* transactions.run(outbox.enqueue(kept))
        assert.deepStrictEqual(ids(yield* outbox.claimDue(everything)), [kept.webhook_id])
      }))

    it.effect("claims what is due, longest due first and no more than asked for", () =>
      Effect.gen(function*() {
        const outbox = yield* emptied
        yield* enqueueAll([30, 20, 10, 41].map((due_at) => webhook({ due_at })))
        const claim = outbox.claimDue({ now: 40, limit: 2, leaseMillis: 1_000, exceptOrigins: [] })
        assert.deepStrictEqual((yield* claim).map(({ due_at }) => due_at), [10, 20])
        assert.deepStrictEqual((yield* claim).map(({ due_at }) => due_at), [30])
        assert.deepStrictEqual(yield* claim, [])
      }))

    it.effect("passes over the origins named, whatever their paths", () =>
      Effect.gen(function*() {
        const outbox = yield* emptied
        const rows = ["https://a.example/1", "https://a.example:8443/1", "https://b.example/1", "https://a.example/2"]
          .map((url) => webhook({ url }))
        yield* enqueueAll(rows)
        const exceptOrigins = ["https://a.example", "https://b.example"]
        assert.deepStrictEqual(yield* outbox.nextDue({ exceptOrigins }), Option.some(0))
        const claimed = yield* outbox.claimDue({ ...everything, now: 1, leaseMillis: 10, exceptOrigins })
        assert.deepStrictEqual(claimed.map(({ url }) => url), ["https://a.example:8443/1"])
        assert.deepStrictEqual(yield* outbox.nextDue({ exceptOrigins }), Option.some(11))
      }))

    it.effect("a claimed webhook comes again when its lease ends, not before, the same but for its tries", () =>
      Effect.gen(function*() {
        const outbox = yield* emptied
        const row = webhook()
        yield* outbox.enqueue(row)
        const claimAt = (now: number) => outbox.claimDue({ now, limit: 10, leaseMillis: 100, exceptOrigins: [] })
        assert.lengthOf(yield* claimAt(1_000), 1)
        assert.lengthOf(yield* claimAt(1_099), 0)
        assert.deepStrictEqual(yield* outbox.nextDue({ exceptOrigins: [] }), Option.some(1_100))
        const [again] = yield* claimAt(1_100)
        assert.deepStrictEqual(again, { ...row, tries: 2, started_at: 1_100, leased_until: 1_200 })
      }))

    it.effect("claims that run at the same time never share a webhook", () =>
      Effect.gen(function*() {
        const outbox = yield* emptied
        const rows = Array.from({ length: 20 }, () => webhook())
        yield* enqueueAll(rows)
        const claim = outbox.claimDue({ now: 1, limit: 6, leaseMillis: 1_000, exceptOrigins: [] })
        const claimed = yield* Effect.all([claim, claim, claim, claim], { concurrency: "unbounded" })
        assert.deepStrictEqual(ids(claimed.flat()).sort(), ids(rows))
      }))

    it.effect("a delivered webhook never comes again, and nothing that is said later undoes it", () =>
      Effect.gen(function*() {
        const outbox = yield* emptied
        const campaign_id = campaign()
        const row = webhook({ campaign_id })
        yield* outbox.enqueue(row)
        yield* outbox.claimDue(everything)
        yield* outbox.delivered(row.webhook_id, { now: 70, status: 204 })
        yield* outbox.retryAt(row.webhook_id, { at: 80, status: 500, error: "HTTP 500" })
        yield* outbox.dead(row.webhook_id, { now: 90, status: 410, error: "HTTP 410" })
        assert.deepStrictEqual(yield* outbox.claimDue(everything), [])
        assert.deepStrictEqual(yield* outbox.nextDue({ exceptOrigins: [] }), Option.none())
        const [listed] = yield* outbox.listByCampaign({ scope, campaign_id, limit: 1 })
        assert.deepStrictEqual(
          [listed?.state, listed?.last_status, listed?.last_error, listed?.finished_at, listed?.leased_until],
          ["delivered", 204, null, 70, 0]
        )
      }))

    it.effect("a webhook that failed comes again when it is due, with the reason kept", () =>
      Effect.gen(function*() {
        const outbox = yield* emptied
        const row = webhook()
        yield* outbox.enqueue(row)
        const claimAt = (now: number) => outbox.claimDue({ now, limit: 10, leaseMillis: 1_000, exceptOrigins: [] })
        yield* claimAt(10)
        yield* outbox.retryAt(row.webhook_id, { at: 5_000, status: 503, error: "HTTP 503" })
        assert.deepStrictEqual(yield* outbox.nextDue({ exceptOrigins: [] }), Option.some(5_000))
        assert.lengthOf(yield* claimAt(4_999), 0)
        const [again] = yield* claimAt(5_000)
        assert.deepStrictEqual([again?.tries, again?.last_status, again?.last_error], [2, 503, "HTTP 503"])
      }))

    it.effect("a dead webhook stays, until it is replayed with all its tries", () =>
      Effect.gen(function*() {
        const outbox = yield* emptied
        const campaign_id = campaign()
        const [dead, delivered, running] = [
          webhook({ campaign_id }),
          webhook({ campaign_id }),
          webhook({ campaign_id })
        ]
        const foreign = webhook({ campaign_id, scope: elsewhere })
        yield* enqueueAll([dead, delivered, running, foreign])
        yield* outbox.claimDue({ now: 10, limit: 10, leaseMillis: 1_000, exceptOrigins: [] })
        yield* outbox.dead(dead.webhook_id, { now: 20, status: null, error: "gone" })
        yield* outbox.delivered(delivered.webhook_id, { now: 20, status: 200 })
        yield* outbox.dead(foreign.webhook_id, { now: 20, status: null, error: "gone" })
        const attempt_ids = [dead, dead, delivered, running, foreign].map((row) => row.attempt_id)
        assert.strictEqual(yield* outbox.replay({ scope, campaign_id, attempt_ids, now: 30 }), 2)
        const again = yield* outbox.claimDue({ now: 31, limit: 10, leaseMillis: 1_000, exceptOrigins: [] })
        assert.deepStrictEqual(
          again.map(({ finished_at, tries, webhook_id }) => [webhook_id, tries, finished_at]),
          [[dead.webhook_id, 1, null], [delivered.webhook_id, 1, null]]
        )
      }))

    it.effect("counts a campaign and its workspace apart from others", () =>
      Effect.gen(function*() {
        const outbox = yield* emptied
        const counted = new Scope({ org_id: OrgId.make(campaign()), workspace_id: WorkspaceId.make("main") })
        const campaign_id = campaign()
        const given = { scope: counted, campaign_id }
        const [delivered, dead] = [webhook(given), webhook(given)]
        const others = [webhook(given), webhook({ ...given, campaign_id: null }), webhook({ ...given, scope })]
        yield* enqueueAll([delivered, dead, ...others])
        yield* outbox.delivered(delivered.webhook_id, { now: 1, status: 200 })
        yield* outbox.dead(dead.webhook_id, { now: 1, status: 410, error: "HTTP 410" })
        assert.deepStrictEqual(yield* outbox.counts(counted, campaign_id), { pending: 1, delivered: 1, dead: 1 })
        assert.deepStrictEqual(yield* outbox.counts(counted, null), { pending: 2, delivered: 1, dead: 1 })
        assert.deepStrictEqual(yield* outbox.counts(counted, campaign()), { pending: 0, delivered: 0, dead: 0 })
      }))

    it.effect("lists a campaign's webhooks newest first, in pages both ways", () =>
      Effect.gen(function*() {
        const outbox = yield* emptied
        const campaign_id = campaign()
        const rows = Array.from({ length: 7 }, (_, index) => webhook({ campaign_id, created_at: index * 10 }))
        yield* enqueueAll([...rows].reverse().concat(webhook({ campaign_id, scope: elsewhere })))
        const newestFirst = ids(rows).reverse()
        const page = (query: { readonly after?: string; readonly before?: string }) =>
          Effect.map(outbox.listByCampaign({ scope, campaign_id, limit: 3, ...query }), ids)
        assert.deepStrictEqual(yield* page({}), newestFirst.slice(0, 3))
        assert.deepStrictEqual(yield* page({ after: newestFirst[2] ?? "" }), newestFirst.slice(3, 6))
        assert.deepStrictEqual(yield* page({ after: newestFirst[5] ?? "" }), newestFirst.slice(6))
        assert.deepStrictEqual(yield* page({ before: newestFirst[6] ?? "" }), newestFirst.slice(3, 6))
        assert.deepStrictEqual(yield* page({ before: newestFirst[0] ?? "" }), [])
        const between = yield* outbox.listByCampaign({ scope, campaign_id, limit: 10, from: 20, to: 40 })
        assert.deepStrictEqual(between.map(({ created_at }) => created_at), [30, 20])
      }))

    it.effect("lists by status, telling waiting from running", () =>
      Effect.gen(function*() {
        const outbox = yield* emptied
        const campaign_id = campaign()
        const [delivered, dead, running] = [
          webhook({ campaign_id }),
          webhook({ campaign_id }),
          webhook({ campaign_id })
        ]
        const rows = [delivered, dead, running, webhook({ campaign_id, due_at: 5_000 })]
        yield* enqueueAll(rows)
        yield* outbox.claimDue({ now: 10, limit: 10, leaseMillis: 100, exceptOrigins: [] })
        yield* outbox.delivered(delivered.webhook_id, { now: 20, status: 200 })
        yield* outbox.dead(dead.webhook_id, { now: 20, status: 410, error: "HTTP 410" })
        const statuses = ["delivered", "failed", "running", "pending"] as const
        const listed = yield* Effect.forEach(statuses, (is) =>
          Effect.map(
            outbox.listByCampaign({ scope, campaign_id, limit: 10, status: { is, now: 50 } }),
            ids
          ))
        assert.deepStrictEqual(listed, ids(rows).map((id) => [id]))
      }))
  })
