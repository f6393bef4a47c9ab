import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Account, AccountId, AccountStore, BucketStore, Credits } from "@trunkline/rate-limits"
import { Array, Context, Effect, FastCheck, Layer, type Scope, TestClock } from "effect"
import type { LimitStores } from "../accounts/LimitsSql.js"
import { inEach, inFirst, joinFour, price, type Services } from "./FourFixtures.js"
import type { ProcessLayer } from "./Processes.laws.js"

/** Micro-credits of each account. */
const credit = 300

const job = FastCheck.record({
  most: FastCheck.integer({ min: 1, max: 30 }),
  /** Share of the maximum that the request uses. */
  share: FastCheck.constantFrom(0, 0.3, 1),
  ends: FastCheck.constantFrom("well" as const, "well" as const, "badly" as const, "never" as const)
})
const jobsOf = (seed: number) => FastCheck.sample(job, { seed, numRuns: 6 })
type Job = ReturnType<typeof jobsOf>[number]

const amounts = (numbers: ReadonlyArray<number>) => numbers.reduce((sum, amount) => sum + amount, 0)

/** Asks a ledger again that was too busy to answer: each step counts once for its request. */
const untilBilled = <A, E extends { readonly _tag: string }, R>(step: Effect.Effect<A, E, R>) =>
  Effect.retry(step, { while: ({ _tag }) => _tag === "BillingUnavailable" })

/** Reserves, and then settles, releases or forgets a request; returns the amounts charged and still reserved. */
const spend = (account_id: AccountId, request_id: string, { ends, most, share }: Job) =>
  Effect.gen(function*() {
    const credits = yield* Credits
    const charge = { payer: { account_id }, request_id, api: "talk" }
    yield* untilBilled(credits.reserve({ ...charge, max: { character: most } }))
    const used = Math.floor(most * share)
    if (ends === "badly") yield* untilBilled(credits.release(request_id))
    if (ends === "well") yield* untilBilled(credits.settle({ ...charge, used: { character: used } }))
    return { charged: ends === "well" ? used * price : 0, reserved: ends === "never" ? most * price : 0, refused: 0 }
  }).pipe(Effect.catchAll(() => Effect.succeed({ charged: 0, reserved: 0, refused: 1 })))

/** Reads a balance again and again; it always covers what is reserved. */
const watchBalance = (account_id: AccountId) =>
  Effect.gen(function*() {
    const { balance, reserved } = yield* Effect.flatMap(Credits, (credits) => credits.balance(account_id))
    assert.isAtLeast(balance ?? 0, reserved)
    assert.isAtMost(balance ?? 0, credit)
  }).pipe(Effect.forever)

/** Spends an account in four processes at once, more than there is, and checks what is left; returns the refused requests. */
const spendAll = (processes: ReadonlyArray<Services>, seed: number) =>
  Effect.gen(function*() {
    const account_id = AccountId.make(`account-${seed}`)
    const putAccount = Effect.flatMap(AccountStore, (accounts) =>
      accounts.putAccount(new Account({ account_id, plan: "pro", credits: 0 })))
    yield* inFirst(processes, putAccount)
    const grants = yield* inEach(processes, () =>
      Effect.flatMap(Credits, ({ grant }) =>
        grant({ account_id, micro_credits: credit, reference: "invoice-1" })))
    assert.lengthOf(
      grants.filter((isNew) =>
        isNew
      ),
      1
    )
    const spending = inEach(processes, (process) =>
      Effect.forEach(
        jobsOf(seed * 4 + process),
        (job, index) => spend(account_id, `${seed}-${process}-${index}`, job),
        { concurrency: 2 }
      ))
    const results = (yield* Effect.raceFirst(spending, inFirst(processes, watchBalance(account_id)))).flat()
    const charges = amounts(results.map(({ charged }) => charged))
    const reservation = amounts(results.map(({ reserved }) => reserved))
    const { balance, entries, usage } = yield* inFirst(
      processes,
      Effect.flatMap(Credits, (credits) =>
        Effect.all({
          balance: credits.balance(account_id),
          entries: credits.entries(account_id, 1_000),
          usage: credits.usage({ account_id, from: "0000-01-01", to: "9999-12-31" })
        }))
    )
    assert.deepStrictEqual(balance, { balance: credit - charges, reserved: reservation })
    assert.isAtMost(charges + reservation, credit)
    assert.strictEqual(amounts(entries.map(({ amount }) => amount)), credit - charges)
    assert.strictEqual(amounts(usage.map((line) => line.charged)), charges)
    assert.strictEqual(amounts(usage.map(({ cost }) => cost)), charges)
    return amounts(results.map(({ refused }) => refused))
  })

/** Laws of credits that four processes spend at the same time. */
export const fourSpendersLaws = <E>(
  name: string,
  database: Effect.Effect<ProcessLayer<E>, never, Scope.Scope>
) =>
  describe(`Laws of four processes that spend credits: ${name}`, () => {
    it.scopedLive("never spend or reserve more than there is, and charge exactly what was used", () =>
      Effect.gen(function*() {
        const processes = yield* joinFour(database)
        const refusals = yield* Effect.forEach(Array.range(1, propertyRuns(50)), (seed) => spendAll(processes, seed))
        assert.isAbove(amounts(refusals), 0)
      }))
  })

/** Laws of request limits that four processes use at the same time; `database` is empty and returns the layer to open it. */
export const fourRequestersLaws = <E>(
  name: string,
  database: Effect.Effect<Layer.Layer<LimitStores, E>, never, Scope.Scope>
) =>
  describe(`Laws of four processes that take from a bucket: ${name}`, () => {
    it.scoped("admit its burst and what comes back, and nothing more, whenever they look", () =>
      Effect.gen(function*() {
        const layer = yield* database
        const guests = yield* Effect.replicateEffect(Layer.build(Layer.fresh(layer)), 4)
        const [burst, millis] = [20, 50]
        const bucket = { owner: "four", name: "chat", interval: millis * 1_000, burst }
        let [admitted, passed] = [0, 0]
        // Pauses in which the bucket does not become full, and no part of a unit is lost; each round empties it.
        for (const pause of FastCheck.sample(FastCheck.nat((burst - 1) * millis), { seed: 1, numRuns: 15 })) {
          const round = guests.flatMap((guest) =>
            Array.replicate(Context.get(guest, BucketStore).take([bucket], 1), burst / 2)
          )
          const answers = yield* Effect.all(round, { concurrency: "unbounded" })
          admitted += answers.filter((answer) => answer.isAdmitted).length
          assert.strictEqual(admitted, burst + Math.floor(passed / millis))
          yield* TestClock.adjust(pause)
          passed += pause
        }
      }))
  })
