import { assert, layer } from "@effect/vitest"
import { Transactions } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import type { Report } from "../reports/Report.js"
import type { Delivery } from "../store/Delivery.js"
import type { NotificationStore } from "../store/NotificationStore.js"
import {
  claimAll,
  deliveryOf,
  emptyStore,
  otherScope,
  putRule,
  reportOf,
  ruleOf,
  runOf,
  scope
} from "./NotificationFixtures.js"

const table: Report["outcome"] = {
  columns: [{ name: "day", type: "DateTime" }, { name: "calls" }],
  rows: [["सोमवार", 12], [null, 0.5], ["\"a\",\n", true]],
  truncated: true
}

const ids = (deliveries: ReadonlyArray<Delivery>) => deliveries.map(({ delivery_id }) => delivery_id)
const anyScope = { exceptScopes: [] }
const page = { limit: 10, offset: 0 }

/** A run in the state `sending`, in an otherwise empty store. */
const sending = Effect.gen(function*() {
  const store = yield* emptyStore
  const run = runOf((yield* putRule(ruleOf())).rule_id)
  yield* store.insertRun(run)
  yield* store.claimRuns(claimAll)
  yield* store.settleRun({ ...run, claims: 1, state: "sending" }, reportOf(run, table))
  return { store, run }
})

