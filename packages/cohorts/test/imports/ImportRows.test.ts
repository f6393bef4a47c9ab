import { assert, describe, it } from "@effect/vitest"
import { csvRows, fitFile, importRows, noProgress, parseTransformation, type RowBatch } from "@trunkline/cohorts"
import { macroTask } from "@trunkline/kernel"
import { Cause, Chunk, Effect, Exit, Fiber, Stream } from "effect"
import { bytesOf } from "../CohortsHarness.js"

const bytes = (csv: string) => Stream.make(bytesOf(csv))

/** Imports a CSV; returns the stored batches, the progress and the rejected rows. */
const importing = (csv: string, mapping: unknown, options: { readonly maxCharacters?: number } = {}) =>
  Effect.gen(function*() {
    const transformation = yield* parseTransformation(bytesOf(JSON.stringify(mapping)), null)
    const fitted = yield* fitFile(bytes(csv), { transformation, terms: { requiresRows: false } })
    const batches: Array<RowBatch> = []
    const lines: Array<string> = []
    const progress = yield* importRows({
      ...fitted,
      ...options,
      rows: Stream.drop(csvRows(bytes(csv)), 1),
      maxRows: 1_000_000,
      keep: (batch) => Effect.sync(() => void batches.push(batch)),
      reject: (file) =>
        Stream.runForEach(file, (bytes) => Effect.sync(() => lines.push(new TextDecoder().decode(bytes))))
    })
    return { batches, progress, rejected: lines.join("").trimEnd().split("\n").slice(1) }
  })

const growing = { column_name: "a", transforms: [{ type: "string_replace", find: "x", replace: "y".repeat(1000) }] }
const variables = (count: number, map: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, map]))

describe("importRows", () => {
  const numbered = (count: number, cell: string) =>
    ["m,a\n", ...Array.from({ length: count }, (_, index) => `${9_800_000_000 + index},${cell}\n`)].join("")

  it.effect("stores a thousand rows at a time, with the counts so far", () =>
    Effect.gen(function*() {
      const { batches, progress } = yield* importing(numbered(2500, "x"), { phone_number: { column_name: "m" } })
      assert.deepStrictEqual(batches.map(({ users }) => users.length), [1000, 1000, 500])
      assert.deepStrictEqual(batches.map(({ progress }) => progress.total_records), [1000, 2000, 2500])
      assert.deepStrictEqual(progress, { ...noProgress, total_records: 2500, valid_records: 2500 })
    }))

  it.effect("stores fewer rows at a time when a transformation expands them", () =>
    Effect.gen(function*() {
      const mapping = { phone_number: { column_name: "m" }, app_variables: variables(100, growing) }
      const { batches, progress } = yield* importing(numbered(50, "x"), mapping)
      assert.strictEqual(progress.valid_records, 50)
      assert.deepStrictEqual(batches.map(({ users }) => users.length), [10, 10, 10, 10, 10, 0])
    }))

  it.effect("rejects a user whose values are too long together", () =>
    Effect.gen(function*() {
      const mapping = { phone_number: { column_name: "m" }, app_variables: variables(132, growing) }
      const { batches, rejected } = yield* importing(`m,a\n9800000000,x\n9800000001,z\n`, mapping)
      assert.deepStrictEqual(rejected, ["9800000000,x,values_too_long"])
      assert.deepStrictEqual(batches.flatMap(({ users }) => users.map(({ row }) => row)), [2])
    }))

  it.effect("fails when users and rejected rows have too many characters together", () =>
    Effect.gen(function*() {
      const required = { column_name: "a", required: true }
      const mapping = { phone_number: { column_name: "m" }, app_variables: variables(100, required) }
      const csv = `m,a\n${"9,\n".repeat(5000)}`
      const failed = yield* Effect.flip(importing(csv, mapping, { maxCharacters: 1_000_000 }))
      assert.match(failed.message, /more than 1000000 characters/)
    }))

  it.effect("yields to the event loop within a batch of expensive rows", () =>
    Effect.gen(function*() {
      let turns = 0
      const other = yield* Effect.fork(Effect.forever(Effect.tap(macroTask, () => Effect.sync(() => turns++))))
      const date = { column_name: "a", transforms: [{ type: "date", output_format: "dd MMM yyyy" }] }
      const mapping = { phone_number: { column_name: "m" }, app_variables: variables(100, date) }
      const { batches } = yield* importing(numbered(1000, "2026-11-20"), mapping)
      yield* Fiber.interrupt(other)
      assert.isAtLeast(turns, 200)
      assert.strictEqual(batches.flatMap(({ users }) => users).length, 1000)
    }))

  it.effect("accepts chunks of any size", () =>
    Effect.gen(function*() {
      const transformation = yield* parseTransformation(bytesOf("{\"phone_number\":{\"column_name\":\"m\"}}"), null)
      const fitted = yield* fitFile(bytes("m\n"), { transformation, terms: { requiresRows: false } })
      const rows = Stream.fromChunk(Chunk.makeBy(150_000, (index) => [String(index)]))
      const importing = importRows({
        ...fitted,
        rows,
        maxRows: 1_000_000,
        keep: () => Effect.void,
        reject: Stream.runDrain
      })
      assert.strictEqual((yield* importing).total_records, 150_000)
    }))

  it.effect("dies when the file of rejected rows is not read to its end", () =>
    Effect.gen(function*() {
      const transformation = yield* parseTransformation(bytesOf("{\"phone_number\":{\"column_name\":\"m\"}}"), null)
      const fitted = yield* fitFile(bytes("m\n"), { transformation, terms: { requiresRows: false } })
      const exit = yield* Effect.exit(importRows({
        ...fitted,
        rows: Stream.make(["9800000000"]),
        maxRows: 10,
        keep: () => Effect.void,
        reject: () => Effect.void
      }))
      assert.isTrue(Exit.isFailure(exit) && /to its end/.test(Cause.pretty(exit.cause)))
    }))
})
