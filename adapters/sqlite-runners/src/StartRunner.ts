import { randomUUID } from "node:crypto"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { type Ending, startChild } from "./ChildProcess.js"
import { type ChildSettings, isAnswer, ready, type RunAnswer, type RunRequest } from "./Messages.js"
import type { ProcessEntry } from "./ProcessEntry.js"
import type { RunnerLimits } from "./RunnerOptions.js"

/** What a runner tells. */
export interface RunnerEvents {
  /** It can be asked. */
  readonly onReady: () => void
  readonly onAnswer: (answer: RunAnswer) => void
  /** It is gone, with whatever it was doing. */
  readonly onGone: (ending: Ending) => void
}

/** A child process that answers one request at a time. */
export interface Runner {
  readonly ask: (request: RunRequest) => void
  readonly kill: () => void
  /** When it is gone, with its temporary folder. */
  readonly cleared: Promise<void>
}

/** SQLite's own variable where it has one: others look for their caches where the system's leads. */
const envOf = (folder: string): Readonly<Record<string, string>> =>
  process.platform === "win32" ? { TMP: folder, TEMP: folder } : { SQLITE_TMPDIR: folder }

/** Starts a runner with a temporary folder of its own. */
export const startRunner = (
  entry: ProcessEntry,
  { memoryBytes, niceness, temporaryBytes, temporaryFolder }: RunnerLimits,
  { onAnswer, onGone, onReady }: RunnerEvents
): Runner => {
  const folder = join(temporaryFolder, `trunkline-runner-${randomUUID()}`)
  const settings: ChildSettings = {
    parent: process.pid,
    memoryBytes,
    temporary: { folder, bytes: temporaryBytes },
    niceness
  }
  const child = startChild(entry, {
    env: envOf(folder),
    settings,
    onMessage: (message) => {
      if (message === ready) onReady()
      else if (isAnswer(message)) onAnswer(message)
    }
  })
  const cleared = child.gone.then(async (ending) => {
    onGone(ending)
    await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  })
  return { ask: child.send, kill: child.kill, cleared }
}
