import { assert, layer } from "@effect/vitest"
import type { Transactions } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import type { Outbox } from "../outbox/Outbox.js"
import { claimAt, emptyOutbox, enqueueAll, lawUrl, planFor, tryResultOf, webhook } from "./OutboxFixtures.js"

const body = Uint8Array.of(7, 7)

/** Laws of webhooks that wait for their content. */
export const outboxBodyLaws = <E>(name: string, live: Layer.Layer<Outbox | Transactions, E>) =>
  layer(live)(`Outbox laws, bodies: ${name}`, (it) => {
    it.effect("sends a webhook that has waited at once, with its new body", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        const row = webhook({ due_at: 30_000, url: lawUrl() })
        yield* enqueueAll([row])
        assert.deepStrictEqual(yield* claimAt(5_000), [])
        assert.isTrue(yield* outbox.completeBody({ webhook_id: row.webhook_id, body, now: 5_000 }))
        assert.deepStrictEqual(yield* outbox.nextDue(planFor(1)), Option.some(5_000))
        const [sent] = yield* claimAt(5_000)
        assert.deepStrictEqual(sent, { ...row, body, due_at: 5_000, tries: 1, started_at: 5_000, leased_until: 5_100 })
      }))

    it.effect("keeps the body once a try has begun, and sends the webhook without waiting for more", () =>
      Effect.gen(function*() {
        const outbox = yield* emptyOutbox
        const row = webhook({ due_at: 100, url: lawUrl() })
        yield* enqueueAll([row])
        const [tried] = yield* claimAt(100)
        assert.deepStrictEqual([...tried?.body ?? []], [1, 2, 3])
        const complete = outbox.completeBody({ webhook_id: row.webhook_id, body, now: 150 })
        assert.isFalse(yield* complete)
        yield* outbox.record([tryResultOf(tried ?? row, 200, 160)])
        assert.isFalse(yield* complete)
        assert.isFalse(yield* outbox.completeBody({ webhook_id: "att_unknown", body, now: 150 }))
        assert.deepStrictEqual(yield* claimAt(100_000), [])
      }))

    it.effect("lets others of the endpoint pass a webhook that waits", () =>
      Effect.gen(function*() {
        yield* emptyOutbox
        const url = lawUrl()
        const [waiting, ready] = [webhook({ due_at: 30_000, url }), webhook({ url })]
        yield* enqueueAll([waiting, ready])
        const rows = yield* claimAt(10)
        assert.deepStrictEqual(rows.map(({ webhook_id }) => webhook_id), [ready.webhook_id])
      }))
  })
