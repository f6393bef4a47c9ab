import { assert, describe, it } from "@effect/vitest"
import { Credits } from "@trunkline/rate-limits"
import { LedgerFault } from "@trunkline/rate-limits/testing"
import { Cause, Deferred, Effect, Exit, Fiber, Logger, Ref } from "effect"
import { acme, asking, credits, reserve, settle, standing, usage } from "./Fixtures.js"

const pay = <A, E, R>(work: Effect.Effect<A, E, R>, used = 25) =>
  Effect.flatMap(
    Credits,
    (credits) => credits.pay(asking("a", 60), Effect.map(work, (value) => ({ value, used: { character: used } })))
  )

const nothingDone = Effect.gen(function*() {
  assert.deepStrictEqual(yield* standing(), { balance: 100, reserved: 0 })
  assert.deepStrictEqual(yield* usage(), [])
})

describe("paying", () => {
  it.effect("reserves, runs the work, charges its usage and returns its value", () =>
    Effect.gen(function*() {
      const during = yield* pay(standing())
      assert.deepStrictEqual(during, { balance: 100, reserved: 60 })
      assert.deepStrictEqual(yield* standing(), { balance: 75, reserved: 0 })
    }).pipe(Effect.provide(credits())))

  it.effect("does not start work that is not covered", () =>
    Effect.gen(function*() {
      yield* reserve("b", 50)
      const refused = yield* Effect.flip(pay(Effect.dieMessage("Must not begin")))
      assert.strictEqual(refused._tag, "InsufficientCredits")
      assert.deepStrictEqual(yield* standing(), { balance: 100, reserved: 50 })
    }).pipe(Effect.provide(credits())))

  it.effect("charges nothing for work that fails or dies and keeps its failure", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* Effect.flip(pay(Effect.fail("no voice"))), "no voice")
      yield* nothingDone
      const exit = yield* Effect.exit(pay(Effect.die("broken")))
      assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
      yield* nothingDone
      const unmeasured = yield* Effect.exit(pay(Effect.void, 0.5))
      assert.isTrue(Exit.isFailure(unmeasured) && Cause.isDie(unmeasured.cause))
      yield* nothingDone
    }).pipe(Effect.provide(credits())))

  it.effect("charges nothing for interrupted work", () =>
    Effect.gen(function*() {
      const startSignal = yield* Deferred.make<void>()
      const fiber = yield* Effect.fork(pay(Effect.zipRight(Deferred.succeed(startSignal, undefined), Effect.never)))
      yield* Deferred.await(startSignal)
      assert.deepStrictEqual(yield* standing(), { balance: 100, reserved: 60 })
      yield* Fiber.interrupt(fiber)
      yield* nothingDone
    }).pipe(Effect.provide(credits())))

  it.effect("charges completed work and leaves no reservation, whenever it is interrupted", () =>
    Effect.gen(function*() {
      const values = new Set<number>()
      for (let steps = 0; steps < 60; steps++) {
        yield* Effect.gen(function*() {
          const isDone = yield* Ref.make(false)
          const fiber = yield* Effect.fork(pay(Effect.zipRight(Effect.yieldNow(), Ref.set(isDone, true))))
          yield* Effect.repeatN(Effect.yieldNow(), steps)
          yield* Fiber.interrupt(fiber)
          const balance = (yield* Ref.get(isDone)) ? 75 : 100
          assert.deepStrictEqual(yield* standing(), { balance, reserved: 0 })
          values.add(balance)
        }).pipe(Effect.provide(credits()))
      }
      assert.deepStrictEqual(values, new Set([100, 75]))
    }))

  it.effect("reports an unavailable ledger and changes nothing, whichever call fails", () =>
    Effect.gen(function*() {
      const { release } = yield* Credits
      const { clear, inject } = yield* LedgerFault
      const calls = { reserve: reserve("b", 10), settle: settle("b", 10), release: release("b"), pay: pay(Effect.void) }
      for (const [name, call] of Object.entries(calls)) {
        const before = { standing: yield* standing(), usage: yield* usage() }
        let breaks = 0
        for (; breaks < 30; breaks++) {
          yield* inject(breaks + 1)
          const exit = yield* Effect.exit(call)
          if (!(yield* clear)) break
          const error = Exit.isFailure(exit) ? Cause.failureOption(exit.cause) : exit
          assert.nestedPropertyVal(error, "value._tag", "BillingUnavailable", name)
          assert.deepStrictEqual({ standing: yield* standing(), usage: yield* usage() }, before, name)
        }
        assert.isAtLeast(breaks, name === "release" ? 1 : 5, name)
      }
      assert.deepStrictEqual(yield* standing(), { balance: 65, reserved: 0 })
    }).pipe(Effect.provide([credits(), Logger.remove(Logger.defaultLogger)])))

  it.effect("logs the kind of a defect but not its message", () => {
    const lines: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => lines.push(`${logLevel.label} ${String(message)}`))
    return Effect.gen(function*() {
      yield* (yield* LedgerFault).inject(1)
      yield* Effect.flip(reserve("a", 10))
      assert.strictEqual(lines.length, 1)
      assert.match(lines[0] ?? "", /^ERROR The credit ledger is unavailable,Error\n/)
      assert.notInclude(lines.join(), "disk")
      assert.notInclude(lines.join(), acme)
    }).pipe(Effect.provide([credits(), Logger.replace(Logger.defaultLogger, logger)]))
  })
})
