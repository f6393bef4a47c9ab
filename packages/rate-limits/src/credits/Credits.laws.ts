import { assert, layer } from "@effect/vitest"
import { type Transactions, VirtualClock } from "@trunkline/kernel"
import { Cause, Clock, Duration, Effect, Exit, FastCheck, Fiber, Layer, Option } from "effect"
import { Account, AccountId } from "../accounts/Account.js"
import { AccountStore } from "../accounts/AccountStore.js"
import type { CreditLedger } from "./CreditLedger.js"
import { Credits } from "./Credits.js"
import { CreditsModel } from "./CreditsModel.js"
import { LedgerFuse } from "./LedgerFuse.js"

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

/** After how many calls the ledger breaks; in most commands it does not. */
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
      reserve: () => credits.reserve({ ...charging, most: count }),
      settle: () => credits.settle({ ...charging, used: count }),
      release: () => credits.release(charging.request_id)
    }
    return Effect.as(work[action.kind](), "done")
  }

  /** Carries out an action; says what came of it in the model's words, or that the ledger was broken. */
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
      ...(yield* credits.standing(account_id)),
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
  /** Seconds, as all times of a job. */
  lasts: FastCheck.nat(5),
  interruptedAfter: FastCheck.oneof(FastCheck.nat(5).map((seconds) => seconds + 0.5), FastCheck.constant(10)),
  ends: FastCheck.constantFrom("well" as const, "badly" as const, "in a defect" as const)
})

/**
 * The laws of `Credits` over any ledger, in virtual time; each tries as many histories as `numRuns` says. Every history
 * has an account of its own, so rows may live as long as the layer.
 */
export const creditsLaws = <E>(
  name: string,
  live: Layer.Layer<AccountStore | CreditLedger | Transactions, E>,
  numRuns = 25
) =>
  layer(
    Credits.layer({ prices: { talk: { character: price } }, reservationTime }).pipe(
      Layer.provideMerge(LedgerFuse.layer),
      Layer.provideMerge(live)
    )
  )(`Credits laws: ${name}`, (it) => {
    let runs = 0

    it.effect.prop(
      "always do what the plain model does, and nothing when the ledger breaks in the middle",
      [
        FastCheck.boolean(),
        FastCheck.array(FastCheck.oneof(waiting, FastCheck.tuple(actions, fuse)), { maxLength: 40 })
      ],
      ([hasLimit, commands]) =>
        VirtualClock.run(Effect.gen(function*() {
          const { act, look } = yield* open(`model-${++runs}`, hasLimit)
          const { light, putOut } = yield* LedgerFuse
          const model = new CreditsModel({ hasLimit, budgets, reservationTime: Duration.toMillis(reservationTime) })
          for (const command of commands) {
            if ("kind" in command) yield* Effect.sleep(Duration.minutes(command.minutes))
            else {
              const [action, calls] = command
              yield* light(calls)
              const answer = yield* act(action)
              const now = yield* Clock.currentTimeMillis
              assert.strictEqual(answer, (yield* putOut) ? "broken" : inModel(model, action, now))
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
      "hold when many act at once and the ledger breaks: only what is there is spent, and every request pays once",
      [FastCheck.array(FastCheck.array(actions, { maxLength: 10 }), { minLength: 2, maxLength: 6 }), FastCheck.nat(60)],
      ([fibers, calls]) =>
        VirtualClock.run(Effect.gen(function*() {
          const { account_id, act, credits, look } = yield* open(`many-${++runs}`, true)
          const { light, putOut } = yield* LedgerFuse
          yield* credits.grant({ account_id, micro_credits: 200, reference: "first" })
          yield* light(calls)
          const outcomes = yield* Effect.forEach(fibers, (actions) =>
            Effect.forEach(actions, (action) =>
              Effect.gen(function*() {
                const answer = yield* act(action)
                const { balance, reserved } = yield* Effect.retry(Effect.sandbox(credits.standing(account_id)), {
                  times: 1
                })
                assert.isAtLeast(balance ?? -1, reserved)
                return { action, answer }
              })), { concurrency: "unbounded" })
          yield* putOut
          yield* Effect.sleep(reservationTime)
          const { balance, charged, entries, requests, reserved, settled } = yield* look
          const granted = outcomes.flat().flatMap(({ action, answer }) =>
            action.kind === "grant" && answer === "done" ? [action.amount] : []
          )
          const settledRequests = outcomes.flat().flatMap(({ action, answer }) =>
            action.kind === "settle" && answer === "done" ? [action.request] : []
          )
          assert.strictEqual(balance, entries)
          assert.strictEqual(balance, 200 + sum(granted) - charged)
          assert.strictEqual(reserved, 0)
          assert.strictEqual(settled, new Set(settledRequests).size)
          assert.strictEqual(requests, settled)
        })),
      { fastCheck: { numRuns } }
    )

    it.effect.prop(
      "pay for work that is done, and for no other, and leave nothing set aside",
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
              const charging = { payer: { account_id }, request_id, api: "talk", most: { character: most } }
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
