import { assert } from "@effect/vitest"
import { propertyCases } from "@trunkline/kernel/testing"
import { Effect, Either } from "effect"
import { maxResultBytes } from "../sql/ResultBudget.js"
import { viewName } from "../view/ViewColumns.js"
import { Warehouse } from "../Warehouse.js"
import { type Attack, stopCodes } from "./Attack.js"
import { multi, tx, write } from "./attacks/Changes.js"
import { parser, tokens } from "./attacks/Confusing.js"
import { memory, rows, time } from "./attacks/Exhausting.js"
import { file, meta, tenant } from "./attacks/Reaching.js"
import { callFacts, stretchOf } from "./CallFacts.js"
import { lawScope, type LawsTest, rowsOf } from "./LawsTest.js"

/** The statements of each category. */
export const attacks: Readonly<Record<string, ReadonlyArray<Attack>>> = {
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

const attacked = lawScope("attacked")
const bystander = lawScope("bystander")

/** What no result of the attacked workspace may hold: facts of the other one, tables behind the view, places on disk. */
const foreign = /law-bystander|CREATE (TABLE|VIEW|INDEX)|trunkline_by_|root:/

const state = (scope: typeof attacked) =>
  rowsOf(
    scope,
    `SELECT count(*), min(attempt_id), max(attempt_id), total(audio_duration), count(failure_reason),
      count(DISTINCT user_identifier), group_concat(DISTINCT app_id) FROM ${viewName}`
  )

const everything = Effect.gen(function*() {
  const warehouse = yield* Warehouse
  const places = [yield* warehouse.watermark(attacked), yield* warehouse.watermark(bystander)]
  return [...places, yield* state(attacked), yield* state(bystander)]
})

const maxRows = 1000

const outcome = ({ parameters = [], sql }: Attack) =>
  Effect.gen(function*() {
    const warehouse = yield* Warehouse
    const run = yield* Effect.either(warehouse.query(attacked, { text: sql, parameters, maxRows }))
    const prepared = yield* Effect.either(warehouse.prepare(attacked, { text: sql, parameters }))
    return { run, prepared }
  })

const judge = (attack: Attack) =>
  Effect.gen(function*() {
    const { prepared, run } = yield* outcome(attack)
    if (Either.isLeft(prepared)) assert.strictEqual(prepared.left._tag, "QueryRefused")
    if (Either.isLeft(run)) assert.strictEqual(run.left._tag, "QueryRefused")
    const code = Either.isLeft(run) && run.left._tag === "QueryRefused" ? run.left.code : "ran"
    const said = Either.isLeft(run) ? run.left.message : JSON.stringify(run.right)
    assert.notMatch(said, foreign)
    switch (attack.fate.kind) {
      case "refused": {
        assert.include(attack.fate.codes, code, said)
        assert.isTrue(Either.isLeft(prepared), "prepare has to refuse it too")
        return
      }
      case "stopped":
        return assert.include(stopCodes, code)
      case "contained":
      case "bounded": {
        if (Either.isRight(run)) {
          assert.isAtMost(run.right.rows.length, maxRows)
          assert.isAtMost(said.length, maxResultBytes)
        }
      }
    }
  })

/** Categories whose statements take much time; usual runs try a share of each. */
const exhausting: ReadonlyArray<string> = ["memory", "rows", "time"]

/** Hostile statements of eleven categories; after each one all is as before, and the next query answers. */
export const attackLaws = (it: LawsTest, options: { readonly stops: boolean }) => {
  const filled = Effect.gen(function*() {
    const warehouse = yield* Warehouse
    if ((yield* warehouse.watermark(bystander)) > 0) return
    yield* warehouse.apply(attacked, stretchOf(callFacts(attacked)))
    yield* warehouse.apply(bystander, stretchOf(callFacts(bystander, 40)))
  })
  for (const [category, cases] of Object.entries(attacks)) {
    const possible = cases.filter(({ heavy }) => options.stops || heavy !== true)
    const chosen = exhausting.includes(category) ? propertyCases(possible) : possible
    chosen.forEach((attack, index) => {
      const shown = attack.sql.slice(0, 90).replaceAll(/[^ -~]+|\s+/g, " ")
      it.effect(`${category} ${index + 1} is ${attack.fate.kind}: ${shown}`, () =>
        Effect.gen(function*() {
          yield* filled
          const before = yield* everything
          yield* judge(attack)
          assert.deepStrictEqual(yield* everything, before)
        }))
    })
  }
}
