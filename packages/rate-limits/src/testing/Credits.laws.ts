import { assert, layer } from "@effect/vitest"
import { type Transactions, VirtualClock } from "@trunkline/kernel"
import { Cause, Clock, Duration, Effect, Exit, FastCheck, Fiber, Layer, Option } from "effect"
import { Account, AccountId, AccountStore } from "../accounts/AccountStore.js"
import type { CreditLedger } from "../credits/CreditLedger.js"
import { Credits } from "../credits/Credits.js"
import { CreditsModel } from "./CreditsModel.js"
import { LedgerFault } from "./LedgerFault.js"

const reservationTime = Duration.minutes(15)
const price = 3
const budgets: Readonly<Record<string, number>> = { "key-tight": 90 }

const spending = FastCheck.record({
  kind: FastCheck.constantFrom("reserve" as const, "settle" as const, "release" as const),
  request: FastCheck.nat(5).map(String),
  key: FastCheck.constantFrom("key-tight", "key-free"),
  characters: FastCheck.nat(25)
})

const granting = FastCheck.record({
  kind: FastCheck.constant("grant" as const),
  reference: FastCheck.nat(2).map(String),
  amount: FastCheck.integer({ min: 1, max: 150 })
})

const waiting = FastCheck.record({
  kind: FastCheck.constant("wait" as const),
  minutes: FastCheck.integer({ min: 1, max: 10 })
})

/** Number of calls after which the ledger fails; in most commands it does not fail. */
const fuse = FastCheck.oneof({ weight: 3, arbitrary: FastCheck.constant(0) }, FastCheck.integer({ min: 1, max: 9 }))

const actions = FastCheck.oneof({ weight: 4, arbitrary: spending }, granting)
type Action = typeof actions extends FastCheck.Arbitrary<infer A> ? A : never

const sum = (figures: ReadonlyArray<number>) => figures.reduce((total, figure) => total + figure, 0)

const open = Effect.fnUntraced(function*(name: string, hasLimit: boolean) {
  const credits = yield* Credits
  const account_id = AccountId.make(`account-${name}`)
  yield* (yield* AccountStore).putAccount(new Account({ account_id, plan: "pro", credits: hasLimit ? 0 : null }))

  const requested = (request: string) => `${name}-${request}`

  const carryOut = (action: Action) => {
    if (action.kind === "grant") {
      const { amount: micro_credits, reference } = action
      return Effect.map(credits.grant({ account_id, micro_credits, reference }), (isNew) => isNew ? "done" : "again")
    }
    const budget = budgets[action.key]
    const charging = {
      payer: {
        account_id,
        key_id: action.key,
        budget: budget === undefined ? null : { micro_credits: budget, period: "total" as const }
      },
      request_id: requested(action.request),
      api: "talk"
    }
    const count = { character: action.characters }
    const work = {
      reserve: () => credits.reserve({ ...charging, max: count }),
      settle: () => credits.settle({ ...charging, used: count }),
      release: () => credits.release(charging.request_id)
    }
    return Effect.as(work[action.kind](), "done")
  }

  /** Executes an action; returns the model's result, or that the ledger failed. */
  const act = (action: Action) =>
    carryOut(action).pipe(
      Effect.catchTag("InsufficientCredits", ({ spendLimits }) =>
        Effect.succeed(spendLimits === undefined ? "credits" : "budget")),
      Effect.catchAllCause(() =>
        Effect.succeed("broken")
      )
    )

  const look = Effect.gen(function*() {
    const entries = yield* credits.entries(account_id, 1_000)
    const lines = yield* credits.usage({ account_id, from: "0000-01-01", to: "9999-12-31" })
    return {
      ...(yield* credits.balance(account_id)),
      entries: sum(entries.map(({ amount }) => amount)),
      settled: entries.filter(({ kind }) => kind === "usage").length,
      charged: sum(lines.map(({ charged }) => charged)),
      requests: sum(lines.map(({ requests }) => requests)),
      cost: sum(lines.map(({ cost }) => cost))
    }
  })

  return { account_id, act, credits, look, requested }
})

const inModel = (model: CreditsModel, action: Action, now: number) => {
  if (action.kind === "grant") return model.grant(action.reference, action.amount) ? "done" : "again"
  const request = { ...action, amount: action.characters * price, now }
  if (action.kind === "reserve") return model.reserve(request)
  if (action.kind === "settle") model.settle(request)
  else model.release(request.request)
  return "done"
}

const job = FastCheck.record({
  most: FastCheck.nat(20),
  used: FastCheck.nat(20),
  /** In seconds, like all times of a job. */
  lasts: FastCheck.nat(5),
  interruptedAfter: FastCheck.oneof(FastCheck.nat(5).map((seconds) => seconds + 0.5), FastCheck.constant(10)),
  ends: FastCheck.constantFrom("well" as const, "badly" as const, "in a defect" as const)
})

/**
 * Laws of `Credits` over any ledger, in virtual time; each tests `numRuns` histories. Every history uses its own account,
 * so one layer can serve all laws.
 */
