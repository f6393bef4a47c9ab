import { assert, describe, it } from "@effect/vitest"
import { Transactions } from "@trunkline/kernel"
import { FactsLog, Projector, Warehouse, warehouseMemory } from "@trunkline/warehouse"
import { factOf, factScope } from "@trunkline/warehouse/testing"
import { Cause, Effect, Exit, Layer } from "effect"
import { vi } from "vitest"

vi.mock("sql.js/dist/sql-wasm-inline.js", () => {
  throw new Error("not installed")
})

const world = Projector.layer().pipe(
  Layer.provideMerge(Layer.mergeAll(warehouseMemory, FactsLog.layerMemory, Transactions.layerMemory))
)

describe("an in-memory warehouse without sql.js", () => {
  it.effect("accepts facts, and fails queries with a message about the missing package", () =>
    Effect.gen(function*() {
      const scope = factScope("without")
      yield* (yield* FactsLog).appendMany([{ scope, fact: factOf(scope, 1) }])
      yield* (yield* Projector).catchUp(scope)
      const query = { text: "SELECT 1", parameters: [], maxRows: 1 }
      const exit = yield* Effect.exit(Effect.flatMap(Warehouse, (warehouse) => warehouse.query(scope, query)))
      assert.include(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", "npm install sql.js@1")
    }).pipe(Effect.provide(world)))
})
