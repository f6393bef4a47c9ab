import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { setPriority } from "node:os"
import { dirname } from "node:path"
import { Worker } from "node:worker_threads"
import { type ChildSettings, isRequest, ready } from "../Messages.js"
import { OpenFile } from "./OpenFile.js"
import { Run } from "./Run.js"
import { idle, running, type WatchSettings } from "./Watch.js"

const ifPossible = (act: () => void): boolean => {
  try {
    act()
    return true
  } catch {
    return false
  }
}

/** Makes a folder that nobody else has, for as long as the process lives. */
const makeFolder = (folder: string): void => {
  mkdirSync(dirname(folder), { recursive: true })
  mkdirSync(folder, { mode: 0o700 })
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
}

const isSettings = (value: unknown): value is ChildSettings =>
  typeof value === "object" && value !== null && "parent" in value && "memoryBytes" in value && "temporary" in value

/** The life of a child process: it answers one request at a time, and ends with its parent. */
export const serve = (entry: string, settings: unknown): void => {
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
    const answer = run.answer(message)
    mark(idle)
    process.send?.(answer)
  })

  const workerData: WatchSettings = { ...settings, state }
  const watcher = new Worker(entry, { workerData, execArgv: process.execArgv })
  watcher.on("error", () => process.exit(1))
  watcher.on("exit", () => process.exit(1))
  watcher.once("message", () => {
    ifPossible(() => setPriority(niceness))
    // Where memory runs out all the same, the kernel takes this process and not the server.
    ifPossible(() => writeFileSync("/proc/self/oom_score_adj", "1000"))
    process.send?.(ready)
  })
  watcher.unref()
}