/** Laws of runs and deliveries of a `NotificationStore`. */
export const notificationRunLaws = <E>(name: string, live: Layer.Layer<NotificationStore | Transactions, E>) =>
  layer(live)(`NotificationStore laws, runs: ${name}`, (it) => {
    it.effect("lets the latest claimant settle a run once, and keeps its report until it is closed", () =>
      Effect.gen(function*() {
        const store = yield* emptyStore
        const run = runOf((yield* putRule(ruleOf())).rule_id)
        yield* store.insertRun(run)
        yield* store.claimRuns(claimAll)
        yield* store.claimRuns(claimAll)
        const report = reportOf(run, table)
        assert.isFalse(yield* store.settleRun({ ...run, claims: 1, state: "sending" }, report))
        assert.deepStrictEqual(yield* store.findReport(run.run_id), Option.none())
        assert.isTrue(yield* store.settleRun({ ...run, claims: 2, state: "sending" }, report))
        assert.isFalse(yield* store.settleRun({ ...run, claims: 2, state: "failed" }, null))
        assert.deepStrictEqual(yield* store.findReport(run.run_id), Option.some(report))
        assert.deepStrictEqual(yield* store.claimRuns(claimAll), [])
        assert.deepStrictEqual(yield* store.nextRunClaim(anyScope), Option.none())
        const failure = runOf(run.rule_id, { scheduled_for: 2_000 })
        yield* store.insertRun(failure)
        yield* store.claimRuns(claimAll)
        const errorReport = reportOf(failure, { code: "TIMEOUT", message: "Too slow" })
        yield* store.settleRun({ ...failure, claims: 1, state: "sending" }, errorReport)
        assert.deepStrictEqual(yield* store.findReport(failure.run_id), Option.some(errorReport))
      }))

    it.effect("closes a run and deletes its report when none of its deliveries is pending", () =>
      Effect.gen(function*() {
        const { run, store } = yield* sending
        yield* store.insertDeliveries([deliveryOf(run), deliveryOf(run, { channel: "slack" })])
        const [mail, chat] = [
          ...(yield* store.claimDeliveries("email", claimAll)),
          ...(yield* store.claimDeliveries("slack", claimAll))
        ]
        yield* store.closeRun(run.run_id)
        for (const delivery of [mail, chat]) {
          if (delivery === undefined) return assert.fail("a channel has no delivery")
          assert.isTrue(Option.isSome(yield* store.findReport(run.run_id)))
          yield* store.saveDelivery({ ...delivery, state: "delivered" })
          yield* store.closeRun(run.run_id)
        }
        assert.deepStrictEqual(yield* store.findReport(run.run_id), Option.none())
      }))

    it.effect("stores one delivery per run and channel and returns it unchanged", () =>
      Effect.gen(function*() {
        const { run, store } = yield* sending
        const failing = deliveryOf(run, { channel: "slack", error_code: "TIMEOUT" })
        const [mail, chat] = [deliveryOf(run, { rows: 3, truncated: true }), failing]
        yield* store.insertDeliveries([mail, chat])
        yield* store.insertDeliveries([deliveryOf(run), deliveryOf(run, { channel: "slack" })])
        const list = yield* store.listDeliveries(scope, run.rule_id, page)
        assert.deepStrictEqual(list, { items: [mail, chat], total: 2 })
        const claim = { now: 50, limit: 10, leaseMillis: 100 }
        const lease = { tries: 1, started_at: 50, leased_until: 150 }
        assert.deepStrictEqual(yield* store.claimDeliveries("email", claim), [{ ...mail, ...lease }])
        assert.deepStrictEqual(yield* store.claimDeliveries("slack", claim), [{ ...chat, ...lease }])
      }))

    it.effect("claims available deliveries, longest due first", () =>
      Effect.gen(function*() {
        const { run, store } = yield* sending
        const transactions = yield* Transactions
        const due: Array<Delivery> = []
        for (const due_at of [30, 10, 20, 41]) {
          const one = runOf(run.rule_id, { scheduled_for: 10_000 + due_at, state: "sending" })
          yield* store.insertRun(one)
          due.push(deliveryOf(one, { due_at }))
        }
        yield* store.insertDeliveries(due)
        assert.deepStrictEqual(yield* store.nextDelivery("email"), Option.some(10))
        assert.deepStrictEqual(yield* store.nextDelivery("slack"), Option.none())
        const claim = (limit: number) =>
          transactions.run(store.claimDeliveries("email", { now: 40, limit, leaseMillis: 100 }))
        assert.deepStrictEqual((yield* claim(1)).map(({ due_at }) => due_at), [10])
        const others = yield* Effect.all([claim(2), claim(2)], { concurrency: "unbounded" })
        assert.deepStrictEqual(others.flat().map(({ due_at }) => due_at).sort(), [20, 30])
        assert.deepStrictEqual(yield* store.nextDelivery("email"), Option.some(41))
        const later = yield* store.claimDeliveries("email", { now: 139, limit: 10, leaseMillis: 100 })
        assert.deepStrictEqual(later.map(({ due_at }) => due_at), [41])
        const again = yield* store.claimDeliveries("email", { now: 140, limit: 10, leaseMillis: 100 })
        assert.deepStrictEqual(again.map(({ tries }) => tries), [2, 2, 2])
      }))

    it.effect("lets the latest claimant save a delivery until it has ended", () =>
      Effect.gen(function*() {
        const { run, store } = yield* sending
        yield* store.insertDeliveries([deliveryOf(run)])
        const [first] = yield* store.claimDeliveries("email", claimAll)
        const [second] = yield* store.claimDeliveries("email", claimAll)
        if (first === undefined || second === undefined) return assert.fail("nothing was claimed")
        assert.isFalse(yield* store.saveDelivery({ ...first, state: "delivered" }))
        const settled = [{ address: "asha@example.in", refused: null }, { address: "x@example.in", refused: "550" }]
        const update = { ...second, settled, leased_until: 7, due_at: 9, last_error: "HTTP 500" }
        assert.isTrue(yield* store.saveDelivery(update))
        assert.deepStrictEqual((yield* store.listDeliveries(scope, run.rule_id, page)).items, [update])
        const finalDelivery = { ...update, state: "failed" as const, finished_at: 10, settled: [] }
        assert.isTrue(yield* store.saveDelivery(finalDelivery))
        assert.isFalse(yield* store.saveDelivery({ ...finalDelivery, state: "delivered" }))
        assert.deepStrictEqual((yield* store.listDeliveries(scope, run.rule_id, page)).items, [finalDelivery])
        assert.deepStrictEqual(yield* store.claimDeliveries("email", claimAll), [])
        assert.isFalse(yield* store.saveDelivery(deliveryOf(run)))
      }))

    it.effect("lists deliveries by newest occurrence and deletes all but the newest runs", () =>
      Effect.gen(function*() {
        const { run, store } = yield* sending
        const other = yield* putRule(ruleOf())
        const rows: Array<Delivery> = []
        for (const scheduled_for of [3_000, 2_000, 4_000]) {
          for (const rule_id of [run.rule_id, other.rule_id]) {
            const one = runOf(rule_id, { scheduled_for, state: "sending" })
            yield* store.insertRun(one)
            rows.push(deliveryOf(one, { channel: "slack" }), deliveryOf(one))
          }
        }
        yield* store.insertDeliveries(rows)
        const order = [4_000, 3_000, 2_000].flatMap((at) =>
          (["email", "slack"] as const).flatMap((of) =>
            rows.filter((row) => row.rule_id === run.rule_id && row.scheduled_for === at && row.channel === of)
          )
        )
        const list = (limit: number, offset: number) => store.listDeliveries(scope, run.rule_id, { limit, offset })
        assert.deepStrictEqual(ids((yield* list(10, 0)).items), ids(order))
        assert.deepStrictEqual(ids((yield* list(2, 3)).items), ids(order.slice(3, 5)))
        assert.strictEqual((yield* store.listDeliveries(otherScope, run.rule_id, page)).total, 0)
        yield* store.keepRuns(run.rule_id, 2)
        assert.deepStrictEqual(ids((yield* list(10, 0)).items), ids(order.slice(0, 4)))
        assert.deepStrictEqual(yield* store.findReport(run.run_id), Option.none())
        assert.strictEqual((yield* store.listDeliveries(scope, other.rule_id, page)).total, 6)
      }))

    it.effect("rolls back claims and saves of a failed transaction", () =>
      Effect.gen(function*() {
        const { run, store } = yield* sending
        const transactions = yield* Transactions
        const delivery = deliveryOf(run)
        yield* store.insertDeliveries([delivery])
        const claimAndSave = Effect.flatMap(store.claimDeliveries("email", claimAll), (batch) =>
          Effect.forEach(batch, (one) => store.saveDelivery({ ...one, state: "failed" })))
        yield* Effect.flip(transactions.run(Effect.zipRight(claimAndSave, Effect.fail("undone"))))
        assert.deepStrictEqual((yield* store.listDeliveries(scope, run.rule_id, page)).items, [delivery])
      }))
  })
