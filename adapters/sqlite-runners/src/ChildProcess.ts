import { type ChildProcess as NodeProcess, fork, type Serializable } from "node:child_process"
import type { ProcessEntry } from "./ProcessEntry.js"

/** How a child process ended. */
export interface Ending {
  /** The signal that ended it, such as `SIGKILL`; null when it ended itself. */
  readonly signal: string | null
  /** What it exited with; null when a signal ended it, or when it could not be started. */
  readonly code: number | null
}

/** A child process of this software. This process does not stay for it, unless it is told to. */
export interface ChildProcess {
  /** Sends it a message; one to a child that is gone is lost. */
  readonly send: (message: Serializable) => void
  /** Ends it, whatever it is doing, even in endless native code. This process stays until it is gone. */
  readonly kill: () => void
  /** Tells it to end by itself: it hears `disconnect` once it has done what it was asked. This process stays until then. */
  readonly leave: () => void
  /** Whether this process stays as long as the child does. */
  readonly hold: (isHeld: boolean) => void
  /** When it is gone. */
  readonly gone: Promise<Ending>
  /** Its process id; undefined when it could not be started. */
  readonly pid: number | undefined
}

/** How a child is started. */
export interface ChildOptions {
  /** All that it sees of the environment, beside what its operating system demands; default: nothing. */
  readonly env?: Readonly<Record<string, string>>
  /** What it finds as JSON in its first argument. Other users of the machine may see it. */
  readonly settings: object
  readonly onMessage: (message: unknown) => void
}

/** Without it no process can be started on Windows. */
const systemEnv = (): Record<string, string> =>
  process.platform === "win32" && process.env["SystemRoot"] !== undefined
    ? { SystemRoot: process.env["SystemRoot"] }
    : {}

const endingOf = (child: NodeProcess): Promise<Ending> =>
  new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }))
    child.on("error", () => child.pid === undefined && resolve({ code: null, signal: null }))
  })

/**
 * Starts a child process that shares nothing with this one but a channel for messages, which may hold whatever
 * structured clones may.
 */
export const startChild = (entry: ProcessEntry, { env = {}, onMessage, settings }: ChildOptions): ChildProcess => {
  const child = fork(entry.path, [JSON.stringify(settings)], {
    env: { ...systemEnv(), ...env },
    execArgv: [...entry.execArgv],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced"
  })
  const gone = endingOf(child)
  child.on("message", onMessage)
  const hold = (isHeld: boolean) => {
    for (const handle of [child, child.channel]) {
      if (isHeld) handle?.ref()
      else handle?.unref()
    }
  }
  hold(false)
  return {
    send: (message) => void child.send(message, () => undefined),
    kill: () => {
      hold(true)
      child.kill("SIGKILL")
    },
    leave: () => {
      hold(true)
      if (child.connected) child.disconnect()
    },
    hold,
    gone,
    pid: child.pid
  }
}
