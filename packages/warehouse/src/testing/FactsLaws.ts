import { assert } from "@effect/vitest"
import { AttemptId, OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { Effect } from "effect"
import { viewColumns, viewName } from "../facts/ViewColumns.js"
import { Warehouse } from "../Warehouse.js"
import { callFacts, changeBatchOf, changeOf, lawScope, type LawsTest, rowsOf } from "./LawFixtures.js"

const allRows = `SELECT * FROM ${viewName} ORDER BY attempt_id`
const attempts = `SELECT attempt_id, failure_reason FROM ${viewName} ORDER BY attempt_id`

const apply = (scope: Scope, facts: ReturnType<typeof callFacts>, from = 0) =>
  Effect.flatMap(
    Warehouse,
    (warehouse) => warehouse.apply(scope, { from, to: from + facts.length, changes: facts.map(changeOf) })
  )

/** Ids that file systems, URLs or locales might confuse. */
const alike: ReadonlyArray<readonly [org: string, workspace: string]> = [
  ...([["acme", "main"], ["ACME", "main"], ["acme", "Main"], ["acme", "main "], ["acme", "main."]] as const),
  ...([["acme-main", "x"], ["acme", "main-x"], ["a", "b%2Fc"], ["a%2Fb", "c"], ["a", "b%c"], ["a", "b%25c"]] as const),
  ...([["caf\u00e9", "x"], ["cafe\u0301", "x"], ["ß", "x"], ["ss", "x"], ["straße", "x"], ["STRASSE", "x"]] as const),
  ...([["..", "x"], [".", "x"], ["con", "nul"], ["a\\b", "c"], ["a:b", "c"], ["'; --", "\"x\""], [
    "हिन्दी",
    "दल"
  ]] as const),
  ...([["\u{1f4de}", "x"], ["a\u0001", "x"], ["a", "x\n"], ["e".repeat(128), "x"], ["é".repeat(128), "x"]] as const)
]

/** Applied facts are found exactly once, in their latest version, in their own workspace only. */
export const factsLaws = (it: LawsTest) => {
  it.effect("shows every column of the view with the fact's value", () =>
    Effect.gen(function*() {
      const scope = lawScope("columns")
      const facts = callFacts(scope, 120)
      yield* apply(scope, facts)
      const warehouse = yield* Warehouse
      const { columns, rows } = yield* warehouse.query(scope, { text: allRows, parameters: [], maxRows: 1000 })
      assert.deepStrictEqual(columns.map(({ name }) => name), viewColumns.map(({ name }) => name))
      assert.deepStrictEqual(rows, facts.map((fact) => viewColumns.map(({ of }) => of(fact))))
    }))

  it.effect("has an empty view for a workspace without facts", () =>
    Effect.gen(function*() {
      const warehouse = yield* Warehouse
      const { columns, rows } = yield* warehouse.query(lawScope("none"), { text: allRows, parameters: [], maxRows: 5 })
      assert.lengthOf(columns, viewColumns.length)
      assert.isEmpty(rows)
      assert.strictEqual(yield* warehouse.watermark(lawScope("none-either")), 0)
    }))

  it.effect("advances the watermark with each batch", () =>
    Effect.gen(function*() {
      const scope = lawScope("stretches")
      const warehouse = yield* Warehouse
      const facts = callFacts(scope, 6)
      assert.strictEqual(yield* warehouse.watermark(scope), 0)
      assert.strictEqual(yield* apply(scope, facts.slice(0, 2)), 2)
      assert.strictEqual(yield* apply(scope, facts.slice(2, 3), 2), 3)
      assert.strictEqual(yield* warehouse.apply(scope, { from: 3, to: 40, changes: facts.slice(3).map(changeOf) }), 40)
      assert.strictEqual(yield* warehouse.watermark(scope), 40)
      assert.lengthOf(yield* rowsOf(scope, attempts), 6)
    }))

  it.effect("ignores a batch that starts at another watermark", () =>
    Effect.gen(function*() {
      const scope = lawScope("elsewhere")
      const warehouse = yield* Warehouse
      const facts = callFacts(scope, 4)
      yield* apply(scope, facts)
      const before = yield* rowsOf(scope, allRows)
      const revisions = facts.map((fact) => ({ ...fact, failure_reason: "revised" }))
      assert.strictEqual(yield* apply(scope, revisions), 4)
      assert.strictEqual(yield* apply(scope, revisions, 3), 4)
      assert.strictEqual(yield* apply(scope, revisions, 5), 4)
      const erasures = facts.map(({ attempt_id }) => ({ attempt_id, fact: null }))
      assert.strictEqual(yield* warehouse.apply(scope, { from: 0, to: 9, changes: erasures }), 4)
      assert.deepStrictEqual(yield* rowsOf(scope, allRows), before)
      assert.strictEqual(yield* warehouse.watermark(scope), 4)
    }))

  it.effect("applies a batch once when several apply it concurrently", () =>
    Effect.gen(function*() {
      const scope = lawScope("race")
      const warehouse = yield* Warehouse
      const facts = callFacts(scope, 30)
      const racers = Array.from({ length: 8 }, (_, racer) => ({
        from: 0,
        to: 30,
        changes: facts.map((fact) => changeOf({ ...fact, failure_reason: `racer ${racer}` }))
      }))
      const watermarks = yield* Effect.forEach(racers, (racer) => warehouse.apply(scope, racer), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(watermarks, racers.map(() => 30))
      assert.lengthOf(yield* rowsOf(scope, `SELECT DISTINCT failure_reason FROM ${viewName}`), 1)
    }))

  it.effect("replaces earlier facts, also within a batch, and deletes erased ones", () =>
    Effect.gen(function*() {
      const scope = lawScope("revised")
      const warehouse = yield* Warehouse
      const [one, two, three] = callFacts(scope, 3)
      if (one === undefined || two === undefined || three === undefined) return assert.fail("There are three facts")
      yield* apply(scope, [one, two, { ...one, failure_reason: "second" }])
      yield* warehouse.apply(scope, {
        from: 3,
        to: 8,
        changes: [
          changeOf({ ...one, failure_reason: "third" }),
          { attempt_id: two.attempt_id, fact: null },
          changeOf(three),
          { attempt_id: three.attempt_id, fact: null },
          { attempt_id: AttemptId.make("never-seen"), fact: null }
        ]
      })
      assert.deepStrictEqual(yield* rowsOf(scope, attempts), [[one.attempt_id, "third"]])
      yield* apply(scope, [two], 8)
      assert.deepStrictEqual(yield* rowsOf(scope, attempts), [[one.attempt_id, "third"], [
        two.attempt_id,
        two.failure_reason
      ]])
    }))

  it.effect("returns the same data after clearing and refilling", () =>
    Effect.gen(function*() {
      const [scope, other] = [lawScope("clear"), lawScope("clear-other")]
      const warehouse = yield* Warehouse
      const facts = callFacts(scope, 50)
      yield* apply(scope, facts)
      yield* apply(other, callFacts(other, 5))
      const before = yield* rowsOf(scope, allRows)
      yield* warehouse.clear(scope)
      assert.isEmpty(yield* rowsOf(scope, allRows))
      assert.strictEqual(yield* warehouse.watermark(scope), 0)
      assert.strictEqual(yield* warehouse.watermark(other), 5)
      assert.lengthOf(yield* rowsOf(other, allRows), 5)
      yield* warehouse.apply(scope, changeBatchOf(facts))
      assert.deepStrictEqual(yield* rowsOf(scope, allRows), before)
    }))

  it.effect("can clear a workspace without facts", () =>
    Effect.gen(function*() {
      const warehouse = yield* Warehouse
      yield* warehouse.clear(lawScope("clear-none"))
      assert.strictEqual(yield* warehouse.watermark(lawScope("clear-none")), 0)
      assert.isEmpty(yield* rowsOf(lawScope("clear-none"), allRows))
    }))

  it.effect("separates workspaces with similar ids", () =>
    Effect.gen(function*() {
      const scopes = alike.map(([org, workspace]) =>
        new Scope({ org_id: OrgId.make(org), workspace_id: WorkspaceId.make(workspace) })
      )
      const warehouse = yield* Warehouse
      const factsOf = (index: number) =>
        callFacts(lawScope(`alike-${index}`), 2).map((fact) => ({ ...fact, app_name: `of ${index}` }))
      yield* Effect.forEach(scopes, (scope, index) => warehouse.apply(scope, changeBatchOf(factsOf(index))), {
        concurrency: 4
      })
      const appNames = yield* Effect.forEach(scopes, (scope) =>
        rowsOf(scope, `SELECT DISTINCT app_name FROM ${viewName}`))
      assert.deepStrictEqual(appNames, scopes.map((_, index) => [[`of ${index}`]]))
    }))
}
