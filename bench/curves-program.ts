import { BoardStore } from "@trunkline/boards"
import { CampaignStore } from "@trunkline/campaigns"
import { PhoneNumber, Transactions } from "@trunkline/kernel"
import { Account, AccountStore, Entropy, Keys, KeyStore, Workspace } from "@trunkline/rate-limits"
import { StorageSqlite, WarehouseSqlite } from "@trunkline/sqlite"
import { DeploymentStore, InboundRouter, KnownCallers } from "@trunkline/telephony"
import { Warehouse } from "@trunkline/warehouse"
import { Effect, Layer, ManagedRuntime } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  account_id,
  boardAt,
  campaignAt,
  deploymentAt,
  factAt,
  keyAt,
  keyTextAt,
  numberAt,
  scope
} from "./curves-records.js"

/** Costs with a number of records, measured in a process of its own. */
export interface Curve {
  /** CPU time of each operation in microseconds. */
  readonly micros: Readonly<Record<string, number>>
  /** Resident set and JavaScript heap after a collection, in megabytes. */
  readonly resident: number
  readonly heap: number
}

const [, , storage = "sqlite", figure = "100"] = process.argv
const records = Number(figure)
/** Facts for each record of another kind. */
const factsPerRecord = 10
const batch = 500
const rounds = 7
const turns = 100

const folder = mkdtempSync(join(tmpdir(), "bench-curves-"))

const memory = Layer.mergeAll(
  AccountStore.layerMemory,
  KeyStore.layerMemory,
  DeploymentStore.layerMemory,
  CampaignStore.layerMemory,
  BoardStore.layerMemory
).pipe(Layer.provideMerge(Transactions.layerMemory))

/** Storage of the records. */
type Stores = AccountStore | BoardStore | CampaignStore | DeploymentStore | KeyStore | Transactions

const stores: Layer.Layer<Stores> = storage === "memory"
  ? memory
  : Layer.orDie(StorageSqlite.layer({ file: join(folder, "bench.db") }))

const runtime = ManagedRuntime.make(
  Layer.mergeAll(
    Keys.layer.pipe(Layer.provide(Entropy.layerSeeded("bench"))),
    InboundRouter.layer.pipe(Layer.provide(KnownCallers.layerNone)),
    WarehouseSqlite.layer({ folder })
  ).pipe(Layer.provideMerge(stores))
)

const batches = (total: number) =>
  Array.from(
    { length: Math.ceil(total / batch) },
    (_, turn) => Array.from({ length: Math.min(batch, total - turn * batch) }, (_, index) => turn * batch + index)
  )

const fill = Effect.gen(function*() {
  const [accounts, keys, deployments, campaigns, boards] = yield* Effect.all([
    AccountStore,
    KeyStore,
    DeploymentStore,
    CampaignStore,
    BoardStore
  ])
  const transactions = yield* Transactions
  const warehouse = yield* Warehouse
  yield* transactions.run(Effect.zipRight(
    accounts.putAccount(new Account({ account_id, plan: "starter", credits: null })),
    accounts.putWorkspace(new Workspace({ ...scope, account_id }))
  ))
  const put = (index: number) =>
    Effect.all([
      keys.insert(keyAt(index)),
      deployments.put(scope, deploymentAt(index)),
      campaigns.put(scope, campaignAt(index)),
      boards.put(scope, boardAt(index))
    ])
  for (const indexes of batches(records)) yield* transactions.run(Effect.forEach(indexes, put, { discard: true }))
  for (const indexes of batches(storage === "memory" ? 0 : records * factsPerRecord)) {
    const changes = indexes.map(factAt).map((fact) => ({ attempt_id: fact.attempt_id, fact }))
    const [from = 0] = indexes
    yield* warehouse.apply(scope, { from, to: from + indexes.length, changes })
  }
})

const newest = { offset: 0, limit: 10, sort_by: "created_at", sort_order: "desc", search: "" } as const

const presented = (index: number) => ({ subscriptionKey: keyTextAt(index), bearer: null, xApiKey: null })

const dayQuery = `SELECT effective_date, count(*), avg(audio_duration) FROM EngagementFactsBoardsView
  WHERE effective_datetime < '2026-01-01T16:00:00.000Z' GROUP BY 1`
const allQuery = "SELECT effective_date, count(*), avg(audio_duration) FROM EngagementFactsBoardsView GROUP BY 1"

const operations = Effect.gen(function*() {
  const keys = yield* Keys
  const keyStore = yield* KeyStore
  const deployments = yield* DeploymentStore
  const campaigns = yield* CampaignStore
  const boards = yield* BoardStore
  const router = yield* InboundRouter
  const warehouse = yield* Warehouse
  const caller = PhoneNumber.make("+919876543210")
  const ask = (text: string) => warehouse.query(scope, { text, parameters: [], maxRows: 1_000 })
  const ofRecords: Readonly<Record<string, (index: number) => Effect.Effect<unknown, unknown>>> = {
    "key check, key in the cache": () => keys.authenticate(presented(0), "orgs"),
    "key lookup in the store": (index) => keyStore.findByPublicId(keyAt(index).key_id),
    "deployments, newest page": () => deployments.list(scope, newest),
    "deployment by id": (index) => deployments.find(scope, deploymentAt(index).deployment_id),
    "route of an inbound call": (index) =>
      router.route({ agent_phone_number: numberAt(index), user_phone_number: caller }),
    "campaigns, newest page": () => campaigns.list(scope, newest, null),
    "campaign by id": (index) => campaigns.find(scope, campaignAt(index).campaign_id),
    "boards, newest page": () => boards.list(scope, { limit: 10, offset: 0 }),
    "board by id": (index) => boards.find(scope, boardAt(index).id)
  }
  return storage === "memory" ? ofRecords : {
    ...ofRecords,
    "widget query over a fixed range of facts": () => ask(dayQuery),
    "widget query over all facts": () => ask(allQuery)
  }
})

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Time of a turn: by CPU, except for widget queries, which run in a process of their own. */
const costOf = async (name: string, operation: (index: number) => Effect.Effect<unknown, unknown>) => {
  const isElsewhere = name.startsWith("widget")
  const count = isElsewhere ? 3 : turns
  const work = Array.from({ length: count }, (_, turn) => operation((turn * 7_919) % records))
  const spent: Array<number> = []
  for (let round = 0; round <= rounds; round++) {
    const [cpu, begun] = [process.cpuUsage(), performance.now()]
    await runtime.runPromise(Effect.all(work, { discard: true }))
    const { system, user } = process.cpuUsage(cpu)
    if (round > 0) spent.push((isElsewhere ? (performance.now() - begun) * 1_000 : system + user) / count)
  }
  return median(spent)
}

try {
  await runtime.runPromise(fill)
  const micros: Record<string, number> = {}
  for (const [name, operation] of Object.entries(await runtime.runPromise(operations))) {
    micros[name] = await costOf(name, operation)
  }
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  const curve: Curve = { micros, resident: rss / 1e6, heap: heapUsed / 1e6 }
  process.send?.(curve)
} finally {
  await runtime.dispose()
  rmSync(folder, { recursive: true, force: true })
}
process.disconnect?.()
