import { assert, layer } from "@effect/vitest"
import { Cause, Context, Deferred, Effect, Exit, FastCheck, Fiber, type Layer } from "effect"
import { Transactions } from "../transactions/Transactions.js"
import { propertyRuns } from "./TestSupport.js"

/** A store under the tested transactions: a table in memory or in a database. */
export class TransactionsProbe extends Context.Tag("@trunkline/kernel/TransactionsProbe")<TransactionsProbe, {
  /** Stores a value under a key. */
  readonly put: (key: string, value: string) => Effect.Effect<void>
  /** Reads the value under a key. */
  readonly get: (key: string) => Effect.Effect<string | undefined>
}>() {}

/** Endings of concurrent transactions after a number of steps; a plain write runs outside of one. */
const endings = FastCheck.array(
  FastCheck.record({
    ends: FastCheck.constantFrom("succeeds", "fails", "dies", "is interrupted", "is a write"),
    steps: FastCheck.nat(3)
  }),
  { minLength: 1, maxLength: 30 }
)

/**
 * Laws of `Transactions`. Every test uses different keys, so rows may live as long as the layer. `sideBySide` is the number
 * of transactions that the implementation runs at a time.
 */
export const transactionsLaws = <E>(
  name: string,
  live: Layer.Layer<Transactions | TransactionsProbe, E>,
  { sideBySide = 1 }: { readonly sideBySide?: number } = {}
) =>
  layer(live)(`Transactions laws: ${name}`, (it) => {
    it.effect("commits the writes of a success and returns its value", () =>
      Effect.gen(function*() {
        const { get, put } = yield* TransactionsProbe
        const { run } = yield* Transactions
        const result = yield* run(Effect.as(put("success", "kept"), 42))
        assert.strictEqual(result, 42)
        assert.strictEqual(yield* get("success"), "kept")
      }))

    it.effect("shows a transaction its own writes", () =>
      Effect.gen(function*() {
        const { get, put } = yield* TransactionsProbe
        const { run } = yield* Transactions
        assert.strictEqual(yield* run(Effect.zipRight(put("own", "mine"), get("own"))), "mine")
      }))

    it.effect("rolls back inserts and updates after a failure, which it passes on", () =>
      Effect.gen(function*() {
        const { get, put } = yield* TransactionsProbe
        const { run } = yield* Transactions
        yield* put("failure/changed", "before")
        const failing = Effect.gen(function*() {
          yield* put("failure/changed", "during")
          yield* put("failure/changed", "later")
          yield* put("failure/new", "during")
          return yield* Effect.fail("refused")
        })
        assert.strictEqual(yield* Effect.flip(run(failing)), "refused")
        assert.strictEqual(yield* get("failure/changed"), "before")
        assert.isUndefined(yield* get("failure/new"))
      }))

    it.effect("rolls back after a defect", () =>
      Effect.gen(function*() {
        const { get, put } = yield* TransactionsProbe
        const { run } = yield* Transactions
        const exit = yield* Effect.exit(run(Effect.zipRight(put("defect", "lost"), Effect.die("broken"))))
        assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
        assert.isUndefined(yield* get("defect"))
      }))

    it.effect("rolls back after an interruption and lets the next transaction run", () =>
      Effect.gen(function*() {
        const { get, put } = yield* TransactionsProbe
        const { run } = yield* Transactions
        const signal = yield* Deferred.make<void>()
        const waiting = put("interrupted", "lost").pipe(
          Effect.zipRight(Deferred.succeed(signal, undefined)),
          Effect.zipRight(Effect.never)
        )
        const fiber = yield* Effect.fork(run(waiting))
        yield* Deferred.await(signal)
        yield* Fiber.interrupt(fiber)
        assert.isUndefined(yield* get("interrupted"))
        yield* run(put("interrupted/next", "kept"))
        assert.strictEqual(yield* get("interrupted/next"), "kept")
      }))

    it.effect("commits or rolls back a nested transaction with the outer one", () =>
      Effect.gen(function*() {
        const { get, put } = yield* TransactionsProbe
        const { run } = yield* Transactions
        const inner = run(put("nested", "inner"))
        yield* Effect.exit(run(Effect.zipRight(inner, Effect.fail("outer fails"))))
        assert.isUndefined(yield* get("nested"))
        yield* run(inner)
        assert.strictEqual(yield* get("nested"), "inner")
      }))

    it.effect("does not interleave concurrent transactions", () =>
      Effect.gen(function*() {
        const { get, put } = yield* TransactionsProbe
        const { run } = yield* Transactions
        yield* put("counter", "0")
        const increment = run(Effect.gen(function*() {
          const before = Number(yield* get("counter"))
          yield* Effect.yieldNow()
          yield* put("counter", String(before + 1))
          yield* Effect.yieldNow()
          assert.strictEqual(yield* get("counter"), String(before + 1))
        }))
        yield* Effect.all(Array.from({ length: 10 }, () => increment), { concurrency: "unbounded" })
        assert.strictEqual(yield* get("counter"), "10")
      }))

    it.effect("rolls back only the writes of the transaction that fails", () =>
      Effect.gen(function*() {
        const { get, put } = yield* TransactionsProbe
        const { run } = yield* Transactions
        const write = (key: string, fails: boolean) =>
          run(Effect.gen(function*() {
            yield* put(key, "written")
            yield* Effect.yieldNow()
            if (fails) return yield* Effect.fail("refused")
          }))
        yield* Effect.all([write("beside/a", false), Effect.exit(write("beside/b", true)), write("beside/c", false)], {
          concurrency: "unbounded"
        })
        assert.strictEqual(yield* get("beside/a"), "written")
        assert.isUndefined(yield* get("beside/b"))
        assert.strictEqual(yield* get("beside/c"), "written")
      }))

    it.effect.prop(
      "commits exactly the successful ones of many concurrent transactions, one after another",
      [endings],
      ([transactions]) =>
        Effect.gen(function*() {
          const { get, put } = yield* TransactionsProbe
          const { run } = yield* Transactions
          yield* put("many/count", "0")
          const work = (name: string, { ends, steps }: typeof transactions[number]) =>
            Effect.gen(function*() {
              const count = Number(yield* get("many/count"))
              yield* put(name, "half")
              yield* put("many/count", String(count + 1))
              yield* Effect.repeatN(Effect.yieldNow(), steps)
              yield* put(name, "whole")
              assert.strictEqual(yield* get("many/count"), String(count + 1))
              if (ends === "fails") return yield* Effect.fail("refused")
              if (ends === "dies") return yield* Effect.die("broken")
              if (ends === "is interrupted") return yield* Effect.interrupt
            })
          const fibers = yield* Effect.forEach(transactions, (one, index) => {
            const name = `many/${index}`
            const write = put(name, "whole")
            return Effect.fork(Effect.zipRight(
              put(name, "before"),
              one.ends === "is a write" ? write : run(work(name, one))
            ))
          })
          yield* Effect.forEach(fibers, Fiber.await)
          for (const [index, { ends }] of transactions.entries()) {
            const isKept = ends === "succeeds" || ends === "is a write"
            assert.strictEqual(yield* get(`many/${index}`), isKept ? "whole" : "before")
          }
          assert.strictEqual(
            yield* get("many/count"),
            String(transactions.filter(({ ends }) => ends === "succeeds").length)
          )
        }),
      { fastCheck: { numRuns: propertyRuns(30) } }
    )

    it.effect("counts waiting transactions, without the running one and those that were interrupted", () =>
      Effect.gen(function*() {
        const { run, waiting } = yield* Transactions
        const go = yield* Deferred.make<void>()
        const occupy = Effect.gen(function*() {
          const start = yield* Deferred.make<void>()
          const work = yield* Effect.fork(run(Effect.zipRight(Deferred.succeed(start, undefined), Deferred.await(go))))
          yield* Deferred.await(start)
          return work
        })
        const running = yield* Effect.replicateEffect(occupy, sideBySide)
        assert.strictEqual(yield* waiting, 0)
        const others = yield* Effect.forEach([1, 2, 3], () => Effect.fork(run(Effect.void)))
        yield* Effect.yieldNow()
        assert.strictEqual(yield* waiting, 3)
        yield* Fiber.interruptAll(others.slice(0, 1))
        assert.strictEqual(yield* waiting, 2)
        yield* Deferred.succeed(go, undefined)
        yield* Fiber.joinAll([...running, ...others.slice(1)])
        assert.strictEqual(yield* waiting, 0)
        yield* run(Effect.void)
      }))
  })
