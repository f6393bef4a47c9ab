import { type DatabaseTooNew, migrate, type Sql } from "@trunkline/storage-kysely"
import { Effect, Layer } from "effect"
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { inMemory, opened } from "./OpenFile.js"
import { type DataFolderInUse, own } from "./Owner.js"

/** Where the database is. */
export interface SqliteOptions {
  /** A file, made with its folder when it is not there; `:memory:` keeps nothing. */
  readonly file: string
}

/**
 * The database in a SQLite file, brought to the newest version. The file belongs to this process until the layer is
 * closed.
 */
export const owned = ({ file }: SqliteOptions): Layer.Layer<Sql, DatabaseTooNew | DataFolderInUse> =>
  Layer.unwrapScoped(Effect.gen(function*() {
    if (file !== inMemory) {
      yield* Effect.sync(() => mkdirSync(dirname(file), { recursive: true, mode: 0o700 }))
      yield* own(file)
    }
    return Layer.provideMerge(Layer.effectDiscard(migrate()), opened(file))
  }))
