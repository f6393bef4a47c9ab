import { assert, describe, it } from "@effect/vitest"
import { HttpSenderGuarded } from "@trunkline/http-client/guarded"
import { AttemptId, CampaignId, Entropy, OrgId, Scope, Transactions, WorkspaceId } from "@trunkline/kernel"
import { newOutboxRow, Outbox, RetiredSecretStore, WebhookDelivery, WebhookOwners, Webhooks } from "@trunkline/webhooks"
import { Clock, Effect, Layer, Option, Queue } from "effect"
import { Webhook, WebhookVerificationError } from "standardwebhooks"
import { httpServer, local, read } from "./LocalServer.js"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const campaign_id = CampaignId.make("camp-a1b2c3d4e5f6")
const first = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
const payload = { attempt_id: "अ", metadata: { nested: [1, "é"] } }

interface Arrived {
  readonly body: string
  readonly headers: Record<string, string>
}

/** A receiver on a real HTTP server, with its requests. */
const receiver = Effect.gen(function*() {
  const arrived = yield* Queue.unbounded<Arrived>()
  const port = yield* httpServer(async (request, response) => {
    const body = (await read(request)).toString("utf8")
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    Queue.unsafeOffer(arrived, { body, headers })
    response.writeHead(204).end()
  })
  return { next: Queue.take(arrived), url: `http://127.0.0.1:${port}/hook` }
})

/** A world with one campaign whose webhook has this URL. */
const worldOf = (url: string) => {
  const owners = Layer.sync(WebhookOwners, () => {
    let present = first
    return WebhookOwners.of({
      find: () => Effect.sync(() => Option.some({ config: { url, secret: present }, isOver: false })),
      replaceSecret: (_scope, _id, { secret }) =>
        Effect.sync(() => {
          present = secret
        })
    })
  })
  return Webhooks.layer.pipe(
    Layer.provideMerge(WebhookDelivery.layer()),
    Layer.provideMerge(Layer.mergeAll(
      HttpSenderGuarded.layer(local),
      Outbox.layerMemory,
      RetiredSecretStore.layerMemory,
      Transactions.layerMemory,
      Entropy.layerSeeded("rotation"),
      owners
    ))
  )
}

const send = (number: number, url: string) =>
  Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    yield* (yield* Outbox).enqueueMany([newOutboxRow({
      scope,
      campaign_id,
      deployment_id: null,
      attempt_id: AttemptId.make(`019a0000-0000-7000-8000-${String(number).padStart(12, "0")}`),
      url,
      secret: first,
      body: new TextEncoder().encode(JSON.stringify(payload)),
      created_at: now,
      now
    })])
    yield* (yield* WebhookDelivery).nudge
  })

const refused = (secret: string, { body, headers }: Arrived) =>
  assert.throws(() => new Webhook(secret).verify(body, headers), WebhookVerificationError)

describe("the receiver of the standardwebhooks package", () => {
  it.scopedLive("accepts our webhooks, and rejects another secret, body, id, time or no signature", () =>
    Effect.gen(function*() {
      const { next, url } = yield* receiver
      yield* Effect.gen(function*() {
        yield* Effect.forkScoped((yield* WebhookDelivery).run)
        yield* send(1, url)
        const arrived = yield* next
        const { body, headers } = arrived
        assert.deepStrictEqual(new Webhook(first).verify(body, headers), payload)
        const { "webhook-signature": _, ...unsigned } = headers
        refused("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSX", arrived)
        refused(first, { body: `${body} `, headers })
        refused(first, { body, headers: { ...headers, "webhook-id": "att_another" } })
        refused(first, { body, headers: { ...headers, "webhook-timestamp": "1700000000" } })
        refused(first, { body, headers: unsigned })
      }).pipe(Effect.provide(worldOf(url)))
    }))

  it.scopedLive("accepts the old and the new secret during the overlap, then only the new one", () =>
    Effect.gen(function*() {
      const { next, url } = yield* receiver
      yield* Effect.gen(function*() {
        yield* Effect.forkScoped((yield* WebhookDelivery).run)
        const { rotateSecret } = yield* Webhooks
        const { secret } = yield* rotateSecret(scope, campaign_id, {}, "demo")
        assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
        yield* send(2, url)
        const during = yield* next
        for (const signingSecret of [first, secret]) {
          assert.deepStrictEqual(new Webhook(signingSecret).verify(during.body, during.headers), payload)
        }
        const again = yield* rotateSecret(scope, campaign_id, { overlap_hours: 0 }, "demo")
        yield* send(3, url)
        const after = yield* next
        assert.deepStrictEqual(new Webhook(again.secret).verify(after.body, after.headers), payload)
        refused(first, after)
        refused(secret, after)
      }).pipe(Effect.provide(worldOf(url)))
    }))
})
