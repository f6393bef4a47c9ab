import { assert, layer } from "@effect/vitest"
import { type Scope, scopeKey, Transactions } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import { FactsLog } from "../facts/FactsLog.js"
import { factOf, factScope, unansweredFact } from "../fixtures.js"

const entries = (scope: Scope, after = 0, limit = 100) =>
  Effect.flatMap(FactsLog, (log) => log.read(scope, { after, limit }))

const append = (scope: Scope, ...numbers: ReadonlyArray<number>) =>
  Effect.flatMap(
    FactsLog,
    (log) => Effect.forEach(numbers, (number) => log.appendMany([{ scope, fact: factOf(scope, number) }]))
  )

/** Laws of `FactsLog`. Every law uses its own organisation, so entries may live as long as the layer. */
export const factsLogLaws = <E>(name: string, live: Layer.Layer<FactsLog | Transactions, E>) =>
  layer(live)(`FactsLog laws: ${name}`, (it) => {
    it.effect("returns facts as written, in the order of writing", () =>
      Effect.gen(function*() {
        const scope = factScope("order")
        const facts = [
          factOf(scope, 3),
          factOf(scope, 1, unansweredFact),
          factOf(scope, 2, { metadata: { a: [1, null] } })
        ]
        const log = yield* FactsLog
        yield* Effect.forEach(facts, (fact) => log.appendMany([{ scope, fact }]))
        assert.deepStrictEqual((yield* entries(scope)).map(({ fact }) => fact), facts)
      }))

    it.effect("appends many facts of several workspaces in order, the last one of an attempt for good", () =>
      Effect.gen(function*() {
        const [scope, other] = [factScope("many"), factScope("many-other")]
        const log = yield* FactsLog
        const revision = factOf(scope, 1, { failure_reason: "found later" })
        yield* log.appendMany([
          { scope, fact: factOf(scope, 1) },
          { scope: other, fact: factOf(other, 3) },
          { scope, fact: factOf(scope, 2) },
          { scope, fact: revision }
        ])
        assert.deepStrictEqual((yield* entries(scope)).map(({ fact }) => fact), [factOf(scope, 2), revision])
        assert.deepStrictEqual((yield* entries(other)).map(({ fact }) => fact), [factOf(other, 3)])
      }))

    it.effect("can be read in pages from any position to the same end", () =>
      Effect.gen(function*() {
        const scope = factScope("pieces")
        yield* append(scope, 1, 2, 3, 4, 5)
        const whole = yield* entries(scope)
        const pages = []
        for (let after = 0;; after = pages.at(-1)?.seq ?? 0) {
          const page = yield* entries(scope, after, 2)
          if (page.length === 0) break
          assert.isAtMost(page.length, 2)
          pages.push(...page)
        }
        assert.deepStrictEqual(pages, [...whole])
      }))

    it.effect("moves an attempt to the end when it is appended again, with its latest fact only", () =>
      Effect.gen(function*() {
        const scope = factScope("again")
        const log = yield* FactsLog
        yield* append(scope, 1, 2)
        const before = (yield* entries(scope)).at(-1)?.seq ?? 0
        const revision = factOf(scope, 1, { failure_reason: "found later" })
        yield* log.appendMany([{ scope, fact: revision }])
        const after = yield* entries(scope)
        assert.deepStrictEqual(after.map(({ fact }) => fact), [factOf(scope, 2), revision])
        assert.isAbove(after[1]?.seq ?? 0, before)
        assert.deepStrictEqual((yield* entries(scope, before)).map(({ fact }) => fact), [revision])
      }))

    it.effect("finds the latest fact of an attempt in its workspace, and none after erasure", () =>
      Effect.gen(function*() {
        const [scope, other] = [factScope("find"), factScope("find-other")]
        const log = yield* FactsLog
        const { attempt_id } = factOf(scope, 1)
        yield* append(scope, 1, 2)
        const revision = factOf(scope, 1, { cost_amount: 2.5, cost_currency: "INR" })
        yield* log.appendMany([{ scope, fact: revision }])
        assert.deepStrictEqual(yield* log.find(scope, attempt_id), Option.some(revision))
        assert.deepStrictEqual(yield* log.find(other, attempt_id), Option.none())
        yield* log.erase(scope, "user-1")
        assert.deepStrictEqual(yield* log.find(scope, attempt_id), Option.none())
      }))

    it.effect("erases all facts of a contact and appends an entry for each attempt", () =>
      Effect.gen(function*() {
        const [scope, other] = [factScope("erase"), factScope("erase-other")]
        const log = yield* FactsLog
        const erasedFacts = [1, 3].map((number) => factOf(scope, number, { user_identifier: "asha" }))
        yield* Effect.forEach(
          [erasedFacts[0], factOf(scope, 2), erasedFacts[1]],
          (fact) => fact === undefined ? Effect.void : log.appendMany([{ scope, fact }])
        )
        yield* log.appendMany([{ scope: other, fact: factOf(other, 1, { user_identifier: "asha" }) }])
        const end = (yield* entries(scope)).at(-1)?.seq ?? 0
        assert.deepStrictEqual(
          yield* log.erase(scope, "asha"),
          erasedFacts.map(({ attempt_id, interaction_id }) => ({ attempt_id, interaction_id }))
        )
        assert.deepStrictEqual(
          (yield* entries(scope, end)).map(({ attempt_id, fact }) => [attempt_id, fact]),
          erasedFacts.map(({ attempt_id }) => [attempt_id, null])
        )
        assert.strictEqual((yield* entries(scope)).length, 3)
        assert.strictEqual((yield* entries(other)).length, 1)
        assert.deepStrictEqual(yield* log.erase(scope, "asha"), [])
      }))

    it.effect("returns the position of a workspace's last entry", () =>
      Effect.gen(function*() {
        const [scope, other] = [factScope("end"), factScope("end-other")]
        const log = yield* FactsLog
        assert.strictEqual(yield* log.end(scope), 0)
        yield* append(scope, 1, 2)
        yield* append(other, 1)
        assert.strictEqual(yield* log.end(scope), (yield* entries(scope)).at(-1)?.seq)
      }))

    it.effect("lists every workspace with entries once", () =>
      Effect.gen(function*() {
        const scopes = ["names-a", "names-b", "names-c"].map(factScope)
        const log = yield* FactsLog
        yield* Effect.forEach(scopes, (scope) => append(scope, 1, 2, 3))
        const workspaces = (yield* log.workspaces).map(scopeKey)
        assert.strictEqual(new Set(workspaces).size, workspaces.length)
        for (const scope of scopes) assert.include(workspaces, scopeKey(scope))
      }))

    it.effect("rolls back writes of a failed transaction", () =>
      Effect.gen(function*() {
        const scope = factScope("rollback")
        const transactions = yield* Transactions
        yield* append(scope, 1)
        yield* Effect.flip(transactions.run(Effect.zipRight(append(scope, 1, 2), Effect.fail("refused"))))
        assert.deepStrictEqual((yield* entries(scope)).map(({ fact }) => fact), [factOf(scope, 1)])
      }))
  })
