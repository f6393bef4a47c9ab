import { createRequire } from "node:module"
import { Worker } from "node:worker_threads"

/** The program of the thread, as text: it needs nothing but the driver, whose place it is told. */
const program = `
const { parentPort, workerData: { driver, file, task, to } } = require("node:worker_threads")
const Database = require(driver)
const open = () => new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 })
const lower = (value) => typeof value === "string" ? value.toLowerCase() : value
const tasks = {
  snapshot: () => {
    const database = open().function("lower", { deterministic: true }, lower)
    database.prepare("vacuum into ?").run(to)
    database.close()
  },
  version: () => {
    const database = open()
    const known = database.prepare("select 1 from sqlite_schema where name = 'schema_version'").get()
    const version = known && database.prepare("select max(version) from schema_version").pluck().get()
    database.close()
    return version || 0
  },
  check: () => {
    const database = open()
    const found = database.pragma("quick_check(1)", { simple: true })
    database.close()
    return found
  },
  locked: () => {
    const database = new Database(file, { fileMustExist: true, timeout: 0 })
    try {
      database.exec("begin exclusive")
      return false
    } catch (error) {
      if (/^SQLITE_BUSY/.test(error.code)) return true
      throw error
    } finally {
      database.close()
    }
  }
}
parentPort.postMessage(tasks[task]())
`

/** Work on a SQLite file. */
type Task =
  /** Writes an exact copy to a file that does not exist (`VACUUM INTO`); writers go on meanwhile. */
  | { readonly task: "snapshot"; readonly file: string; readonly to: string }
  /** Version of its tables; 0 without any. */
  | { readonly task: "version"; readonly file: string }
  /** `ok`, or the first damage. */
  | { readonly task: "check"; readonly file: string }
  /** True while a process holds the lock that the file stands for. */
  | { readonly task: "locked"; readonly file: string }

const { resolve } = createRequire(import.meta.url)

/** The error of a thread. Those of the driver arrive without their class, as objects with the fields of an error. */
const errorOf = (cause: unknown): Error => {
  if (cause instanceof Error) return cause
  const { code, message }: { readonly code?: unknown; readonly message?: unknown } = Object(cause)
  return Object.assign(new Error(String(message ?? "the thread of the database failed")), { code })
}

/** Does work on a SQLite file in a thread of its own, so that this one goes on. Rejects with the error of SQLite. */
export const inDatabaseThread = (task: Task): Promise<unknown> =>
  new Promise((fulfil, reject) => {
    let result: unknown
    const worker = new Worker(program, { eval: true, workerData: { ...task, driver: resolve("better-sqlite3") } })
    worker.once("message", (message: unknown) => result = message)
    worker.once("error", (cause: unknown) => reject(errorOf(cause)))
    worker.once("exit", () => fulfil(result))
  })
