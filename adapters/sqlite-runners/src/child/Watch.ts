import { fstatSync, readdirSync, readlinkSync, rmSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import { parentPort, workerData } from "node:worker_threads"
import { type ChildSettings, ready } from "../Messages.js"

/** How often a run is looked at, in milliseconds (design: boards 2.2). */
const pollMillis = 20

/** What the first number of the shared memory says. */
export const [idle, running] = [0, 1]

/** What the watching thread is started with. */
export interface WatchSettings extends ChildSettings {
  /** One number: `idle` or `running`. */
  readonly state: Int32Array
}

/** SQLite's temporary files have names of this kind, and none any more on most systems as soon as they are open. */
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

/** The name that an open file has or had; undefined where the system does not tell. */
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

/** The bytes in temporary files: those of the folder, and those that are open but were unlinked. */
const temporaryBytes = (folder: string): number =>
  namesIn(folder).reduce((sum, name) => sum + orZero(() => statSync(join(folder, name)).size), 0) +
  namesIn("/dev/fd").reduce((sum, descriptor) => sum + orZero(() => unlinkedSize(descriptor)), 0)

const isSettings = (data: unknown): data is WatchSettings =>
  typeof data === "object" && data !== null && "state" in data && "temporary" in data

/**
 * The life of a thread beside one that is deep inside SQLite, where nothing else reaches it: as long as that one runs a
 * statement, it looks every 20 ms whether the process outgrew what it may have or outlived its parent, and kills it then.
 * Says `ready` once it does.
 */
export const watch = (data: unknown = workerData): void => {
  if (!isSettings(data)) return
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
