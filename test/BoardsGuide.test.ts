import { assert, describe, layer } from "@effect/vitest"
import { BoardStore, Runs } from "@trunkline/boards"
import { Transactions } from "@trunkline/kernel"
import { WarehouseSqlite } from "@trunkline/sqlite"
import { Warehouse } from "@trunkline/warehouse"
import { factMoment, factOf, factScope, unansweredFact } from "@trunkline/warehouse/testing"
import { Effect, Layer } from "effect"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const guide = readFileSync(new URL("../docs/boards.md", import.meta.url), "utf8")

/** The questions of the guide: what is asked, and the SQL that asks it. */
const questions = Array.from(
  guide.matchAll(/\*\*(\d+\. [^*]+)\*\*[^`]*?(?:`[^`]*`[^`]*?)*\n\n```sql\n([\s\S]*?)```/g),
  ([, question = "", sql = ""]) => ({ question, sql })
)

/** The queries of the section about charts. */
const charts = Array.from(
  (guide.split("### Charts")[1]?.split("###")[0] ?? "").matchAll(/```sql\n([\s\S]*?)```/g),
  ([, sql = ""]) => sql
)

/** The query of both arms of a canary. */
const armsQuery = /```sql\n([\s\S]*?)```/.exec(guide.split("### Both arms of a canary")[1] ?? "")?.[1] ?? ""

const scope = factScope("guide")

/** A fortnight of calls: thirty people, some of whom are tried three times and never answer. */
const calls = Array.from({ length: 90 }, (_, index) => {
  const [person, round] = [index % 30, Math.floor(index / 30)]
  const at = (index % 14) * 86_400 + index * 60
  return factOf(scope, index, {
    user_identifier: `person-${person}`,
    user_contact_hashed: `hash-${person}`,
    retry_attempt: round,
    canary_arm: person % 3 === 0 ? "canary" : "control",
    executed_at: factMoment(at),
    ...(person < 10 ? unansweredFact : { start_datetime: factMoment(at + 5), duration: 30 + index }),
    ...(person >= 10 && { output_agent_variables: { promise: person % 2 === 0 ? "yes" : "no" } })
  })
})

/** Milliseconds since 1970 of the last of these calls. */
const lastCall = Date.parse("2026-01-14T01:23:05Z")

const names = { app_name: "Support", campaign_name: "June", cohort_name: "All" }

const furnished = Layer.effectDiscard(Effect.flatMap(Warehouse, ({ apply }) =>
  apply(scope, {
    from: 0,
    to: calls.length,
    changes: calls.map((fact) => ({ attempt_id: fact.attempt_id, fact: { ...fact, ...names } }))
  })))

const inTemporaryFolder = Layer.unwrapScoped(Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "guide-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ),
  (folder) => WarehouseSqlite.layer({ folder })
))

const world = Runs.layer.pipe(
  Layer.provideMerge(furnished),
  Layer.provideMerge(inTemporaryFolder),
  Layer.provideMerge(Layer.merge(BoardStore.layerMemory, Transactions.layerMemory))
)

const text = (value: string) => ({ filter_type: "string", value }) as const
const date = (value: string) => ({ filter_type: "date", value }) as const

const values = {
  since: date("2026-01-01"),
  this_week: date("2026-01-08"),
  last_week: date("2026-01-01"),
  output: text("promise")
}

describe("docs/boards.md", () => {
  layer(world)("its ten questions", (it) => {
    it.effect("are ten", () => Effect.sync(() => assert.strictEqual(questions.length, 10)))

    for (const { question, sql } of questions) {
      it.effect(`have an answer: ${question}`, () =>
        Effect.gen(function*() {
          const filter_values = Object.fromEntries(
            Object.entries(values).filter(([name]) => sql.includes(`{{${name}}}`))
          )
          const { columns, rows } = yield* (yield* Runs).preview(scope, { sql, filter_values })
          assert.isAbove(rows.length, 0)
          for (const row of rows) {
            assert.strictEqual(row.length, columns.length)
            assert.isFalse(row.every((cell) => cell === null), `${question} ${JSON.stringify(row)}`)
          }
        }))
    }

    it.effect("compare the arms of a canary with intervals around their shares", () =>
      Effect.gen(function*() {
        const runs = yield* Runs
        const { columns, rows } = yield* runs.preview(scope, {
          sql: armsQuery,
          filter_values: { since: values["since"] }
        })
        assert.deepStrictEqual(columns.map(({ name }) => name), [
          "arm",
          "version",
          "calls",
          "completed %",
          "low",
          "high"
        ])
        assert.deepStrictEqual(rows.map(([arm]) => arm), ["control", "canary"])
        for (const [, , , share, low, high] of rows) {
          assert.isTrue(Number(low) <= Number(share) && Number(share) <= Number(high) && Number(low) < Number(high))
        }
      }))

    it.effect("have charts over periods that fit the calls: minutes within an hour, hours within two days, or days", () =>
      Effect.gen(function*() {
        const runs = yield* Runs
        const rowsOf = (sql: string, from: string) =>
          Effect.map(runs.preview(scope, { sql, filter_values: { since: date(from) } }), ({ rows }) => rows)
        const [perDay = "", overTime = ""] = charts
        const days = yield* rowsOf(perDay, "2026-01-01")
        assert.deepStrictEqual(days.map(([day]) => day), days.map(([day]) => day).toSorted().toReversed())
        const from = (hours: number) => new Date(lastCall - hours * 3_600_000).toISOString()
        for (
          const [hours, period] of [[0.9, /^\d{4}-\d\d-\d\d \d\d:\d\d$/], [47, / \d\d:00$/], [
            400,
            /^[\d-]{10}$/
          ]] as const
        ) {
          const rows = yield* rowsOf(overTime, from(hours))
          assert.isAbove(rows.length, 1)
          for (const [time] of rows) assert.match(String(time), period)
        }
      }))

    it.effect("tell the truth about these calls", () =>
      Effect.gen(function*() {
        const runs = yield* Runs
        const answer = (number: number) => {
          const sql = questions[number - 1]?.sql ?? ""
          const filter_values = Object.fromEntries(
            Object.entries(values).filter(([name]) => sql.includes(`{{${name}}}`))
          )
          return Effect.map(runs.preview(scope, { sql, filter_values }), ({ rows }) => rows)
        }
        assert.deepStrictEqual(yield* answer(1), [[66.7]])
        assert.deepStrictEqual(yield* answer(2), [["connected", 60], ["no_answer", 30]])
        assert.deepStrictEqual(yield* answer(4), [[1, 30, 20, 20], [2, 30, 20, 20], [3, 30, 20, 20]])
        assert.deepStrictEqual(yield* answer(6), [["yes", 30], ["no", 30]])
        assert.strictEqual((yield* answer(7)).length, 10)
        assert.deepStrictEqual(yield* answer(8), [[100]])
      }))
  })
})
