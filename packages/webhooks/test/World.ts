import { AttemptId, CampaignId, Entropy, OrgId, Scope, scopeKey, Transactions, WorkspaceId } from "@trunkline/kernel"
import {
  type DeliveryStatus,
  deliveryStatus,
  HttpSender,
  newOutboxRow,
  Outbox,
  type OutboxRow,
  type OwnedWebhook,
  RetiredSecretStore,
  type SendFailed,
  WebhookDeliveries,
  WebhookDelivery,
  type WebhookDeliveryOptions,
  type WebhookOwner,
  WebhookOwners,
  Webhooks
} from "@trunkline/webhooks"
import { Clock, Context, Duration, Effect, Layer, Option } from "effect"

export const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
export const campaign_id = CampaignId.make("camp-1")
export const body = new TextEncoder().encode("{\"phone\":\"+919876543210\"}")
export const secretUrl = "https://a.example/hook?token=t0p"

type Post = Context.Tag.Service<typeof HttpSender>["post"]
export type Sent = Parameters<Post>[0] & { readonly at: number }
export type Answer = Effect.Effect<
  { readonly status: number; readonly headers: Readonly<Record<string, string>> },
  SendFailed
>

export const answer = (status: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  Effect.succeed({ status, headers })

/** A receiver with scripted responses that records requests and their largest concurrency. */
export class Receiver extends Context.Tag("test/Receiver")<Receiver, {
  readonly requests: Array<Sent>
  readonly atOnce: { now: number; most: number }
}>() {}

export const receivers = (respond: (request: Sent, tries: number) => Answer) =>
  Layer.effectContext(Effect.sync(() => {
    const requests: Array<Sent> = []
    const atOnce = { now: 0, most: 0 }
    const post: Post = (request) =>
      Effect.gen(function*() {
        const one = { ...request, at: yield* Clock.currentTimeMillis }
        requests.push(one)
        atOnce.now++
        atOnce.most = Math.max(atOnce.most, atOnce.now)
        return yield* respond(one, requests.filter(({ url }) => url === request.url).length)
      }).pipe(Effect.ensuring(Effect.sync(() => {
        atOnce.now--
      })))
    return Context.make(HttpSender, HttpSender.of({ post })).pipe(Context.add(Receiver, { requests, atOnce }))
  }))

/** Checks the outbox only after a nudge or when something is due, so that the test clock has few stops. */
export const unpolled: WebhookDeliveryOptions = { pollInterval: Duration.days(30), version: "1.2.3" }

/** Campaigns and deployments; none by default. */
export class Owners extends Context.Tag("test/Owners")<Owners, {
  readonly set: (owner: WebhookOwner, owned: OwnedWebhook) => void
  /** Labels of the API keys that changed a secret. */
  readonly actors: Array<string>
}>() {}

const owners = Layer.effectContext(Effect.sync(() => {
  const rows = new Map<string, OwnedWebhook>()
  const actors: Array<string> = []
  const keyOf = (of: Scope, { id, kind }: WebhookOwner) => `${scopeKey(of)} ${kind} ${id}`
  return Context.make(Owners, { set: (owner, owned) => void rows.set(keyOf(scope, owner), owned), actors }).pipe(
    Context.add(WebhookOwners, {
      find: (of, owner) => Effect.sync(() => Option.fromNullable(rows.get(keyOf(of, owner)))),
      replaceSecret: (of, id, { actor, secret }) =>
        Effect.sync(() => {
          const key = keyOf(of, { kind: "campaign", id })
          const owned = rows.get(key)
          if (owned === undefined || owned.config === null) return
          actors.push(actor)
          rows.set(key, { ...owned, config: { ...owned.config, secret } })
        })
    })
  )
}))

const parts = Layer.mergeAll(
  Outbox.layerMemory,
  RetiredSecretStore.layerMemory,
  Transactions.layerMemory,
  Entropy.layerSeeded("webhooks"),
  owners
)

/** Webhooks with their delivery to a receiver with the given responses. */
export const world = (respond: (request: Sent, tries: number) => Answer, options = unpolled) =>
  Layer.merge(Webhooks.layer, WebhookDeliveries.layer).pipe(
    Layer.provideMerge(WebhookDelivery.layer(options)),
    Layer.provideMerge(Layer.merge(receivers(respond), parts))
  )

export const attempt = (number: number) => AttemptId.make(`019a0000-0000-7000-8000-${String(number).padStart(12, "0")}`)

export const enqueue = (number: number, fields: Partial<OutboxRow> & { readonly now?: number } = {}) =>
  Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    yield* (yield* Outbox).enqueueMany([newOutboxRow({
      scope,
      campaign_id,
      deployment_id: null,
      attempt_id: attempt(number),
      url: secretUrl,
      secret: null,
      body,
      created_at: number,
      now,
      ...fields
    })])
  })

export const startDelivery = Effect.flatMap(WebhookDelivery, ({ run }) => Effect.forkScoped(run))
export const nudge = Effect.flatMap(WebhookDelivery, ({ nudge }) => nudge)
export const counts = Effect.flatMap(Outbox, ({ counts }) => counts(scope, campaign_id))
export const sentSoFar = Effect.map(Receiver, ({ requests }) => [...requests])

export const statuses = Effect.gen(function*() {
  const now = yield* Clock.currentTimeMillis
  const rows = yield* (yield* Outbox).listByCampaign({ scope, campaign_id, limit: 100 })
  return rows.map((row): DeliveryStatus => deliveryStatus(row, now))
})
