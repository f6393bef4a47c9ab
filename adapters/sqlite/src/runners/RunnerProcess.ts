import { type ProcessExit, startProcess } from "@trunkline/workers"
import { Duration } from "effect"
import { randomUUID } from "node:crypto"
import { rm } from "node:fs/promises"
import { availableParallelism, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { type ChildSettings, isReply, ready, type RunReply, type RunRequest } from "./Messages.js"

/** Limits of a pool. */
export interface RunnerOptions {
  /**
   * Number of statements that run at a time; the number of cores by default, at least 4. One lane uses at most all but one
   * of them.
   */
  readonly size?: number
  /** Time limit of a statement, from when a child begins with it; 15 seconds by default. */
  readonly timeout?: Duration.DurationInput
  /** Limit of the resident memory of a child, in bytes; 320 MiB by default, of which Node.js itself takes 60. */
  readonly memoryBytes?: number
  /** Limit of the temporary disk of a child, in bytes; 256 MiB by default. */
  readonly temporaryBytes?: number
  /** Folder of the temporary folders of children, such as one on a separate disk; that of the system by default. */
  readonly temporaryFolder?: string
  /** Niceness of children, as `nice` counts it; 5 by default, so that the server has priority. */
  readonly niceness?: number
  /** Time that a statement waits for its turn before it fails; 5 seconds by default. */
  readonly waitTimeout?: Duration.DurationInput
  /** Number of statements that may wait in all lanes together; 256 by default. */
  readonly waiting?: number
  /** Number of statements that may wait in one lane; 64 by default. */
  readonly waitingPerLane?: number
}

/** Options with their defaults. */
export interface RunnerLimits {
  readonly size: number
  readonly timeoutMillis: number
  readonly memoryBytes: number
  readonly temporaryBytes: number
  readonly temporaryFolder: string
  readonly niceness: number
  readonly waitMillis: number
  readonly waiting: number
  readonly waitingPerLane: number
}

const mebibyte = 1024 * 1024

/** Fills in the defaults. */
export const limitsOf = (options: RunnerOptions): RunnerLimits => ({
  size: Math.max(1, options.size ?? Math.max(4, availableParallelism())),
  timeoutMillis: Duration.toMillis(options.timeout ?? Duration.seconds(15)),
  memoryBytes: options.memoryBytes ?? 320 * mebibyte,
  temporaryBytes: options.temporaryBytes ?? 256 * mebibyte,
  temporaryFolder: resolve(options.temporaryFolder ?? tmpdir()),
  niceness: options.niceness ?? 5,
  waitMillis: Duration.toMillis(options.waitTimeout ?? Duration.seconds(5)),
  waiting: options.waiting ?? 256,
  waitingPerLane: options.waitingPerLane ?? 64
})

/** Callbacks for what a runner sends. */
export interface RunnerEvents {
  /** The runner can take a request. */
  readonly onReady: () => void
  readonly onReply: (reply: RunReply) => void
  /** The runner has exited, with whatever it was doing. */
  readonly onExit: (exit: ProcessExit) => void
}

/** A child process that runs one request at a time. */
export interface ProcessRunner {
  readonly send: (request: RunRequest) => void
  readonly kill: () => void
  /** Settles when the process and its temporary folder are gone. */
  readonly cleanup: Promise<void>
}

/** Variables that set the temporary folder of SQLite; its own one where it exists, as other caches follow the common one. */
const environmentOf = (folder: string): Readonly<Record<string, string>> =>
  process.platform === "win32" ? { TMP: folder, TEMP: folder } : { SQLITE_TMPDIR: folder }

/** Starts a runner with its own temporary folder. */
export const startRunner = (
  entry: URL,
  { memoryBytes, niceness, temporaryBytes, temporaryFolder }: RunnerLimits,
  { onExit, onReady, onReply }: RunnerEvents
): ProcessRunner => {
  const folder = join(temporaryFolder, `trunkline-runner-${randomUUID()}`)
  const settings: ChildSettings = {
    parent: process.pid,
    memoryBytes,
    temporary: { folder, bytes: temporaryBytes },
    niceness
  }
  const child = startProcess(entry, {
    env: environmentOf(folder),
    settings,
    onMessage: (message) => {
      if (message === ready) onReady()
      else if (isReply(message)) onReply(message)
    }
  })
  const cleanup = child.exited.then(async (exit) => {
    onExit(exit)
    await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  })
  return { send: child.send, kill: child.kill, cleanup }
}
