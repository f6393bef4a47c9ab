import { CompiledQuery, type DatabaseConnection } from "kysely"
import { DatabaseLocked } from "./DatabaseLocked.js"

const begin = CompiledQuery.raw("begin")
const rollback = CompiledQuery.raw("rollback")
const glance = CompiledQuery.raw("select 1 from sqlite_schema limit 1")

/** Whether the database has ended the transaction: after some errors, such as a full disk, it undoes all of it itself. */
export const isGone = async (connection: DatabaseConnection): Promise<boolean> => {
  try {
    await connection.executeQuery(begin)
  } catch (error) {
    return !(error instanceof Error && error.message.includes("within a transaction"))
  }
  await connection.executeQuery(rollback)
  return true
}

/** Whether something could be done; false when somebody else has locked the database. */
export const unlessLocked = async (doing: Promise<unknown>): Promise<boolean> => {
  try {
    await doing
    return true
  } catch (error) {
    if (error instanceof DatabaseLocked) return false
    throw error
  }
}

/** Whether somebody else who has locked the database lets others read. */
export const isReadable = (connection: DatabaseConnection): Promise<boolean> =>
  unlessLocked(connection.executeQuery(glance))
