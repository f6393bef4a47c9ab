import { assert, describe, it } from "@effect/vitest"
import { type Scope, scopeKey, Transactions } from "@trunkline/kernel"
import {
  type ChangeBatch,
  FactNameLookup,
  FactsLog,
  Projector,
  type ProjectorOptions,
  Warehouse
} from "@trunkline/warehouse"
import { factOf, factScope } from "@trunkline/warehouse/testing"
import { Context, Effect, Layer, Stream, TestClock } from "effect"

/** State of the fake warehouse. */
class FakeState extends Context.Tag("test/FakeState")<FakeState, {
  readonly at: Map<string, number>
  readonly rows: Map<string, string | null>
  readonly applied: Array<ChangeBatch>
  /** Number of upcoming writes that fail. */
  faults: number
}>() {}

const state = Layer.sync(FakeState, () => ({ at: new Map(), rows: new Map(), applied: [], faults: 0 }))

const fakeWarehouse = Layer.effect(
  Warehouse,
  Effect.map(FakeState, (state) => {
    const at = (scope: Scope) => state.at.get(scopeKey(scope)) ?? 0
    return Warehouse.of({
      dialect: "none",
      query: () => Effect.die("not implemented"),
      prepare: () => Effect.die("not implemented"),
      lostWorkspaces: Stream.never,
      markFilled: () => Effect.void,
      watermark: (scope) => Effect.sync(() => at(scope)),
      clear: (scope) => Effect.sync(() => void state.at.delete(scopeKey(scope))),
      apply: (scope, changes) =>
        Effect.sync(() => {
          if (state.faults-- > 0) throw new Error("the disk is full")
          if (changes.from !== at(scope)) return at(scope)
          state.applied.push(changes)
          for (const { attempt_id, fact } of changes.changes) state.rows.set(attempt_id, fact?.campaign_name ?? null)
          state.at.set(scopeKey(scope), changes.to)
          return changes.to
        })
    })
  })
)

const names = Layer.succeed(FactNameLookup, {
  of: (_scope, { campaign_id }) =>
    Effect.succeed({ app_name: null, campaign_name: `name of ${campaign_id}`, cohort_name: null })
})

const layerOf = (options: ProjectorOptions = {}) =>
  Projector.layer(options).pipe(
    Layer.provide(names),
    Layer.provideMerge(fakeWarehouse),
    Layer.provideMerge(Layer.mergeAll(state, FactsLog.layerMemory, Transactions.layerMemory))
  )

const append = (scope: Scope, numbers: ReadonlyArray<number>) =>
  Effect.flatMap(
    FactsLog,
    (log) => Effect.forEach(numbers, (number) => log.appendMany([{ scope, fact: factOf(scope, number) }]))
  )

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

const running = Effect.flatMap(Projector, ({ run }) => Effect.forkScoped(run))

describe("Projector", () => {
  it.scoped("moves existing facts on start, and new ones within a second after a nudge", () =>
    Effect.gen(function*() {
      const [a, b] = [factScope("a"), factScope("b")]
      yield* append(a, [1, 2])
      yield* running
      yield* TestClock.adjust("1 second")
      const { rows } = yield* FakeState
      assert.strictEqual(rows.size, 2)
      yield* append(b, [1])
      yield* Effect.flatMap(Projector, ({ nudge }) => nudge(b))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(rows.size, 3)
      assert.strictEqual(rows.get(factOf(b, 1).attempt_id), "name of camp-a1b2c3d4e5f6")
    }).pipe(Effect.provide(layerOf())))

  it.scoped("moves many facts in consecutive batches", () =>
    Effect.gen(function*() {
      const scope = factScope("many")
      yield* append(scope, upTo(501))
      yield* Effect.flatMap(Projector, ({ catchUp }) => catchUp(scope))
      const { applied, rows } = yield* FakeState
      assert.strictEqual(rows.size, 501)
      assert.deepStrictEqual(applied.map(({ changes }) => changes.length), [200, 200, 101])
      assert.deepStrictEqual(applied.slice(1).map(({ from }) => from), applied.slice(0, -1).map(({ to }) => to))
    }).pipe(Effect.provide(layerOf())))

  it.scoped("moves every fact once when two projectors share a workspace", () =>
    Effect.gen(function*() {
      const scope = factScope("two")
      yield* append(scope, upTo(1_300))
      const { catchUp } = yield* Projector
      yield* Effect.all([catchUp(scope), catchUp(scope)], { concurrency: 2 })
      const { applied } = yield* FakeState
      assert.strictEqual(applied.reduce((sum, { changes }) => sum + changes.length, 0), 1_300)
    }).pipe(Effect.provide(layerOf())))

  it.scoped("handles nudges that arrive during processing", () =>
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
      assert.strictEqual((yield* FakeState).rows.size, 20)
    }).pipe(Effect.provide(layerOf())))

  it.scoped("finds facts of other processes without a nudge", () =>
    Effect.gen(function*() {
      const scope = factScope("poll")
      yield* running
      yield* append(scope, [1])
      yield* TestClock.adjust("31 seconds")
      assert.strictEqual((yield* FakeState).rows.size, 1)
    }).pipe(Effect.provide(layerOf())))

  it.scoped("refills a warehouse whose watermark is beyond the log", () =>
    Effect.gen(function*() {
      const scope = factScope("beyond")
      const state = yield* FakeState
      state.at.set(scopeKey(scope), 1_000_000)
      yield* append(scope, [1, 2])
      yield* Effect.flatMap(Projector, ({ catchUp }) => catchUp(scope))
      assert.strictEqual(state.rows.size, 2)
      assert.isBelow(state.at.get(scopeKey(scope)) ?? 0, 1_000_000)
    }).pipe(Effect.provide(layerOf())))

  it.scoped("retries after a failure without losing facts", () =>
    Effect.gen(function*() {
      const scope = factScope("fault")
      const state = yield* FakeState
      state.faults = 3
      yield* append(scope, [1, 2, 3])
      yield* running
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(state.rows.size, 3)
      assert.strictEqual(state.applied.length, 1)
    }).pipe(Effect.provide(layerOf())))

  it.scoped("rebuilds a workspace from the whole log, including erasures", () =>
    Effect.gen(function*() {
      const scope = factScope("rebuild")
      const log = yield* FactsLog
      const state = yield* FakeState
      const { catchUp, rebuild } = yield* Projector
      yield* append(scope, [1, 2, 3])
      yield* catchUp(scope)
      yield* log.erase(scope, "user-2")
      yield* catchUp(scope)
      assert.deepStrictEqual(state.applied.at(-1)?.changes, [{ attempt_id: factOf(scope, 2).attempt_id, fact: null }])
      state.applied.length = 0
      yield* rebuild(scope)
      assert.deepStrictEqual(
        state.applied.flatMap(({ changes }) => changes.map(({ attempt_id }) => attempt_id)),
        [1, 3, 2].map((number) => factOf(scope, number).attempt_id)
      )
    }).pipe(Effect.provide(layerOf())))
})
