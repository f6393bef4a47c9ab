// States of a group, of which a connection has one at most.
//
// - None. The first transaction, or a write outside of one, opens a group: BEGIN, then the check of the fence. A locked
//   database refuses here, before anything is done.
// - Open. Transactions join one after another, since only the holder of the connection's mutex is in here. The first needs no
//   savepoint; each further one is a savepoint, released at its end or rolled back alone.
// - Failed. The database has rolled the group back, or may have: a savepoint statement failed. No statement runs any more, and
//   all transactions of the group fail.
// - Settled. The transaction that ends passes the mutex on and waits while others want to join and the group is neither full nor
//   old; else it commits for all, and then passes the mutex on. COMMIT completes every transaction of the group, or fails every
//   one. There is no group then.

import { macroTask } from "@trunkline/kernel"
import { type Clock, Deferred, Effect, FiberId } from "effect"
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from "kysely"
import {
  type DatabaseAccess,
  isImmediate,
  isReadable,
  isRolledBack,
  mayWrite,
  succeedsUnlessLocked
} from "./Connection.js"
import { breakFence, type Fence } from "./Ownership.js"

/** Most transactions in one commit: each waits for the last of them. */
const maxTransactions = 200

/** Age after which a group takes no more transactions, in nanoseconds. */
const maxAgeNanos = 25_000_000n

/** Transactions that are committed together. */
interface Group {
  transactions: number
  readonly since: bigint
  /** Completes when the commit is durable; dies when it fails. */
  readonly settlement: Deferred.Deferred<void>
  /** The error after which the database has, or may have, rolled the group back; null while it is intact. */
  failure: { readonly error: unknown } | null
}

const savepoint = CompiledQuery.raw("savepoint item")
const releaseSavepoint = CompiledQuery.raw("release item")
const rollbackTo = CompiledQuery.raw("rollback to item")
const newestFence = CompiledQuery.raw("select fence from ownership where id = 1")

/** Dependencies of a `GroupCommit`. */
interface GroupCommitOptions {
  readonly driver: Driver
  readonly connection: DatabaseConnection
  readonly clock: Clock.Clock
  readonly fence: Fence | null
  /** True while other callers wait for the connection. */
  readonly isAwaited: () => boolean
}

