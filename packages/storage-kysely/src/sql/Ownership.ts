import { Context, Data, Deferred, Effect, FiberId } from "effect"

/** Another process owns the database now, so this one can no longer write to it. */
export class Fenced extends Data.TaggedError("Fenced") {
  override get message() {
    return "another process has taken over this database, because this one had not answered for too long"
  }
}

/**
 * The right of an owner to write. The owners of a database are numbered, and only the newest may write. Every
 * transaction checks the number, at a point where no other process can become the owner.
 */
export interface Fence {
  readonly number: number
  /** Completes once a newer owner has been seen. */
  readonly breach: Deferred.Deferred<Fenced>
}

/** The fence of the owner with this number. */
export const makeFence = (number: number): Fence => ({ number, breach: Deferred.unsafeMake(FiberId.none) })

/** Marks a fence as broken by a newer owner; returns the error for the refused write. */
export const breakFence = ({ breach }: Fence): Fenced => {
  const error = new Fenced()
  Deferred.unsafeDone(breach, Effect.succeed(error))
  return error
}

const exclusive: Ownership.Service = { fence: null, isSafe: Effect.succeed(true), lost: Effect.never }

/**
 * This process's ownership of the database. By default no other process can own it, as with a database in memory;
 * adapters for files provide a real one.
 */
export class Ownership extends Context.Reference<Ownership>()("@trunkline/storage-kysely/Ownership", {
  defaultValue: (): Ownership.Service => exclusive
}) {
  /** The ownership of a database that no other process can take over. */
  static readonly exclusive: Ownership.Service = exclusive
}

export declare namespace Ownership {
  /** Ownership of a database. */
  export interface Service {
    /** The fence for every connection of this process that writes; null when no other process can take over. */
    readonly fence: Fence | null
    /**
     * True when no other process can take over within half a lease from now. After a time without heartbeats (a stopped
     * process, a full disk) it writes a heartbeat first, so that it is false only when that fails too.
     */
    readonly isSafe: Effect.Effect<boolean>
    /** Completes when another process has taken over; this process should then exit. */
    readonly lost: Effect.Effect<Fenced>
  }
}
