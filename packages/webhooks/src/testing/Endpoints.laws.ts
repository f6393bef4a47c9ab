import { assert, layer } from "@effect/vitest"
import { AttemptId, type Transactions } from "@trunkline/kernel"
import { Duration, Effect, type Layer, Option } from "effect"
import { type ClaimPlan, RunningTries } from "../outbox/ClaimPlan.js"
import { breaker, disabledError, overdueError } from "../outbox/EndpointHealth.js"
import { Outbox } from "../outbox/Outbox.js"
import { type OutboxRow, webhookIdOf } from "../outbox/OutboxRow.js"
import {
  claimAt,
  emptyOutbox,
  enqueueAll,
  lawCampaign,
  lawScope as scope,
  lawUrl,
  otherScope as elsewhere,
  planFor,
  tryResultOf,
  webhook
} from "./OutboxFixtures.js"

const many = (count: number, fields: Partial<OutboxRow>) => Array.from({ length: count }, () => webhook(fields))
const days = (count: number) => Duration.toMillis(Duration.days(count))

/** Fails five webhooks of an endpoint at 1 s, which pauses it until 31 s. */
const pause = (url: string) =>
  Effect.gen(function*() {
    const outbox = yield* Outbox
    yield* enqueueAll(many(breaker.failures, { url }))
    const rows = yield* claimAt(0)
    yield* outbox.record(rows.map((row) => tryResultOf(row, null, 1_000)))
    return 31_000
  })

