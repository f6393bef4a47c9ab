import { assert, describe, it } from "@effect/vitest"
import { FileStore } from "@trunkline/cohorts"
import { fileStoreLaws } from "@trunkline/cohorts/testing"
import { concatBytes } from "@trunkline/kernel"
import { Sql } from "@trunkline/storage-kysely"
import { FilesPostgres, SqlPostgres } from "@trunkline/storage-postgres"
import { Cause, Chunk, Deferred, Effect, Exit, Fiber, Layer, Option, Stream } from "effect"
import { migratedDatabase, onPostgres } from "../../../test/setup/Postgres.js"

/** A database with a `FileStore` that does not sweep. */
const shared = Layer.unwrapScoped(
  Effect.map(
    migratedDatabase,
    (url) => Layer.provideMerge(FilesPostgres.layerShared, SqlPostgres.layerShared({ url, connections: 2 }))
  )
)

const countOf = (table: string, where = "true") =>
  Effect.map(
    Effect.flatMap(
      Sql,
      ({ execute }) => execute<{ readonly count: number }>(`select count(*) as count from ${table} where ${where}`, [])
    ),
    ({ rows: [row] }) => row?.count
  )

/** Makes everything that is not a file look as if nobody had touched it for so many minutes. */
const age = (minutes: number) =>
  Effect.flatMap(
    Sql,
    ({ execute }) => execute("update file_versions set touched_at = touched_at - ?", [minutes * 60_000])
  )

/** Sweeps until so many versions are left that are not files. */
const sweep = (remaining: number) =>
  Effect.scoped(Effect.zipRight(
    Layer.build(FilesPostgres.layer),
    Effect.repeat(Effect.zipRight(Effect.yieldNow(), countOf("file_versions")), {
      until: (count) => count === remaining
    })
  ))

const bytesOf = (key: string) =>
  Effect.gen(function*() {
    const file = yield* (yield* FileStore).read(key)
    return Option.isNone(file) ? null : concatBytes(Array.from(yield* Stream.runCollect(file.value)))
  })

const chunkBytes = 262_144

const megabyte = (value: number) => new Uint8Array(1_000_000).fill(value)

const begin = (key: string, after: Effect.Effect<void> = Effect.never) =>
  Effect.gen(function*() {
    const startSignal = yield* Deferred.make<void>()
    const files = yield* FileStore
    const waiting = Stream.execute(Effect.zipRight(Deferred.succeed(startSignal, undefined), after))
    const fiber = yield* Effect.fork(
      files.write(key, Stream.concat(Stream.make(megabyte(1)), Stream.concat(waiting, Stream.make(megabyte(2)))))
    )
    yield* Deferred.await(startSignal)
    return fiber
  })

const defectOf = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) ? Option.getOrNull(Chunk.head(Cause.defects(exit.cause))) : null

