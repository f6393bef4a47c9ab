import type { Overloaded, TimedOut } from "@trunkline/errors"
import { Context, type Effect } from "effect"

/** A statement that only reads, compiled. */
export interface SlowRead {
  readonly sql: string
  readonly parameters: ReadonlyArray<unknown>
  /** Whether it may look at very many rows. */
  readonly isHeavy: boolean
}

/**
 * Reads that may take long, done by somebody else than the connection that all stores share; they see what was
 * committed before they began. Null unless provided: then the shared connection does them, and everybody waits.
 */
export class SlowReads extends Context.Reference<SlowReads>()("@trunkline/storage-kysely/SlowReads", {
  defaultValue: (): SlowReads.Service | null => null
}) {}

export declare namespace SlowReads {
  /** What reads. */
  interface Service {
    /** The rows, as objects by column name. A statement has 15 seconds; too many waiting ones are refused. */
    readonly rows: (read: SlowRead) => Effect.Effect<ReadonlyArray<unknown>, TimedOut | Overloaded>
  }
}
