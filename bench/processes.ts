import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { here } from "./published.js"

const children: Array<ChildProcess> = []

/** Starts a built bench program in a separate process, and resolves with the process and its first message. */
export const start = async (
  name: string,
  args: ReadonlyArray<string> = [],
  execArgv: Array<string> = []
): Promise<{ readonly child: ChildProcess; readonly firstMessage: string }> => {
  const child = fork(here(`dist/${name}.js`), args, { execArgv })
  endWithBench(child)
  const [message] = await once(child, "message")
  return { child, firstMessage: String(message) }
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
