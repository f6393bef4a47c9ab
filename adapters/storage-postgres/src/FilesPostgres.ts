import { type ByteRange, FileStore, inRange } from "@trunkline/cohorts"
import { describeCause, inPieces } from "@trunkline/kernel"
import { Sql, statement, together } from "@trunkline/storage-kysely"
import { type Context, Data, Effect, Exit, Layer, Option, Schedule, Stream } from "effect"

/** Size of the chunks of a file, except for the last one. */
const chunkBytes = 262_144

/** Time for which a version is kept that is no longer the file, or to which its writer has added nothing, in milliseconds. */
const keptMillis = 3_600_000

/** Interval between sweeps. */
const sweepInterval = "15 minutes"

/** Chunks that are deleted in one statement. */
const deletedAtOnce = 64

/** Versions that are removed between two looks at the list of them. */
const sweptAtOnce = 100

/** A file that is not stored, because its writer paused for so long that others took it for dead. */
export class FileWriteAbandoned extends Data.TaggedError("FileWriteAbandoned") {
  override get message() {
    return "a file was not written to for an hour, so that its chunks have been removed"
  }
}

/** A file whose chunks are gone, because it was replaced or removed more than an hour ago. */
export class FileGone extends Data.TaggedError("FileGone") {
  override get message() {
    return "a file was replaced or removed more than an hour ago, while it was being read"
  }
}

/** The whole file of a key. */
interface FileRow {
  readonly version: number
  readonly size: number
}

/** The server's clock, in epoch milliseconds: that of the machines may differ. */
const now = "cast(extract(epoch from clock_timestamp()) * 1000 as float8)"

const begin = `insert into file_versions (writing, touched_at) values (true, ${now}) returning version`

const append = `
  with writing_rows as (
    update file_versions set touched_at = ${now} where version = ? and writing returning version
  )
  insert into file_chunks (version, place, bytes)
  select version, cast(? as bigint), cast(? as bytea) from writing_rows
`

const lockKey = "select pg_advisory_xact_lock(7493, hashtext(encode(?, 'hex')))"
const complete = "delete from file_versions where version = ? and writing"
const retire = `
  insert into file_versions (version, writing, touched_at) select version, false, ${now} from files where key = ?
`
const replace = `
  insert into files (key, version, size) values (?, ?, ?)
  on conflict (key) do update set version = excluded.version, size = excluded.size
`
const forget = "delete from files where key = ?"
const find = "select version, size from files where key = ?"
const readChunk = "select bytes from file_chunks where version = ? and place = ?"

const abandon = "update file_versions set writing = false where version = ? and writing"
const abandonSilent = `update file_versions set writing = false where touched_at < ${now} - ? and writing`
const listSurplus = `
  select version from file_versions where touched_at < ${now} - ? and not writing order by touched_at, version limit ?
`
const deleteChunks = `
  delete from file_chunks where version = ? and place in (
    select chunks.place from file_chunks as chunks where chunks.version = ? order by chunks.place limit ?
  )
`
const deleteVersion = "delete from file_versions where version = ? and not writing"

const keyBytes = (key: string): Uint8Array => new TextEncoder().encode(key)