/**
 * Group commit: consecutive transactions of a connection share one database transaction, each as a savepoint in it. Only
 * the caller that holds the connection's mutex may use it.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions
  #group: Group | null = null
  /** The running statement. */
  #running: Promise<unknown> | null = null

  constructor(options: GroupCommitOptions) {
    this.#options = options
  }

  /** Opens a group; rejects with `Fenced` when the database has a newer owner. */
  async #open(): Promise<void> {
    const { clock, connection, driver } = this.#options
    await driver.beginTransaction(connection, {})
    try {
      await this.#checkFence()
    } catch (error) {
      await this.#rollbackGroup()
      throw error
    }
    this.#group = {
      transactions: 0,
      since: clock.unsafeCurrentTimeNanos(),
      settlement: Deferred.unsafeMake(FiberId.none),
      failure: null
    }
  }

  async #checkFence(): Promise<void> {
    const { connection, fence } = this.#options
    if (fence === null) return
    const { rows: [newest] } = await connection.executeQuery<{ readonly fence: number }>(newestFence)
    if (newest?.fence !== fence.number) throw breakFence(fence)
  }

  /** Opens a group if none is open; returns the access that other connections leave, or null for none. */
  async probe(): Promise<DatabaseAccess | null> {
    if (this.#group !== null || await succeedsUnlessLocked(this.#open())) return "writing"
    return await isReadable(this.#options.connection) ? "reading" : null
  }

  /** Runs a statement after the running one. A write opens a group first, so that a locked database leaves nothing done. */
  async execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    while (this.#running !== null) await this.#running.catch(() => undefined)
    const running = this.#execute<Row>(query)
    this.#running = running
    try {
      return await running
    } finally {
      this.#running = null
    }
  }

  /** Runs a statement of an open transaction synchronously; null where the connection cannot. */
  executeNow<Row>(text: string, values: ReadonlyArray<unknown>): QueryResult<Row> | null {
    const { connection } = this.#options
    if (this.#running !== null || !isImmediate(connection)) return null
    if (this.#group !== null && this.#group.failure !== null) throw this.#group.failure.error
    return connection.executeNow<Row>(text, values)
  }

  /** Handles a failed statement: checks whether the database has rolled the group back, and rejects with the error. */
  async fail(error: unknown): Promise<never> {
    const group = this.#group
    if (group !== null && group.failure === null && await isRolledBack(this.#options.connection)) {
      group.failure = { error }
    }
    throw error
  }

  async #execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { connection } = this.#options
    if (this.#group === null && mayWrite(query)) await this.#open()
    const group = this.#group
    if (group !== null && group.failure !== null) throw group.failure.error
    try {
      return await connection.executeQuery<Row>(query)
    } catch (error) {
      return this.fail(error)
    }
  }

  /** Begins a transaction; true when it opened the group. */
  async begin(): Promise<boolean> {
    if (this.#group === null) {
      await this.#open()
      return true
    }
    await this.#control(this.#group, savepoint)
    return false
  }

  /** Begins a transaction in the open group synchronously; false where that is not possible. */
  tryBegin(): boolean {
    return this.#group !== null && this.#tryControl(this.#group, savepoint)
  }

  /** Does what `release` does, synchronously; false where that is not possible. */
  tryRelease(isFirst: boolean): boolean {
    return this.#group !== null && this.#group.failure === null &&
      (isFirst || this.#tryControl(this.#group, releaseSavepoint))
  }

  /** Ends a transaction whose changes stay in the group. */
  async release(isFirst: boolean): Promise<void> {
    if (this.#group === null) return
    if (this.#group.failure !== null) throw this.#group.failure.error
    if (!isFirst) await this.#control(this.#group, releaseSavepoint)
  }

  /** Ends a transaction and undoes its changes only. */
  async rollback(isFirst: boolean): Promise<void> {
    const group = this.#group
    if (group === null || group.failure !== null) return
    if (isFirst) {
      await this.#rollbackGroup()
      this.#group = null
      return
    }
    // A failure to roll back is recorded in the group, and fails its commit.
    await this.#control(group, rollbackTo).then(() => this.#control(group, releaseSavepoint)).catch(() => undefined)
  }

  /**
   * Passes the mutex on and completes once the caller's changes are durable. The group stays open for the next waiting
   * caller; if there is none, one macrotask gives callers the chance to arrive. Otherwise the group is committed before
   * `pass` hands the mutex on.
   */
  settle(pass: () => void): Effect.Effect<void> {
    const group = this.#group
    if (group === null) return Effect.succeed(pass())
    group.transactions += 1
    const settlement = Effect.suspend(() => {
      if (!this.#staysOpen(group)) return Effect.promise(() => this.#commit(group).finally(pass))
      pass()
      return Deferred.await(group.settlement)
    })
    return this.#options.isAwaited() || isFull(group) ? settlement : Effect.zipRight(macroTask, settlement)
  }

  #staysOpen(group: Group): boolean {
    const { clock, isAwaited } = this.#options
    return isAwaited() && !isFull(group) && clock.unsafeCurrentTimeNanos() - group.since < maxAgeNanos
  }

  async #commit({ failure, settlement }: Group): Promise<void> {
    try {
      if (failure !== null) throw failure.error
      await this.#options.driver.commitTransaction(this.#options.connection)
      Deferred.unsafeDone(settlement, Effect.void)
    } catch (error) {
      Deferred.unsafeDone(settlement, Effect.die(error))
      await this.#rollbackGroup()
      throw error
    } finally {
      this.#group = null
    }
  }

  /** Rolls the group back; the database may have done so already. */
  async #rollbackGroup(): Promise<void> {
    const { connection, driver } = this.#options
    await driver.rollbackTransaction(connection).catch(() => undefined)
  }

  #tryControl(group: Group, query: CompiledQuery): boolean {
    try {
      return this.executeNow(query.sql, []) !== null
    } catch (error) {
      group.failure ??= { error }
      throw error
    }
  }

  /** Runs a savepoint statement; if it fails, the content of the group is unknown. */
  async #control(group: Group, query: CompiledQuery): Promise<void> {
    try {
      await this.execute(query)
    } catch (error) {
      group.failure ??= { error }
      throw error
    }
  }
}

/** Checks whether no more transactions may join a group. */
const isFull = ({ failure, transactions }: Group): boolean => failure !== null || transactions >= maxTransactions