export const creditsLaws = <E>(
  name: string,
  live: Layer.Layer<AccountStore | CreditLedger | Transactions, E>,
  numRuns = 25
) =>
  layer(
    Credits.layer({ prices: { talk: { character: price } }, reservationTime }).pipe(
      Layer.provideMerge(LedgerFault.layer),
      Layer.provideMerge(live)
    )
  )(`Credits laws: ${name}`, (it) => {
    let runs = 0

    it.effect.prop(
      "behave like the model, and change nothing when the ledger fails halfway",
      [
        FastCheck.boolean(),
        FastCheck.array(FastCheck.oneof(waiting, FastCheck.tuple(actions, fuse)), { maxLength: 40 })
      ],
      ([hasLimit, commands]) =>
        VirtualClock.run(Effect.gen(function*() {
          const { act, look } = yield* open(`model-${++runs}`, hasLimit)
          const { clear, inject } = yield* LedgerFault
          const model = new CreditsModel({ hasLimit, budgets, reservationTime: Duration.toMillis(reservationTime) })
          for (const command of commands) {
            if ("kind" in command) yield* Effect.sleep(Duration.minutes(command.minutes))
            else {
              const [action, calls] = command
              yield* inject(calls)
              const answer = yield* act(action)
              const now = yield* Clock.currentTimeMillis
              assert.strictEqual(answer, (yield* clear) ? "broken" : inModel(model, action, now))
            }
            const { balance, charged, cost, settled } = model
            const reserved = model.reserved(yield* Clock.currentTimeMillis)
            assert.isAtLeast(hasLimit ? balance - reserved : balance, 0)
            assert.deepStrictEqual(yield* look, {
              balance: hasLimit ? balance : null,
              reserved,
              entries: balance,
              settled,
              charged,
              requests: settled,
              cost
            })
          }
        })),
      { fastCheck: { numRuns } }
    )

    it.effect.prop(
      "never overspend or charge a request twice under concurrency and ledger failures",
      [FastCheck.array(FastCheck.array(actions, { maxLength: 10 }), { minLength: 2, maxLength: 6 }), FastCheck.nat(60)],
      ([fibers, calls]) =>
        VirtualClock.run(Effect.gen(function*() {
          const { account_id, act, credits, look } = yield* open(`many-${++runs}`, true)
          const { clear, inject } = yield* LedgerFault
          yield* credits.grant({ account_id, micro_credits: 200, reference: "first" })
          yield* inject(calls)
          const outcomes = yield* Effect.forEach(fibers, (actions) =>
            Effect.forEach(actions, (action) =>
              Effect.gen(function*() {
                const answer = yield* act(action)
                const { balance, reserved } = yield* Effect.retry(Effect.sandbox(credits.balance(account_id)), {
                  times: 1
                })
                assert.isAtLeast(balance ?? -1, reserved)
                return { action, answer }
              })), { concurrency: "unbounded" })
          yield* clear
          yield* Effect.sleep(reservationTime)
          const { balance, charged, entries, requests, reserved, settled } = yield* look
          const grants = outcomes.flat().flatMap(({ action, answer }) =>
            action.kind === "grant" && answer === "done" ? [action.amount] : []
          )
          const settledRequests = outcomes.flat().flatMap(({ action, answer }) =>
            action.kind === "settle" && answer === "done" ? [action.request] : []
          )
          assert.strictEqual(balance, entries)
          assert.strictEqual(balance, 200 + sum(grants) - charged)
          assert.strictEqual(reserved, 0)
          assert.strictEqual(settled, new Set(settledRequests).size)
          assert.strictEqual(requests, settled)
        })),
      { fastCheck: { numRuns } }
    )

    it.effect.prop(
      "charge completed work only and leave no reservation",
      [FastCheck.array(job, { minLength: 1, maxLength: 12 })],
      ([jobs]) =>
        VirtualClock.run(Effect.gen(function*() {
          const { account_id, credits, look, requested } = yield* open(`pay-${++runs}`, true)
          yield* credits.grant({ account_id, micro_credits: 200, reference: "first" })
          const outcomes = yield* Effect.forEach(jobs, ({ ends, interruptedAfter, lasts, most, used }, index) =>
            Effect.gen(function*() {
              const end = { "well": Effect.void, "badly": Effect.fail("badly"), "in a defect": Effect.die("defect") }
              const work = Effect.as(Effect.delay(end[ends], Duration.seconds(lasts)), {
                value: "done",
                used: { character: used }
              })
              const request_id = requested(String(index))
              const charging = { payer: { account_id }, request_id, api: "talk", max: { character: most } }
              const fiber = yield* Effect.fork(credits.pay(charging, work))
              yield* Effect.fork(Effect.delay(Fiber.interrupt(fiber), Duration.seconds(interruptedAfter)))
              const exit = yield* Fiber.await(fiber)
              const isRefused = Exit.isFailure(exit) &&
                Option.exists(Cause.failureOption(exit.cause), (error) => error !== "badly")
              assert.strictEqual(Exit.isSuccess(exit), ends === "well" && lasts < interruptedAfter && !isRefused)
              return Exit.isSuccess(exit) ? [used] : []
            }), { concurrency: "unbounded" })
          const { balance, charged, cost, reserved, settled } = yield* look
          assert.strictEqual(reserved, 0)
          assert.strictEqual(settled, outcomes.flat().length)
          assert.strictEqual(cost, sum(outcomes.flat()) * price)
          assert.strictEqual(balance, 200 - charged)
        })),
      { fastCheck: { numRuns } }
    )
  })
