import { Context, Effect } from "effect"
import type { Fence, Fenced } from "./Fence.js"

const undisputed: Ownership.Service = { fence: null, isSafe: Effect.succeed(true), lost: Effect.never }

/**
 * How this process owns the database. Without anybody to dispute it, as of a database in memory, it does so for good;
 * that is so unless an adapter provides another one.
 */
export class Ownership extends Context.Reference<Ownership>()("@trunkline/storage-kysely/Ownership", {
  defaultValue: (): Ownership.Service => undisputed
}) {
  /** Nobody else can take over. */
  static readonly undisputed: Ownership.Service = undisputed
}

export declare namespace Ownership {
  /** How a database is owned. */
  export interface Service {
    /** What every connection of this process has to be given that writes; null when nobody can take over. */
    readonly fence: Fence | null
    /**
     * Whether nobody else can take over within half a lease from now. After a time without beats (a process that was
     * stopped, a full disk) a beat is tried first, so that it is false only when that fails too.
     */
    readonly isSafe: Effect.Effect<boolean>
    /** Completes when somebody else has taken over; whoever hears of it ends the process. */
    readonly lost: Effect.Effect<Fenced>
  }
}
