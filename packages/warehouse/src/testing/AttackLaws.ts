import { assert } from "@effect/vitest"
import { propertyCases } from "@trunkline/kernel/testing"
import { Effect, Either } from "effect"
import { viewName } from "../facts/ViewColumns.js"
import { maxResultBytes } from "../sql/SqliteResults.js"
import { Warehouse } from "../Warehouse.js"
import { type Attack, stopCodes } from "./Attack.js"
import { multi, tx, write } from "./attacks/Changes.js"
import { parser, tokens } from "./attacks/Confusing.js"
import { memory, rows, time } from "./attacks/Exhausting.js"
import { file, meta, tenant } from "./attacks/Reaching.js"
import { callFacts, changeBatchOf, lawScope, type LawsTest, rowsOf } from "./LawFixtures.js"

/** Attacks by category. */
const attacks: Readonly<Record<string, ReadonlyArray<Attack>>> = {
  write,
  multi,
  tx,
  file,
  tenant,
  meta,
  time,
  rows,
  memory,
  parser,
  tokens
}

const victim = lawScope("attacked")
const bystander = lawScope("bystander")

/** Content that must not occur in results: facts of the other workspace, internal tables, paths on disk. */
const forbiddenContent = /law-bystander|CREATE (TABLE|VIEW|INDEX)|trunkline_by_|root:/

const state = (scope: typeof victim) =>
  rowsOf(
    scope,
    `SELECT count(*), min(attempt_id), max(attempt_id), total(audio_duration), count(failure_reason),
      count(DISTINCT user_identifier), group_concat(DISTINCT app_id) FROM ${viewName}`
  )

const snapshot = Effect.gen(function*() {
  const warehouse = yield* Warehouse
  const watermarks = [yield* warehouse.watermark(victim), yield* warehouse.watermark(bystander)]
  return [...watermarks, yield* state(victim), yield* state(bystander)]
})

const maxRows = 1000

const outcome = ({ parameters = [], sql }: Attack) =>
  Effect.gen(function*() {
    const warehouse = yield* Warehouse
    const run = yield* Effect.either(warehouse.query(victim, { text: sql, parameters, maxRows }))
    const prepared = yield* Effect.either(warehouse.prepare(victim, { text: sql, parameters }))
    return { run, prepared }
  })

const checkAttack = (attack: Attack) =>
  Effect.gen(function*() {
    const { prepared, run } = yield* outcome(attack)
    if (Either.isLeft(prepared)) assert.strictEqual(prepared.left._tag, "QueryRefused")
    if (Either.isLeft(run)) assert.strictEqual(run.left._tag, "QueryRefused")
    const code = Either.isLeft(run) && run.left._tag === "QueryRefused" ? run.left.code : "ran"
    const output = Either.isLeft(run) ? run.left.message : JSON.stringify(run.right)
    assert.notMatch(output, forbiddenContent)
    switch (attack.expected.kind) {
      case "refused": {
        assert.include(attack.expected.codes, code, output)
        assert.isTrue(Either.isLeft(prepared), "prepare must refuse it too")
        return
      }
      case "stopped":
        return assert.include(stopCodes, code)
      case "contained":
      case "bounded": {
        if (Either.isRight(run)) {
          assert.isAtMost(run.right.rows.length, maxRows)
          assert.isAtMost(output.length, maxResultBytes)
        }
      }
    }
  })

/** Expensive categories; usual runs try a sample of each. */
const exhausting: ReadonlyArray<string> = ["memory", "rows", "time"]

/** Hostile statements of eleven categories. After each one, all data is unchanged and the next query works. */
export const attackLaws = (it: LawsTest, options: { readonly stops: boolean }) => {
  const fillWarehouse = Effect.gen(function*() {
    const warehouse = yield* Warehouse
    if ((yield* warehouse.watermark(bystander)) > 0) return
    yield* warehouse.apply(victim, changeBatchOf(callFacts(victim)))
    yield* warehouse.apply(bystander, changeBatchOf(callFacts(bystander, 40)))
  })
  for (const [category, cases] of Object.entries(attacks)) {
    const possible = cases.filter(({ heavy }) => options.stops || heavy !== true)
    const selection = exhausting.includes(category) ? propertyCases(possible) : possible
    selection.forEach((attack, index) => {
      const excerpt = attack.sql.slice(0, 90).replaceAll(/[^ -~]+|\s+/g, " ")
      it.effect(`${category} ${index + 1} is ${attack.expected.kind}: ${excerpt}`, () =>
        Effect.gen(function*() {
          yield* fillWarehouse
          const before = yield* snapshot
          yield* checkAttack(attack)
          assert.deepStrictEqual(yield* snapshot, before)
        }))
    })
  }
}
