import { Context, Duration, Effect } from "effect"

/**
 * The processes that share one set of stores. By default this process is the only one; adapters for servers that many
 * processes use provide another.
 */
export class Processes extends Context.Reference<Processes>()("@trunkline/kernel/Processes", {
  defaultValue: (): Processes.Service => Processes.alone
}) {
  /** A process that shares its stores with no other one. */
  static readonly alone: Processes.Service = {
    id: null,
    pollEvery: Duration.infinity,
    count: Effect.succeed(1),
    seek: Effect.void
  }
}

export declare namespace Processes {
  /** This process among those that share its stores. */
  export interface Service {
    /** Number of this process, which no other one ever has; null when it is the only one. */
    readonly id: number | null
    /** Interval at which processes look for changes and for work that others have left; infinite when there are none. */
    readonly pollEvery: Duration.Duration
    /** Number of processes, this one included, whose leases have not run out. */
    readonly count: Effect.Effect<number>
    /** Looks at once for processes that have ended; from then on others may take over their work. */
    readonly seek: Effect.Effect<void>
  }
}