onPostgres(() => {
  fileStoreLaws("PostgreSQL, shared", shared)
  fileStoreLaws(
    "PostgreSQL",
    Layer.unwrapScoped(
      Effect.map(migratedDatabase, (url) => Layer.provide(FilesPostgres.layer, SqlPostgres.layer({ url })))
    )
  )

  describe("files in PostgreSQL", () => {
    it.scopedLive("leave nothing of a stream that fails or is interrupted", () =>
      Effect.gen(function*() {
        const files = yield* FileStore
        yield* Effect.flip(files.write("cut", Stream.concat(Stream.make(megabyte(1)), Stream.fail("cut"))))
        yield* Fiber.interrupt(yield* begin("interrupted"))
        assert.strictEqual(yield* countOf("file_chunks"), 0)
        assert.strictEqual(yield* countOf("file_versions"), 0)
      }).pipe(Effect.provide(shared)))

    it.scopedLive("are swept of what a dead process has left, once it is an hour old", () =>
      Effect.gen(function*() {
        const { execute } = yield* Sql
        const files = yield* FileStore
        yield* files.write("whole", Stream.make(megabyte(1)))
        // As a process leaves it that was killed.
        yield* execute("insert into file_versions (writing, touched_at) select true, touched_at from file_versions", [])
        const fiber = yield* begin("dead")
        const [chunks, versions] = [yield* countOf("file_chunks"), yield* countOf("file_versions")]
        assert.deepStrictEqual([chunks, versions], [4 + 3, 1])
        yield* age(61)
        yield* sweep(0)
        assert.strictEqual(yield* countOf("file_chunks"), 4)
        assert.deepStrictEqual(yield* bytesOf("whole"), megabyte(1))
        yield* Fiber.interrupt(fiber)
      }).pipe(Effect.provide(shared)))

    it.scopedLive("keep what is being written, and what was replaced lately", () =>
      Effect.gen(function*() {
        const files = yield* FileStore
        const go = yield* Deferred.make<void>()
        yield* files.write("replaced", Stream.make(megabyte(1)))
        yield* files.write("replaced", Stream.make(megabyte(2)))
        yield* files.write("removed", Stream.make(megabyte(1)))
        yield* files.remove("removed")
        const slow = yield* begin("slow", Deferred.await(go))
        yield* age(59)
        yield* Effect.flatMap(Sql, ({ execute }) =>
          execute("insert into file_versions (writing, touched_at) values (false, 0)", []))
        yield* sweep(3)
        yield* Deferred.succeed(go, undefined)
        yield* Fiber.join(slow)
        assert.deepStrictEqual(yield* bytesOf("slow"), concatBytes([megabyte(1), megabyte(2)]))
      }).pipe(Effect.provide(shared)))

    it.scopedLive("are not stored by a writer that was taken for dead", () =>
      Effect.gen(function*() {
        const go = yield* Deferred.make<void>()
        const slow = yield* begin("slow", Deferred.await(go))
        yield* age(61)
        yield* sweep(0)
        yield* Deferred.succeed(go, undefined)
        assert.propertyVal(defectOf(yield* Fiber.await(slow)), "_tag", "FileWriteAbandoned")
        assert.isNull(yield* bytesOf("slow"))
        assert.strictEqual(yield* countOf("file_chunks"), 0)
      }).pipe(Effect.provide(shared)))

    it.scopedLive("are never read as whole when chunks are missing", () =>
      Effect.gen(function*() {
        const files = yield* FileStore
        const { execute } = yield* Sql
        for (const place of [3, 1]) {
          yield* files.write("damaged", Stream.make(megabyte(1)))
          yield* execute("delete from file_chunks where place = ?", [place])
          assert.propertyVal(defectOf(yield* Effect.exit(bytesOf("damaged"))), "_tag", "FileGone")
        }
      }).pipe(Effect.provide(shared)))

    it.scopedLive("of one key that are written at once are each whole, and one of them stays", () =>
      Effect.gen(function*() {
        const files = yield* FileStore
        const writers = Array.from({ length: 8 }, (_, index) => index + 1)
        const write = (value: number) =>
          files.write("contended", Stream.make(megabyte(value), megabyte(value), megabyte(value)))
        yield* Effect.forEach(writers, write, { concurrency: "unbounded", discard: true })
        const bytes = yield* bytesOf("contended")
        assert.strictEqual(bytes?.length, 3_000_000)
        assert.isTrue(bytes?.every((byte) => byte === bytes[0]))
        assert.strictEqual(yield* countOf("files"), 1)
        assert.strictEqual(yield* countOf("file_versions", "not writing"), writers.length - 1)
        yield* age(61)
        yield* sweep(0)
        assert.strictEqual(yield* countOf("file_chunks"), 12)
      }).pipe(Effect.provide(shared)))

    it.scopedLive("hold no connection while bytes are awaited, and are never in memory as a whole", () =>
      Effect.gen(function*() {
        const files = yield* FileStore
        const waiting = yield* Effect.forEach([1, 2, 3], (number) => begin(`waiting ${number}`))
        const before = (yield* countOf("file_chunks")) ?? 0
        const sql = yield* Sql
        let pulled = 0
        /** Bytes that have been pulled from the source and are not in the database. */
        const chunkCount = Effect.map(
          Effect.provideService(countOf("file_chunks"), Sql, sql),
          (chunks = 0) => pulled - (chunks - before) * chunkBytes
        )
        const part = new Uint8Array(100_000).fill(7)
        const source = Stream.repeatValue(part).pipe(
          Stream.rechunk(1),
          Stream.take(500),
          Stream.tap(() =>
            Effect.map(chunkCount, (bytes) => {
              assert.isBelow(bytes, chunkBytes + part.length)
              pulled += part.length
            })
          )
        )
        yield* files.write("large", source)
        assert.deepStrictEqual(yield* files.size("large"), Option.some(50_000_000))
        const bytes = Option.getOrThrow(yield* files.read("large"))
        const read = yield* Stream.runFold(bytes, { size: 0, largest: 0 }, ({ largest, size }, { length }) => ({
          size: size + length,
          largest: Math.max(largest, length)
        }))
        assert.deepStrictEqual(read, { size: 50_000_000, largest: chunkBytes })
        yield* Fiber.interruptAll(waiting)
      }).pipe(Effect.provide(shared)))
  })
})