/** Laws of the endpoints of `Outbox`. All of them may share a layer, but nothing else may use its outbox meanwhile. */
export const endpointLaws = <E>(name: string, live: Layer.Layer<Outbox | Transactions, E>) =>
  layer(live)(`Endpoint laws: ${name}`, (it) => {
    it.effect("limits two URLs of one origin, and one URL in two workspaces, separately", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        const [url, beside] = [lawUrl(), lawUrl()]
        yield* enqueueAll([...many(6, { url }), ...many(2, { url: beside }), ...many(2, { url, scope: elsewhere })])
        const running = new RunningTries({ total: 100, perEndpoint: 3 })
        const rows = yield* claimAt(1, running.plan())
        rows.forEach((row) => running.started(row))
        const countOf = (of: Partial<OutboxRow>) =>
          rows.filter((row) => row.url === of.url && row.scope.workspace_id === of.scope?.workspace_id).length
        assert.deepStrictEqual(
          [countOf({ url, scope }), countOf({ url: beside, scope }), countOf({ url, scope: elsewhere })],
          [3, 2, 2]
        )
        assert.deepStrictEqual(yield* claimAt(1, running.plan()), [])
        assert.deepStrictEqual(yield* outbox.nextDue(planFor(1)), Option.some(0))
        assert.deepStrictEqual(yield* outbox.nextDue(running.plan()), Option.some(101))
      }))

    it.effect("skips a workspace that uses its whole share", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        yield* enqueueAll([...many(2, { url: lawUrl() }), webhook({ url: lawUrl(), scope: elsewhere, due_at: 7 })])
        const plan: ClaimPlan = {
          ...planFor(10),
          exceptScopes: [scope],
          freeSlotsIn: ({ workspace_id }) => workspace_id === scope.workspace_id ? 0 : 10
        }
        assert.deepStrictEqual(yield* outbox.nextDue(plan), Option.some(7))
        const rows = yield* claimAt(10, plan)
        assert.deepStrictEqual(rows.map((row) => row.scope.workspace_id), [elsewhere.workspace_id])
        assert.lengthOf(yield* claimAt(10, { ...planFor(10), freeSlotsIn: () => 1 }), 1)
      }))

    it.effect("treats single calls to one origin as one endpoint", () =>
      Effect.gen(function*() {
        yield* emptyOutbox
        yield* enqueueAll([
          webhook({ campaign_id: null, url: "https://c.example/1" }),
          webhook({ campaign_id: null, url: "https://c.example/2" }),
          webhook({ campaign_id: null, url: "https://c.example:8443/1" })
        ])
        const rows = yield* claimAt(1, new RunningTries({ total: 100, perEndpoint: 1 }).plan())
        assert.deepStrictEqual(rows.map(({ url }) => url).sort(), ["https://c.example/1", "https://c.example:8443/1"])
      }))

    it.effect("pauses an endpoint after five consecutive failures, then probes it one webhook at a time", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        const url = lawUrl()
        const until = yield* pause(url)
        yield* enqueueAll([...many(3, { url, due_at: 1_500 }), webhook({ url: lawUrl(), due_at: 2_000 })])
        assert.lengthOf(yield* claimAt(2_000), 1)
        assert.deepStrictEqual(yield* outbox.nextDue(planFor(1)), Option.some(2_100))
        const [probe = webhook(), ...others] = (yield* claimAt(until)).filter((row) => row.url === url)
        assert.deepStrictEqual([probe.due_at, others], [1_500, []])
        assert.deepStrictEqual((yield* claimAt(until + 50)).filter((row) => row.url === url), [])
        yield* outbox.record([tryResultOf(probe, 500, until + 60)])
        const next = until + 60 + 60_000
        assert.deepStrictEqual((yield* claimAt(next - 1)).filter((row) => row.url === url), [])
        const [second = webhook()] = (yield* claimAt(next)).filter((row) => row.url === url)
        yield* outbox.record([tryResultOf(second, 200, next + 1)])
        assert.lengthOf((yield* claimAt(next + 2)).filter((row) => row.url === url), 7)
      }))

    it.effect("probes again when the lease of a crashed probe ends", () =>
      Effect.gen(function*() {
        yield* emptyOutbox
        const url = lawUrl()
        const until = yield* pause(url)
        yield* enqueueAll(many(2, { url, due_at: 1_500 }))
        assert.lengthOf(yield* claimAt(until), 1)
        assert.lengthOf(yield* claimAt(until + 99), 0)
        assert.lengthOf(yield* claimAt(until + 100), 1)
      }))

    it.effect("gives up webhooks that are overdue by more than four days while the endpoint fails", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        const [campaign_id, url] = [lawCampaign(), lawUrl()]
        yield* pause(url)
        yield* enqueueAll([
          ...many(3, { campaign_id, url, due_at: 2_000 }),
          webhook({ campaign_id, url, due_at: 3_000 + days(4) })
        ])
        const late = 2_500 + days(4)
        const probes = yield* claimAt(late)
        assert.lengthOf(probes, 1)
        yield* outbox.record(probes.map((row) => tryResultOf(row, 500, late)))
        const { givenUp, rows } = yield* outbox.claimDue({ now: late + days(1), leaseMillis: 100, plan: planFor(9) })
        assert.deepStrictEqual([givenUp, rows.map(({ due_at }) => due_at)], [2, [6_000]])
        const dead = yield* outbox.listByCampaign({ scope, campaign_id, limit: 9, status: { is: "failed", now: 0 } })
        assert.deepStrictEqual(
          dead.map(({ last_error, tries }) => [last_error, tries]),
          Array(2).fill([overdueError, 0])
        )
      }))

    it.effect("disables the endpoint after 410: pending and new webhooks are dead until it is enabled", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        const [campaign_id, url] = [lawCampaign(), lawUrl()]
        const fields = { campaign_id, url }
        yield* enqueueAll([webhook(fields), webhook({ ...fields, due_at: 900_000 }), webhook({ ...fields, due_at: 1 })])
        const [first = webhook(), running = webhook()] = yield* claimAt(10)
        yield* outbox.record([tryResultOf(first, 410, 20)])
        yield* outbox.enqueueMany(
          [fields, { ...fields, scope: elsewhere }].map((row) => webhook({ ...row, due_at: 25 }))
        )
        assert.deepStrictEqual(yield* outbox.nextDue(planFor(1)), Option.some(0))
        const { givenUp, rows } = yield* outbox.claimDue({ now: 30, leaseMillis: 100, plan: planFor(9) })
        assert.deepStrictEqual([givenUp, rows.map((row) => row.scope.workspace_id)], [2, [elsewhere.workspace_id]])
        yield* outbox.record([tryResultOf(running, 500, 40)])
        assert.deepStrictEqual(yield* outbox.counts(scope, campaign_id), { pending: 0, delivered: 0, dead: 4 })
        const webhooks = yield* outbox.listByCampaign({ scope, campaign_id, limit: 9 })
        assert.deepStrictEqual(new Set(webhooks.map(({ last_error }) => last_error)), new Set([disabledError]))
        yield* outbox.enable(scope, url)
        const fresh = webhook({ ...fields, due_at: 50 })
        yield* outbox.enqueueMany([fresh])
        assert.deepStrictEqual((yield* claimAt(60)).map((row) => row.webhook_id), [fresh.webhook_id])
      }))

    it.effect("ends only its own webhook after 410 for a single call", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        const fields = { campaign_id: null, url: "https://d.example/1" }
        yield* enqueueAll([webhook(fields), webhook({ ...fields, due_at: 50 })])
        yield* outbox.record((yield* claimAt(10)).map((row) => tryResultOf(row, 410, 20)))
        const again = yield* claimAt(60)
        assert.lengthOf(again, 1)
      }))

    it.effect("enables the endpoint and ends its pause at a replay", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        const [campaign_id, url, other] = [lawCampaign(), lawUrl(), lawUrl()]
        const [gone, failing] = [webhook({ campaign_id, url }), webhook({ campaign_id, url: other })]
        yield* outbox.enqueueMany([gone])
        yield* outbox.record((yield* claimAt(0)).map((row) => tryResultOf(row, 410, 20)))
        yield* pause(other)
        yield* outbox.enqueueMany([failing])
        const attempt_ids = [gone.attempt_id, failing.attempt_id]
        assert.strictEqual(yield* outbox.replay({ scope, campaign_id, attempt_ids, now: 1_100 }), 2)
        const again = yield* claimAt(1_200)
        assert.deepStrictEqual(
          again.map((row) => row.webhook_id).sort(),
          attempt_ids.map(webhookIdOf)
        )
        assert.deepStrictEqual(
          yield* outbox.replay({ scope, campaign_id, attempt_ids: [AttemptId.make("nobody")], now: 1_300 }),
          0
        )
      }))

    it.effect("lists webhooks with the health of their endpoint", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        const [campaign_id, url] = [lawCampaign(), lawUrl()]
        yield* pause(url)
        yield* outbox.enqueueMany([webhook({ campaign_id, url })])
        const [listed] = yield* outbox.listByCampaign({ scope, campaign_id, limit: 9 })
        assert.deepInclude(listed?.health, { failures: 5, failed_at: 1_000, pauses: 1, paused_until: 31_000 })
      }))
  })
