import { Context, Effect } from "effect"

/** Versions of the tables of a store: the one that it has, and the one that this software works with. */
export interface StoreVersion {
  readonly storedVersion: number
  readonly ownVersion: number
}

/** Tells if the stores can be used now. By default they are in memory, where that is always so. */
export class StoreProbe extends Context.Reference<StoreProbe>()("@trunkline/kernel/StoreProbe", {
  defaultValue: (): StoreProbe.Service => ({
    write: Effect.void,
    version: Effect.succeed({ storedVersion: 0, ownVersion: 0 }),
    freeBytes: Effect.succeed(null),
    logBytes: Effect.succeed(null)
  })
}) {}

export declare namespace StoreProbe {
  /** Probe of stores. Its effects die where the stores cannot be used. */
  export interface Service {
    /** Writes a mark, and completes when it is stored. */
    readonly write: Effect.Effect<void>
    readonly version: Effect.Effect<StoreVersion>
    /** Bytes that are free on the disk of the stores; null where they are not on a disk of this machine. */
    readonly freeBytes: Effect.Effect<number | null>
    /** Size of the log of changes that are not in the file of the database yet; null where there is no such file here. */
    readonly logBytes: Effect.Effect<number | null>
  }
}