const make = ({ execute, statements }: Context.Tag.Service<typeof Sql>) => {
  const countChanges = (text: string, values: Parameters<typeof execute>[1]) =>
    Effect.map(execute(text, values), ({ numAffectedRows = 0n }) => numAffectedRows)

  const rowOf = (key: string) =>
    Effect.map(execute<FileRow>(find, [keyBytes(key)]), ({ rows }) => Option.fromNullable(rows[0]))

  /** Deletes a version that is neither the file nor being written, a few chunks at a time. */
  const removeVersion = (version: number) =>
    countChanges(deleteChunks, [version, version, deletedAtOnce]).pipe(
      Effect.repeat({ until: (count) => count === 0n }),
      Effect.zipRight(execute(deleteVersion, [version]))
    )

  const appendChunk = (version: number, place: number, bytes: Uint8Array) =>
    Effect.filterOrDie(
      countChanges(append, [version, place, bytes]),
      (count) => count === 1n,
      () => new FileWriteAbandoned()
    )

  /** Makes a version the file of a key, in place of the one before. */
  const end = (key: string, { size, version }: FileRow) =>
    statements(function*() {
      const file = keyBytes(key)
      const [, completedResult] = yield* together([
        statement(lockKey, [file]),
        statement(complete, [version]),
        statement(retire, [file]),
        statement(replace, [file, version, size])
      ])
      if (completedResult?.numAffectedRows !== 1n) throw new FileWriteAbandoned()
    })

  /** Removes what was written of a file. Where that fails, a sweep does it later. */
  const giveUp = (version: number) =>
    Effect.zipRight(execute(abandon, [version]), removeVersion(version)).pipe(
      Effect.catchAllCause((cause) =>
        Effect.logWarning("The chunks of a broken file could not be removed", describeCause(cause))
      )
    )

  const write = <E>(key: string, bytes: Stream.Stream<Uint8Array, E>): Effect.Effect<void, E> =>
    Effect.acquireUseRelease(
      Effect.map(execute<{ readonly version: number }>(begin, []), ({ rows }) => ({
        version: rows[0]?.version ?? 0,
        size: 0,
        chunks: 0
      })),
      (file) =>
        Stream.runForEach(
          inPieces(bytes, chunkBytes),
          (chunk) =>
            Effect.map(appendChunk(file.version, file.chunks, chunk), () => {
              file.chunks += 1
              file.size += chunk.length
            })
        ),
      (file, exit) => Exit.isSuccess(exit) ? end(key, file) : giveUp(file.version)
    )

  /**
   * The chunks of a version from a place on, one at a time; dies where one is missing, so that no part is taken for the
   * whole. All chunks but the last are full.
   */
  const chunksOf = ({ size, version }: FileRow, first = 0): Stream.Stream<Uint8Array> =>
    Stream.unfoldEffect({ place: first, read: Math.min(size, first * chunkBytes) }, ({ place, read }) => {
      if (read === size) return Effect.succeed(Option.none())
      return Effect.map(execute<{ readonly bytes: Uint8Array }>(readChunk, [version, place]), ({ rows: [chunk] }) => {
        if (chunk === undefined || chunk.bytes.length > size - read) throw new FileGone()
        return Option.some([chunk.bytes, { place: place + 1, read: read + chunk.bytes.length }])
      })
    })

  const rangeOf = (file: FileRow, { from, to }: ByteRange): Stream.Stream<Uint8Array> => {
    const first = Math.floor(from / chunkBytes)
    const offset = first * chunkBytes
    return inRange(chunksOf(file, first), { from: from - offset, to: to - offset })
  }

  const remove = (key: string) =>
    statements(function*() {
      const file = keyBytes(key)
      yield* together([statement(lockKey, [file]), statement(retire, [file]), statement(forget, [file])])
    })

  const removeUnneeded = Effect.flatMap(
    execute<{ readonly version: number }>(listSurplus, [keptMillis, sweptAtOnce]),
    ({ rows }) =>
      Effect.as(Effect.forEach(rows, ({ version }) => removeVersion(version), { discard: true }), rows.length)
  )

  return {
    files: FileStore.of({
      write,
      read: (key, range) =>
        Effect.map(
          rowOf(key),
          Option.map((file) => range === undefined ? chunksOf(file) : rangeOf(file, range))
        ),
      size: (key) => Effect.map(rowOf(key), Option.map(({ size }) => size)),
      remove
    }),
    /** Removes what dead writers have left, and what has been replaced or removed, once it is an hour old. */
    sweep: Effect.zipRight(
      execute(abandonSilent, [keptMillis]),
      Effect.repeat(removeUnneeded, { until: (count) => count < sweptAtOnce })
    )
  }
}

/**
 * A `FileStore` for cohorts in a PostgreSQL database, in chunks of 256 kB, so that every machine finds the files. A file
 * appears once it is complete. No transaction is open while its bytes arrive, and no more than a chunk of it is in memory.
 *
 * Readers of a file finish it even if it is replaced or removed meanwhile, for an hour. What was replaced or removed, and
 * what a dead process has left, is deleted when it is an hour old.
 *
 * @example
 * ```ts
 * const files = Layer.provide(FilesPostgres.layer, SqlPostgres.layer({ url: "postgres://localhost/trunkline" }))
 * ```
 */
export const FilesPostgres = {
  /** The `FileStore` for a server, which also deletes what is no longer needed: at the start, and every 15 minutes. */
  layer: Layer.scoped(
    FileStore,
    Effect.gen(function*() {
      const { files, sweep } = make(yield* Sql)
      const sweepOrLog = Effect.catchAllCause(
        sweep,
        (cause) => Effect.logWarning("Old files could not be deleted from the database", describeCause(cause))
      )
      yield* Effect.forkScoped(Effect.repeat(sweepOrLog, Schedule.spaced(sweepInterval)))
      return files
    })
  ),
  /** The `FileStore` for a worker thread or a tool, beside a `layer` on the same database. */
  layerShared: Layer.effect(FileStore, Effect.map(Sql, (sql) => make(sql).files))
}
