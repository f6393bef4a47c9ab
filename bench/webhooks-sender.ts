import { EntropyNode } from "@trunkline/entropy-node"
import { HttpSenderGuarded } from "@trunkline/http-client/guarded"
import { AttemptId, CampaignId, OrgId, Scope, Transactions, WorkspaceId } from "@trunkline/kernel"
import { StorageSqlite } from "@trunkline/sqlite"
import {
  type ClaimPlan,
  newOutboxRow,
  Outbox,
  RetiredSecretStore,
  WebhookDelivery,
  WebhookOwners
} from "@trunkline/webhooks"
import { Effect, Layer, Option } from "effect"
import { join } from "node:path"
import { Agent, request } from "undici/index.js"

/** Time of a run; `cpu` in microseconds. */
export interface Sent {
  readonly seconds: number
  readonly cpu: number
}

const [, , kind = "", folder = "", url = "", countText = "", endpointText = ""] = process.argv
const count = Number(countText)
const endpoints = Number(endpointText)
const scope = new Scope({ org_id: OrgId.make("bench"), workspace_id: WorkspaceId.make("main") })
const campaign_id = CampaignId.make("camp-a1b2c3d4e5f6")
const body = new TextEncoder().encode(JSON.stringify({
  app_id: "reminder",
  app_version: 1,
  campaign_id,
  completion_status: "failed",
  connectivity_status: "busy",
  final_agent_variables: { note: "x".repeat(600) }
}))

const urlOf = (index: number) => `${url}/hook/${index % endpoints}`

const fill = Effect.gen(function*() {
  const outbox = yield* Outbox
  const { run } = yield* Transactions
  const rows = Array.from({ length: count }, (_, index) =>
    newOutboxRow({
      scope,
      campaign_id,
      deployment_id: null,
      attempt_id: AttemptId.make(`019a0000-0000-7000-8000-${String(index).padStart(12, "0")}`),
      url: urlOf(index),
      secret: "whsec_c2VjcmV0c2VjcmV0c2VjcmV0",
      body,
      created_at: 0,
      now: Date.now()
    }))
  for (let index = 0; index < count; index += 500) {
    yield* run(outbox.enqueueMany(rows.slice(index, index + 500)))
  }
})

const measure = <E, R>(work: Effect.Effect<unknown, E, R>): Effect.Effect<Sent, E, R> =>
  Effect.gen(function*() {
    const before = process.cpuUsage()
    const start = performance.now()
    yield* work
    const { system, user } = process.cpuUsage(before)
    return { seconds: (performance.now() - start) / 1000, cpu: system + user }
  })

/** A plan with room for every webhook. It finds one until all are delivered, and costs less than counting them. */
const anything: ClaimPlan = { limit: 1, full: 0, exceptScopes: [], freeSlotsFor: () => 1, freeSlotsIn: () => 1 }

const deliver = Effect.gen(function*() {
  yield* fill
  const outbox = yield* Outbox
  const { run } = yield* WebhookDelivery
  const sent = yield* measure(
    Effect.race(run, Effect.repeat(Effect.delay(outbox.nextDue(anything), "100 millis"), { until: Option.isNone }))
  )
  const { delivered } = yield* outbox.counts(scope, null)
  return delivered === count ? sent : yield* Effect.dieMessage(`Only ${delivered} webhooks were delivered`)
})

const storage = kind === "sqlite"
  ? StorageSqlite.layer({ file: join(folder, "webhooks.db") })
  : Layer.mergeAll(Outbox.layerMemory, RetiredSecretStore.layerMemory, Transactions.layerMemory)

const engine = WebhookDelivery.layer().pipe(
  Layer.provideMerge(Layer.mergeAll(
    storage,
    HttpSenderGuarded.layer({ allowInsecureUrls: true, allowPrivateUrls: true }),
    WebhookOwners.layerNone,
    EntropyNode.layerCrypto
  ))
)

/** Posts the same bytes with undici alone, as many at once as an engine does. */
const postRaw = Effect.promise(async () => {
  const dispatcher = new Agent()
  let next = 0
  const post = async () => {
    while (next < count) {
      const response = await request(urlOf(next++), {
        method: "POST",
        dispatcher,
        headers: { "content-type": "application/json" },
        body
      })
      await response.body.dump()
    }
  }
  await Promise.all(Array.from({ length: 192 }, post))
})

const sent = kind === "raw" ? measure(postRaw) : Effect.provide(deliver, engine)
process.send?.(await Effect.runPromise(Effect.scoped(sent)), () => process.exit(0))
