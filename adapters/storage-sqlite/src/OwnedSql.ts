import { type DatabaseTooNew, keepOwnership, migrate, Ownership, type Sql } from "@trunkline/storage-kysely"
import { Duration, Effect, Layer } from "effect"
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { inMemory, machineClock, opened } from "./OpenFile.js"
import { type DataFolderInUse, own } from "./Owner.js"

/** Where the database is. */
export interface SqliteOptions {
  /** A file, made with its folder when it is not there; `:memory:` keeps nothing. */
  readonly file: string
  /**
   * For how long the file belongs to a process that does not answer, since it was stopped; 30 seconds when absent. It
   * says that it is there six times as often. A dial has to be over in half of it.
   */
  readonly lease?: Duration.DurationInput
}

/** What owning a file provides. */
export type Owned = Layer.Layer<Ownership | Sql, DatabaseTooNew | DataFolderInUse>

const machineTime = Effect.withClock(machineClock)

/** A database that is kept nowhere. */
const undisputed = () =>
  Layer.effectDiscard(migrate()).pipe(
    Layer.provideMerge(Layer.succeed(Ownership, Ownership.undisputed)),
    Layer.provideMerge(opened(inMemory))
  )

/** The database in a SQLite file, owned; where somebody else holds it, it is asked for only when `takesOver` says so. */
export const ownedBy = ({ file, lease: asked = "30 seconds" }: SqliteOptions, takesOver: boolean): Owned =>
  Layer.unwrapScoped(Effect.gen(function*() {
    if (file === inMemory) return undisputed()
    yield* Effect.sync(() => mkdirSync(dirname(file), { recursive: true, mode: 0o700 }))
    const lease = Duration.decode(asked)
    const fence = yield* Effect.provide(own({ file, lease, takesOver }), opened(file)).pipe(machineTime)
    const kept = Layer.scoped(Ownership, machineTime(keepOwnership({ fence, lease })))
    return Layer.effectDiscard(migrate()).pipe(
      Layer.provideMerge(kept),
      Layer.provideMerge(opened(file, { synchronous: "FULL", givesWay: false, fence }))
    )
  }))

/**
 * The database in a SQLite file, brought to the newest version. The file belongs to this process until the layer is
 * closed; once it has been stopped for a whole lease another may take over, and nothing of this one is kept then.
 */
export const owned = (options: SqliteOptions): Owned => ownedBy(options, true)
