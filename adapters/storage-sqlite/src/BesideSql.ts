import { makeFence, type Sql } from "@trunkline/storage-kysely"
import { Effect, Layer } from "effect"
import { existsSync } from "node:fs"
import { DatabaseMissing } from "./DatabaseMissing.js"
import { inMemory, opened } from "./OpenFile.js"

/** Where the database is that this process owns. */
export interface BesideOptions {
  /** A file. */
  readonly file: string
  /** The number of the fence under which the process owns it: once another process does, nothing is written here. */
  readonly fence: number
}

/**
 * One more connection to a SQLite file that this process owns already: for a worker thread of it, which lives no longer
 * than the owner. Both wait for each other as two processes do, so transactions must be short; many of them leave gaps for the owner.
 *
 * Its commits are not waited for until they are on the disk. A power loss may undo the last of them, in the order in
 * which they came, so whatever is written here must be able to be written again; the next commit of the owner makes all
 * before it durable.
 */
export const beside = ({ fence, file }: BesideOptions): Layer.Layer<Sql, DatabaseMissing> =>
  Layer.unwrapEffect(Effect.suspend(() =>
    file !== inMemory && existsSync(file)
      ? Effect.succeed(opened(file, { synchronous: "NORMAL", givesWay: true, fence: makeFence(fence) }))
      : new DatabaseMissing({ file })
  ))
