import { macroTask } from "@trunkline/kernel"
import { type Clock, Deferred, Effect, FiberId } from "effect"
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from "kysely"
import { isGone, isReadable, unlessLocked } from "./ConnectionState.js"
import type { Access } from "./DatabaseLocked.js"
import { mayWrite } from "./DialectOn.js"
import { breakFence, type Fence } from "./Fence.js"
import { isPrompt } from "./PromptConnection.js"

/** How many items one commit makes durable at most: each waits for the last of them. */
const mostItems = 200

/** After so long a group takes nobody in any more, in nanoseconds. */
const longestNanos = 25_000_000n

/** What is committed together. */
interface Group {
  items: number
  readonly since: bigint
  /** Done when nothing of it can get lost any more; a defect when it is not kept. */
  readonly settled: Deferred.Deferred<void>
  /** Why the database has undone all of it, or may have. */
  lost: { readonly error: unknown } | null
}

const savepoint = CompiledQuery.raw("savepoint item")
const release = CompiledQuery.raw("release item")
const rollbackTo = CompiledQuery.raw("rollback to item")
const newestFence = CompiledQuery.raw("select fence from ownership where id = 1")

/** What groups are made with. */
export interface GroupParts {
  readonly driver: Driver
  readonly connection: DatabaseConnection
  readonly clock: Clock.Clock
  readonly fence: Fence | null
  /** Whether others wait for their turn. */
  readonly isAwaited: () => boolean
}

/**
 * The one transaction of a connection, which many items share one after another. Only whoever has the turn may call it.
 *
 * The item that opens a group needs no savepoint, since a group with nothing else in it can be undone as a whole.
 */
export class Groups {
  readonly #parts: GroupParts
  #group: Group | null = null
  /** The statement that is running. */
  #running: Promise<unknown> | null = null

  constructor(parts: GroupParts) {
    this.#parts = parts
  }

  /** Begins a group; dies when there is a newer owner. */
  async #open(): Promise<void> {
    const { clock, connection, driver } = this.#parts
    await driver.beginTransaction(connection, {})
    try {
      await this.#checkFence()
    } catch (error) {
      await this.#rollback()
      throw error
    }
    this.#group = {
      items: 0,
      since: clock.unsafeCurrentTimeNanos(),
      settled: Deferred.unsafeMake(FiberId.none),
      lost: null
    }
  }

  async #checkFence(): Promise<void> {
    const { connection, fence } = this.#parts
    if (fence === null) return
    const { rows: [newest] } = await connection.executeQuery<{ readonly fence: number }>(newestFence)
    if (newest?.fence !== fence.number) throw breakFence(fence)
  }

  /** What the database is free for: an open group has it locked then, or somebody else, who may let others read. */
  async look(): Promise<Access | null> {
    if (this.#group !== null || await unlessLocked(this.#open())) return "writing"
    return await isReadable(this.#parts.connection) ? "reading" : null
  }

  /** Runs a statement, one at a time. One that writes opens a group, so that nothing is done where that takes a wait. */
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

  /** Runs a statement of a transaction that has begun, if the connection can answer at once; null otherwise. */
  executeNow<Row>(text: string, values: ReadonlyArray<unknown>): QueryResult<Row> | null {
    const { connection } = this.#parts
    if (this.#running !== null || !isPrompt(connection)) return null
    if (this.#group !== null && this.#group.lost !== null) throw this.#group.lost.error
    return connection.executeNow<Row>(text, values)
  }

  /** What to do about the error of a statement: the database may have undone the group. Rejects with it. */
  async broke(error: unknown): Promise<never> {
    const group = this.#group
    if (group !== null && group.lost === null && await isGone(this.#parts.connection)) group.lost = { error }
    throw error
  }

  async #execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { connection } = this.#parts
    if (this.#group === null && mayWrite(query)) await this.#open()
    const group = this.#group
    if (group !== null && group.lost !== null) throw group.lost.error
    try {
      return await connection.executeQuery<Row>(query)
    } catch (error) {
      return this.broke(error)
    }
  }

  /** Begins a transaction as an item; true when it opened the group. */
  async beginItem(): Promise<boolean> {
    if (this.#group === null) {
      await this.#open()
      return true
    }
    await this.#control(this.#group, savepoint)
    return false
  }

  /** Begins a transaction within a group that is open, without a promise; false where that takes one. */
  beginNow(): boolean {
    return this.#group !== null && this.#controlNow(this.#group, savepoint)
  }

  /** As `keepItem`, without a promise; false where that takes one. */
  keepNow(isFirst: boolean): boolean {
    return this.#group !== null && this.#group.lost === null && (isFirst || this.#controlNow(this.#group, release))
  }

  /** Keeps what a transaction did, as far as the group is kept. */
  async keepItem(isFirst: boolean): Promise<void> {
    if (this.#group === null) return
    if (this.#group.lost !== null) throw this.#group.lost.error
    if (!isFirst) await this.#control(this.#group, release)
  }

  /** Undoes what a transaction did, and no more. */
  async undoItem(isFirst: boolean): Promise<void> {
    const group = this.#group
    if (group === null || group.lost !== null) return
    if (isFirst) {
      await this.#rollback()
      this.#group = null
      return
    }
    // Whether it cannot be undone, the group tells.
    await this.#control(group, rollbackTo).then(() => this.#control(group, release)).catch(() => undefined)
  }

  /**
   * What whoever had the turn waits for before it completes, if it took part in a group. The group goes on with the next
   * of those who wait; where nobody does, it gives those a chance who are about to. Otherwise it is committed before
   * anybody else has the turn; then `pass` passes it.
   */
  leave(pass: () => void): Effect.Effect<void> {
    const group = this.#group
    if (group === null) return Effect.succeed(pass())
    group.items += 1
    const settled = Effect.suspend(() => {
      if (!this.#goesOn(group)) return Effect.promise(() => this.#settle(group).finally(pass))
      pass()
      return Deferred.await(group.settled)
    })
    return this.#parts.isAwaited() || isFull(group) ? settled : Effect.zipRight(macroTask, settled)
  }

  #goesOn(group: Group): boolean {
    const { clock, isAwaited } = this.#parts
    return isAwaited() && !isFull(group) && clock.unsafeCurrentTimeNanos() - group.since < longestNanos
  }

  async #settle({ lost, settled }: Group): Promise<void> {
    try {
      if (lost !== null) throw lost.error
      await this.#parts.driver.commitTransaction(this.#parts.connection)
      Deferred.unsafeDone(settled, Effect.void)
    } catch (error) {
      Deferred.unsafeDone(settled, Effect.die(error))
      await this.#rollback()
      throw error
    } finally {
      this.#group = null
    }
  }

  /** Undoes the group; the database may have done so already. */
  async #rollback(): Promise<void> {
    const { connection, driver } = this.#parts
    await driver.rollbackTransaction(connection).catch(() => undefined)
  }

  #controlNow(group: Group, query: CompiledQuery): boolean {
    try {
      return this.executeNow(query.sql, []) !== null
    } catch (error) {
      group.lost ??= { error }
      throw error
    }
  }

  /** Runs a statement without which nobody knows what the group holds. */
  async #control(group: Group, query: CompiledQuery): Promise<void> {
    try {
      await this.execute(query)
    } catch (error) {
      group.lost ??= { error }
      throw error
    }
  }
}

/** Whether nobody else may join a group. */
const isFull = ({ items, lost }: Group): boolean => lost !== null || items >= mostItems
