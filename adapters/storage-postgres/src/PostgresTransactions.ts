// Order of a transaction on PostgreSQL.
//
// 1. Begin. BEGIN and the lock of this process's row leave in one round trip. Without the row, others have taken over the work
//    of this process: the transaction is `Fenced`. With it, they cannot before the end, and the transaction has a number.
// 2. Statements. One whose error was caught has failed the whole transaction all the same, which `commit` tells.
// 3. Commit. When the connection is lost before the answer, the outcome is not known: `LostCommit`. Its number tells later
//    whether it was committed, as long as the server has not crashed meanwhile.
// 4. Rollback after any failure. A connection that cannot roll back is not used again.
//
// Queries on their own (`runAlone`) have no transaction until their first write, which begins one.

import { breakFence, type Database, type Fence } from "@trunkline/storage-kysely"
import { Data } from "effect"
import type { Kysely } from "kysely"
import type { PostgresConnection } from "./PostgresConnection.js"
import { isConnectionLoss } from "./PostgresErrors.js"
import type { PostgresSession } from "./PostgresPool.js"

/** Statements that begin a transaction; the commit of a lossy one does not wait for the disk. */
const beginTexts = {
  guarded: "begin isolation level read committed",
  lossy: "begin isolation level read committed; set local synchronous_commit = off",
  serializable: "begin isolation level serializable"
}

/** A kind of transaction. */
export type TransactionKind = keyof typeof beginTexts

/** Tells a transaction from all others, by which its outcome is found when the answer to its commit is lost. */
export interface CommitId {
  readonly xid: string
  /** Start of the server, since transactions that a crash has undone leave their numbers to others. */
  readonly run: string
}

/** A commit whose answer was lost with the connection. */
export class LostCommit extends Data.TaggedError("LostCommit") {}

/** The end of a transaction; `lost` is set when it was committing as its connection was lost. */
export interface Ended<A> {
  readonly result: A
  readonly lost: CommitId | null
}

/** A process cannot be removed from the others while a transaction that has read it this way runs; this gives it a number. */
const readProcess = `
  select pg_current_xact_id()::text as xid, pg_postmaster_start_time()::text as run
  from processes where process_id = ? for key share
`

/** Begins a transaction; rejects with `Fenced` when others have taken over the work of this process. */
const begin = async (
  connection: PostgresConnection,
  kind: TransactionKind,
  fence: Fence | null
): Promise<CommitId | null> => {
  connection.failure = null
  const beginning = connection.control(beginTexts[kind])
  if (fence === null) {
    await beginning
    return null
  }
  const [, { rows: [id] }] = await Promise.all([beginning, connection.execute<CommitId>(readProcess, [fence.number])])
  if (id === undefined) throw breakFence(fence)
  return id
}

/** Undoes a transaction; a connection that cannot do so is not used again. */
export const rollback = async (connection: PostgresConnection): Promise<void> => {
  if (connection.isBroken) return
  await connection.control("rollback").catch(() => {
    connection.isBroken = true
  })
}

/** Begins a transaction, and leaves none open when that fails. */
export const beginOrRollback = async (
  ...[connection, kind, fence]: Parameters<typeof begin>
): Promise<CommitId | null> => {
  try {
    return await begin(connection, kind, fence)
  } catch (error) {
    await rollback(connection)
    throw error
  }
}

/** Commits; rejects when the server has undone the transaction, because a statement failed whose error was caught. */
export const commit = async (connection: PostgresConnection): Promise<void> => {
  if (connection.failure !== null) throw connection.failure.error
  await connection.control("commit").catch((error: unknown) => {
    throw isConnectionLoss(error) ? new LostCommit() : error
  })
}

/** Runs queries on their own; from the first write on they are in a transaction. */
export const runAlone = async <A>(
  { connection, db }: PostgresSession,
  fence: Fence | null,
  run: (db: Kysely<Database>) => Promise<A>
): Promise<Ended<A>> => {
  let beginning: Promise<CommitId | null> | null = null
  connection.beforeWrite = async () => void await (beginning ??= begin(connection, "guarded", fence))
  try {
    const result = await run(db)
    const id = await beginning
    if (beginning !== null) {
      try {
        await commit(connection)
      } catch (error) {
        if (id === null || !(error instanceof LostCommit)) throw error
        return { result, lost: id }
      }
    }
    return { result, lost: null }
  } catch (error) {
    if (beginning !== null) await rollback(connection)
    throw error
  } finally {
    connection.beforeWrite = null
  }
}
