import { assert, describe, it } from "@effect/vitest"
import { type CallQuery, CallRecords } from "@trunkline/analytics"
import { atSecond, callRecord, callRecordsLaws, testPlace } from "@trunkline/analytics/testing"
import { slowReadsBeside, StorageSqlite } from "@trunkline/sqlite"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The stores in a file of their own, whose lists are read by child processes. */
const readElsewhere = (options: Omit<Parameters<typeof slowReadsBeside>[0], "file"> = {}) =>
  Layer.unwrapScoped(Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "slow-reads-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    ),
    (folder) => {
      const file = join(folder, "trunkline.db")
      return Layer.provide(StorageSqlite.layer({ file }), slowReadsBeside({ file, ...options }))
    }
  ))

callRecordsLaws("in SQLite, lists read by child processes", readElsewhere())

describe("call lists that are read by child processes", () => {
  const place = testPlace("slow")
  const query: CallQuery = {
    start_datetime: atSecond(0),
    end_datetime: atSecond(86_400),
    limit: 20,
    offset: 0,
    sort_order: "desc",
    filter_conditions: []
  }

  it.scopedLive("fail rather than guess when they take too long", () =>
    Effect.gen(function*() {
      const records = yield* CallRecords
      yield* records.recordMany([{ record: callRecord(place, 1), transcript: null }])
      const failure = yield* Effect.flip(records.query({ ...place, kind: "attempts", query }))
      assert.strictEqual(failure._tag, "TimedOut")
    }).pipe(Effect.provide(readElsewhere({ timeout: 0 }))))

  it.scopedLive("say that there is no time for them when too many wait", () =>
    Effect.gen(function*() {
      const records = yield* CallRecords
      yield* records.recordMany([{ record: callRecord(place, 1), transcript: null }])
      const ask = Effect.either(records.query({ ...place, kind: "attempts", query }))
      const answers = yield* Effect.all(Array.from({ length: 12 }, () => ask), { concurrency: "unbounded" })
      const tags = new Set(answers.map((answer) => answer._tag === "Right" ? "found" : answer.left._tag))
      assert.deepStrictEqual([...tags].sort(), ["Overloaded", "found"])
    }).pipe(Effect.provide(readElsewhere({ size: 1, waiting: 2 }))))
})
