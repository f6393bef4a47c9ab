import { assert, describe, it } from "@effect/vitest"
import { type Scope, scopeKey, Transactions } from "@trunkline/kernel"
import { type Changes, FactsLog, Names, Projector, type ProjectorOptions, Warehouse } from "@trunkline/warehouse"
import { factOf, factScope } from "@trunkline/warehouse/testing"
import { Context, Effect, Layer, Stream, TestClock } from "effect"

/** What a warehouse was told, and where it stands. */
class Shelf extends Context.Tag("test/Shelf")<Shelf, {
  readonly at: Map<string, number>
  readonly rows: Map<string, string | null>
  readonly applied: Array<Changes>
  /** How many of the next writes fail before they are done. */
  faults: number
}>() {}

const shelf = Layer.sync(Shelf, () => ({ at: new Map(), rows: new Map(), applied: [], faults: 0 }))

const fakeWarehouse = Layer.effect(
  Warehouse,
  Effect.map(Shelf, (shelf) => {
    const at = (scope: Scope) => shelf.at.get(scopeKey(scope)) ?? 0
    return Warehouse.of({
      dialect: "none",
      query: () => Effect.die("not asked"),
      prepare: () => Effect.die("not asked"),
      lost: Stream.never,
      filled: () => Effect.void,
      watermark: (scope) => Effect.sync(() => at(scope)),
      clear: (scope) => Effect.sync(() => void shelf.at.delete(scopeKey(scope))),
      apply: (scope, changes) =>
        Effect.sync(() => {
          if (shelf.faults-- > 0) throw new Error("the disk is full")
          if (changes.from !== at(scope)) return at(scope)
          shelf.applied.push(changes)
          for (const { attempt_id, fact } of changes.changes) shelf.rows.set(attempt_id, fact?.campaign_name ?? null)
          shelf.at.set(scopeKey(scope), changes.to)
          return changes.to
        })
    })
  })
)

const names = Layer.succeed(Names, {
  of: (_scope, { campaign_id }) =>
    Effect.succeed({ app_name: null, campaign_name: `name of ${campaign_id}`, cohort_name: null })
})

const world = (options: ProjectorOptions = {}) =>
  Projector.layer(options).pipe(
    Layer.provide(names),
    Layer.provideMerge(fakeWarehouse),
    Layer.provideMerge(Layer.mergeAll(shelf, FactsLog.layerMemory, Transactions.layerMemory))
  )

const append = (scope: Scope, numbers: ReadonlyArray<number>) =>
  Effect.flatMap(FactsLog, (log) => Effect.forEach(numbers, (number) => log.append(scope, factOf(scope, number))))

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

const running = Effect.flatMap(Projector, ({ run }) => Effect.forkScoped(run))

describe("Projector", () => {
  it.scoped("moves what is there when it starts, and what it is nudged for within a second", () =>
    Effect.gen(function*() {
      const [a, b] = [factScope("a"), factScope("b")]
      yield* append(a, [1, 2])
      yield* running
      yield* TestClock.adjust("1 second")
      const { rows } = yield* Shelf
      assert.strictEqual(rows.size, 2)
      yield* append(b, [1])
      yield* Effect.flatMap(Projector, ({ nudge }) => nudge(b))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(rows.size, 3)
      assert.strictEqual(rows.get(factOf(b, 1).attempt_id), "name of camp-a1b2c3d4e5f6")
    }).pipe(Effect.provide(world())))

  it.scoped("moves many in pieces, each of which begins where the one before ended", () =>
    Effect.gen(function*() {
      const scope = factScope("many")
      yield* append(scope, upTo(501))
      yield* Effect.flatMap(Projector, ({ catchUp }) => catchUp(scope))
      const { applied, rows } = yield* Shelf
      assert.strictEqual(rows.size, 501)
      assert.deepStrictEqual(applied.map(({ changes }) => changes.length), [200, 200, 101])
      assert.deepStrictEqual(applied.slice(1).map(({ from }) => from), applied.slice(0, -1).map(({ to }) => to))
    }).pipe(Effect.provide(world())))

  it.scoped("two that work on the same workspace move every fact once", () =>
    Effect.gen(function*() {
      const scope = factScope("two")
      yield* append(scope, upTo(1_300))
      const { catchUp } = yield* Projector
      yield* Effect.all([catchUp(scope), catchUp(scope)], { concurrency: 2 })
      const { applied } = yield* Shelf
      assert.strictEqual(applied.reduce((sum, { changes }) => sum + changes.length, 0), 1_300)
    }).pipe(Effect.provide(world())))

  it.scoped("news that come while it moves are not missed", () =>
    Effect.gen(function*() {
      const scope = factScope("news")
      yield* running
      const { nudge } = yield* Projector
      for (const number of upTo(20)) {
        yield* append(scope, [number])
        yield* nudge(scope)
        yield* TestClock.adjust("60 millis")
      }
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Shelf).rows.size, 20)
    }).pipe(Effect.provide(world())))

  it.scoped("finds what others logged without a nudge", () =>
    Effect.gen(function*() {
      const scope = factScope("poll")
      yield* running
      yield* append(scope, [1])
      yield* TestClock.adjust("31 seconds")
      assert.strictEqual((yield* Shelf).rows.size, 1)
    }).pipe(Effect.provide(world())))

  it.scoped("fills a warehouse anew that stands beyond the log: it is that of another one", () =>
    Effect.gen(function*() {
      const scope = factScope("beyond")
      const shelf = yield* Shelf
      shelf.at.set(scopeKey(scope), 1_000_000)
      yield* append(scope, [1, 2])
      yield* Effect.flatMap(Projector, ({ catchUp }) => catchUp(scope))
      assert.strictEqual(shelf.rows.size, 2)
      assert.isBelow(shelf.at.get(scopeKey(scope)) ?? 0, 1_000_000)
    }).pipe(Effect.provide(world())))

  it.scoped("tries again after a fault, and loses nothing", () =>
    Effect.gen(function*() {
      const scope = factScope("fault")
      const shelf = yield* Shelf
      shelf.faults = 3
      yield* append(scope, [1, 2, 3])
      yield* running
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(shelf.rows.size, 3)
      assert.strictEqual(shelf.applied.length, 1)
    }).pipe(Effect.provide(world())))

  it.scoped("rebuilds a workspace from the whole log, and says what was erased", () =>
    Effect.gen(function*() {
      const scope = factScope("rebuild")
      const log = yield* FactsLog
      const shelf = yield* Shelf
      const { catchUp, rebuild } = yield* Projector
      yield* append(scope, [1, 2, 3])
      yield* catchUp(scope)
      yield* log.erase(scope, "user-2")
      yield* catchUp(scope)
      assert.deepStrictEqual(shelf.applied.at(-1)?.changes, [{ attempt_id: factOf(scope, 2).attempt_id, fact: null }])
      shelf.applied.length = 0
      yield* rebuild(scope)
      assert.deepStrictEqual(
        shelf.applied.flatMap(({ changes }) => changes.map(({ attempt_id }) => attempt_id)),
        [1, 3, 2].map((number) => factOf(scope, number).attempt_id)
      )
    }).pipe(Effect.provide(world())))
})
