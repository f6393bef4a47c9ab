import { assert, describe, it } from "@effect/vitest"
import { HttpSenderGuarded } from "@trunkline/http-client/guarded"
import { AttemptId, OrgId, Scope, Transactions, WorkspaceId } from "@trunkline/kernel"
import { newOutboxRow, Outbox, RetiredSecretStore, verify, WebhookDelivery, WebhookOwners } from "@trunkline/webhooks"
import { Clock, Deferred, Effect, Layer } from "effect"
import { httpServer, local, read } from "./LocalServer.js"

describe("WebhookDelivery over the guarded sender", () => {
  it.scopedLive("delivers a webhook to a local receiver that verifies it", () =>
    Effect.gen(function*() {
      const arrived = yield* Deferred.make<{ readonly body: Buffer; readonly headers: Record<string, string> }>()
      const port = yield* httpServer(async (request, response) => {
        const body = await read(request)
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)])
        )
        Deferred.unsafeDone(arrived, Effect.succeed({ body, headers }))
        response.writeHead(204).end()
      })
      const outbox = yield* Outbox
      const delivery = yield* WebhookDelivery
      yield* Effect.forkScoped(delivery.run)
      const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
      yield* outbox.enqueueMany([newOutboxRow({
        scope,
        campaign_id: null,
        deployment_id: null,
        attempt_id: AttemptId.make("019a0000-0000-7000-8000-000000000001"),
        url: `http://127.0.0.1:${port}/hook`,
        secret: "whsec_c2VjcmV0",
        body: new TextEncoder().encode("{\"attempt_id\":\"अ\"}"),
        created_at: 0,
        now: 0
      })])
      yield* delivery.nudge
      const { body, headers } = yield* Deferred.await(arrived)
      const now = yield* Clock.currentTimeMillis
      assert.isTrue(yield* verify("whsec_c2VjcmV0", { headers, body, now }))
      assert.strictEqual(headers["content-type"], "application/json")
      yield* delivery.drain
      assert.deepStrictEqual(yield* outbox.counts(scope, null), { pending: 0, delivered: 1, dead: 0 })
    }).pipe(Effect.provide(
      WebhookDelivery.layer().pipe(
        Layer.provideMerge(Layer.mergeAll(
          HttpSenderGuarded.layer(local),
          Outbox.layerMemory,
          RetiredSecretStore.layerMemory,
          Transactions.layerMemory,
          WebhookOwners.layerNone
        ))
      )
    )))
})
