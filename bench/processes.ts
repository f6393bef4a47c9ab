import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { here } from "./published.js"

const children: Array<ChildProcess> = []

/** Waits for the next message of a process. Fails when it exits before, so that the bench does not wait forever. */
export const messageOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    const exited = (code: number | null, signal: string | null): void => {
      child.off("message", told)
      reject(new Error(`${child.spawnargs.slice(1).join(" ")} ended before its message: ${signal ?? `code ${code}`}`))
    }
    const told = (message: unknown): void => {
      child.off("exit", exited)
      resolve(String(message))
    }
    if (child.exitCode !== null || child.signalCode !== null) return exited(child.exitCode, child.signalCode)
    child.once("message", told)
    child.once("exit", exited)
  })

/**
 * Starts a built bench program in a separate process, and resolves with the process and its first message. Fails when it ends
 * without one; the reason is on standard error.
 */
export const start = async (
  name: string,
  args: ReadonlyArray<string> = [],
  execArgv: Array<string> = []
): Promise<{ readonly child: ChildProcess; readonly firstMessage: string }> => {
  const child = fork(here(`dist/${name}.js`), args, { execArgv })
  endWithBench(child)
  return { child, firstMessage: await messageOf(child) }
}

/** Ends a process together with the bench. */
export const endWithBench = (child: ChildProcess): void => void children.push(child)

/** Ends all started processes. */
export const endProcesses = (): void => children.forEach((child) => child.kill())

/** Ends processes at once. */
export const killed = async (children: ReadonlyArray<ChildProcess>): Promise<void> => {
  for (const child of children) {
    child.removeAllListeners("exit").kill("SIGKILL")
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
  }
}
