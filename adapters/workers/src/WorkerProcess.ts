import { fork, type Serializable } from "node:child_process"
import { fileURLToPath } from "node:url"
import { commandOf } from "./WorkerEntry.js"

/** Outcome of a child process. */
export interface ProcessExit {
  /** Signal that ended it, such as `SIGKILL`; null when it exited by itself. */
  readonly signal: string | null
  /** Exit code; null when a signal ended it, or when it could not be started. */
  readonly code: number | null
}

/** A running child process. This process does not stay alive for it unless it is held. */
export interface WorkerProcess {
  /** Sends a message; one to a child that has exited is lost. */
  readonly send: (message: Serializable) => void
  /** Kills the child, even in the middle of an endless native call. This process stays alive until it is gone. */
  readonly kill: () => void
  /**
   * Closes the channel: the child gets `disconnect` after the messages that were sent before, and exits by itself. This
   * process stays alive until it has.
   */
  readonly disconnect: () => void
  /** Sets whether this process stays alive as long as the child does. */
  readonly hold: (isHeld: boolean) => void
  /** Settles when the child has exited, or could not be started. */
  readonly exited: Promise<ProcessExit>
}

/** Options of a child process. */
export interface ProcessOptions {
  /** Whole environment of the child, beside what its operating system demands; empty by default. */
  readonly env?: Readonly<Record<string, string>>
  /** Settings that the child gets as JSON in its first argument. Other users of the machine may see them. */
  readonly settings: object
  readonly onMessage: (message: unknown) => void
}

/** Variables without which Windows cannot start a process. */
const systemEnv = (): Record<string, string> =>
  process.platform === "win32" && process.env["SystemRoot"] !== undefined
    ? { SystemRoot: process.env["SystemRoot"] }
    : {}

/**
 * Starts a child process that runs a module and shares nothing with this process but a channel for messages, which may
 * hold whatever structured clones may.
 */
export const startProcess = (entry: URL, { env = {}, onMessage, settings }: ProcessOptions): WorkerProcess => {
  const { args, execArgv = [], url } = commandOf(entry, "process")
  const child = fork(fileURLToPath(url), [JSON.stringify(settings), ...args], {
    env: { ...systemEnv(), ...env },
    execArgv: [...execArgv],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced"
  })
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }))
    child.on("error", () => child.pid === undefined && resolve({ code: null, signal: null }))
  })
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
    disconnect: () => {
      hold(true)
      if (child.connected) child.disconnect()
    },
    hold,
    exited
  }
}
