import { fstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from "node:fs"
import { setPriority } from "node:os"
import { basename, dirname, join } from "node:path"
import { parentPort, Worker, workerData } from "node:worker_threads"
import { type ChildSettings, isRequest, ready } from "../Messages.js"
import { OpenFile } from "./OpenFile.js"
import { Run } from "./Run.js"

/** Interval between checks of a run, in milliseconds. */
const pollMillis = 20

/** States in the shared memory. */
const [idle, running] = [0, 1]

/** Settings of the watching thread. */
interface WatchSettings extends ChildSettings {
  /** Shared memory with one number: `idle` or `running`. */
  readonly state: Int32Array
}

/** Names of temporary files of SQLite, which are unlinked on most systems as soon as they are open. */
const temporaryName = /^(etilqs_|sqlite_)/

const orZero = (size: () => number): number => {
  try {
    return size()
  } catch {
    return 0
  }
}

const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Name of an open file, also of an unlinked one; undefined where the system does not provide it. */
const nameOf = (descriptor: string): string | undefined => {
  try {
    return basename(readlinkSync(join("/proc/self/fd", descriptor)))
  } catch {
    return undefined
  }
}

const unlinkedSize = (descriptor: string): number => {
  const file = fstatSync(Number(descriptor))
  if (!file.isFile() || file.nlink > 0) return 0
  const name = nameOf(descriptor)
  return name === undefined || temporaryName.test(name) ? file.size : 0
}

/** Size of temporary files: those in the folder, and open ones that are unlinked. */
const temporaryBytes = (folder: string): number =>
  namesIn(folder).reduce((sum, name) => sum + orZero(() => statSync(join(folder, name)).size), 0) +
  namesIn("/dev/fd").reduce((sum, descriptor) => sum + orZero(() => unlinkedSize(descriptor)), 0)

const isWatchSettings = (data: unknown): data is WatchSettings =>
  typeof data === "object" && data !== null && "state" in data && "temporary" in data

/**
 * Watches the main thread of the process from another thread, since SQLite blocks the main one. While a statement runs, it
 * checks every 20 ms whether the process exceeds its limits or has outlived its parent, and then kills the process. Posts
 * `ready` when it begins.
 */
export const watch = (data: unknown = workerData): void => {
  if (!isWatchSettings(data)) return
  const { memoryBytes, parent, state, temporary } = data
  const end = () => process.kill(process.pid, "SIGKILL")
  parentPort?.postMessage(ready)
  for (;;) {
    Atomics.wait(state, 0, idle)
    while (Atomics.wait(state, 0, running, pollMillis) === "timed-out") {
      if (process.ppid !== parent) {
        rmSync(temporary.folder, { recursive: true, force: true })
        end()
      }
      if (process.memoryUsage.rss() > memoryBytes || temporaryBytes(temporary.folder) > temporary.bytes) end()
    }
  }
}

const ifPossible = (act: () => void): boolean => {
  try {
    act()
    return true
  } catch {
    return false
  }
}

/** Makes a private folder for the lifetime of the process. */
const makeFolder = (folder: string): void => {
  mkdirSync(dirname(folder), { recursive: true })
  mkdirSync(folder, { mode: 0o700 })
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
}

const isSettings = (value: unknown): value is ChildSettings =>
  typeof value === "object" && value !== null && "parent" in value && "memoryBytes" in value && "temporary" in value

/** Runs one request at a time in a child process, which exits with its parent. */
export const serve = (settings: unknown): void => {
  if (process.send === undefined || !isSettings(settings)) return
  const { memoryBytes, niceness, temporary } = settings
  makeFolder(temporary.folder)
  const state = new Int32Array(new SharedArrayBuffer(4))
  const run = new Run(new OpenFile(), memoryBytes)

  const mark = (value: number) => {
    Atomics.store(state, 0, value)
    Atomics.notify(state, 0)
  }

  process.on("disconnect", () => process.exit())
  process.on("message", (message) => {
    if (!isRequest(message)) return
    mark(running)
    const reply = run.reply(message)
    mark(idle)
    process.send?.(reply)
  })

  // The thread runs the same program with the same arguments.
  const [, program = "", ...argv] = process.argv
  const watchSettings: WatchSettings = { ...settings, state }
  const watcher = new Worker(program, { argv, workerData: watchSettings, execArgv: process.execArgv })
  watcher.on("error", () => process.exit(1))
  watcher.on("exit", () => process.exit(1))
  watcher.once("message", () => {
    ifPossible(() => setPriority(niceness))
    // When the machine runs out of memory, the kernel kills this process rather than the server.
    ifPossible(() => writeFileSync("/proc/self/oom_score_adj", "1000"))
    process.send?.(ready)
  })
  watcher.unref()
}
