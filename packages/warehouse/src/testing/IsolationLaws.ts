import { assert } from "@effect/vitest"
import type { Scope } from "@trunkline/kernel"
import { Effect, Either, FastCheck } from "effect"
import { Warehouse } from "../Warehouse.js"
import { callFacts, changeBatchOf, lawScope, type LawsTest } from "./LawFixtures.js"

const sides = ["left", "right"] as const
type Side = typeof sides[number]

/** The workspaces have minimally different ids. */
const scopeOf = (side: Side) => lawScope("fuzz", side)
const markOf = (side: Side) => `known to ${side} alone`
const otherOf = (side: Side): Side => side === "left" ? "right" : "left"

const markedFacts = (side: Side) =>
  callFacts(lawScope(`fuzz-${side}`), 60).map((fact) => ({
    ...fact,
    app_name: markOf(side),
    user_identifier: `${fact.user_identifier}, ${markOf(side)}`,
    metadata: { ...fact.metadata, mark: markOf(side) }
  }))

/** Three parts allowed fragments, one part forbidden ones. */
const mixOf = (allowed: ReadonlyArray<string>, forbidden: ReadonlyArray<string>) =>
  FastCheck.oneof(
    { weight: 3, arbitrary: FastCheck.constantFrom(...allowed) },
    { weight: 1, arbitrary: FastCheck.constantFrom(...forbidden) }
  )

const sources = mixOf([
  "EngagementFactsBoardsView",
  "EngagementFactsBoardsView AS v",
  "\"engagementfactsboardsview\"",
  "own",
  "(SELECT * FROM EngagementFactsBoardsView LIMIT 9)",
  "(EngagementFactsBoardsView)",
  "(SELECT * FROM own)"
], [
  "main.EngagementFactsBoardsView",
  "trunkline_facts",
  "\"fuzz/right\".EngagementFactsBoardsView",
  "'trunkline_facts'",
  "sqlite_master",
  "trunkline_state",
  "own, trunkline_facts",
  "pragma_database_list",
  "temp.trunkline_facts",
  "[law-fuzz/left]",
  "EngagementFactsBoardsView a JOIN EngagementFactsBoardsView b USING (app_id)"
])
const columns = mixOf([
  "*",
  "app_name",
  "max(user_identifier)",
  "group_concat(DISTINCT app_name)",
  "json_group_array(metadata)",
  "count(*), min(app_name)",
  "metadata ->> 'mark'",
  "first_value(app_name) OVER ()"
], ["hex(app_name)", "rowid", "org_id", "load_extension('right')", "(SELECT app_name FROM trunkline_facts)"])
const conditions = mixOf([
  "",
  "WHERE 1 = 1",
  "WHERE app_id <> '' OR 1",
  "WHERE app_name IS NOT NULL",
  "WHERE attempt_id > ''",
  "WHERE user_identifier LIKE '%right%' OR user_identifier LIKE '%left%'",
  "-- WHERE 0\n",
  "/* WHERE 0 */",
  "WHERE attempt_id IN (SELECT attempt_id FROM EngagementFactsBoardsView)",
  "GROUP BY app_name"
], [
  "WHERE org_id = 'law-fuzz'",
  "WHERE workspace_id <> 'left'",
  "WHERE EXISTS (SELECT 1 FROM trunkline_facts)",
  "WHERE NOT 'x' IN trunkline_state",
  "WHERE 1 IN (SELECT 1 FROM sqlite_schema)"
])
const ends = mixOf([
  "",
  "ORDER BY 1",
  "LIMIT 5",
  ";",
  "--",
  "UNION ALL SELECT app_name FROM EngagementFactsBoardsView"
], [
  "; SELECT * FROM trunkline_facts",
  "\u0000",
  "UNION SELECT sql FROM sqlite_schema",
  "/*",
  "')"
])
const starts = mixOf(["WITH own AS (SELECT * FROM EngagementFactsBoardsView) "], [
  "WITH own(app_name) AS (VALUES ('x')) ",
  "WITH trunkline_facts AS (SELECT 1) ",
  "ATTACH 'right' AS r; ",
  "WITH own AS (SELECT * FROM trunkline_facts) ",
  ""
])

const statements = FastCheck.tuple(starts, columns, sources, conditions, ends).map(
  ([start, columns, source, condition, end]) => `${start}SELECT ${columns} FROM ${source} ${condition} ${end}`
)

const tryQuery = (scope: Scope, text: string) =>
  Effect.flatMap(
    Warehouse,
    (warehouse) => Effect.either(warehouse.query(scope, { text, parameters: [], maxRows: 200 }))
  )

const rounds = 400

/** No statement reveals data of another workspace. */
export const isolationLaws = (it: LawsTest) => {
  it.effect(`reveals nothing across workspaces in ${rounds} random statements`, () =>
    Effect.gen(function*() {
      const warehouse = yield* Warehouse
      for (const side of sides) yield* warehouse.apply(scopeOf(side), changeBatchOf(markedFacts(side)))
      let disclosures = 0
      for (const text of FastCheck.sample(statements, { seed: 6, numRuns: rounds })) {
        for (const side of sides) {
          const result = yield* tryQuery(scopeOf(side), text)
          const output = Either.match(result, {
            onLeft: ({ message }) => message,
            onRight: (rows) => JSON.stringify(rows)
          })
          assert.notInclude(output, markOf(otherOf(side)), text)
          if (output.includes(markOf(side))) disclosures += 1
        }
      }
      assert.isAbove(disclosures, rounds / 4)
    }))
}
