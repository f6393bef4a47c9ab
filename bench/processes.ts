import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { here } from "./published.js"

const children: Array<ChildProcess> = []

/** Starts a built program of the bench in a process of its own, and completes with its first message. */
export const start = async (
  name: string,
  args: ReadonlyArray<string> = [],
  execArgv: Array<string> = []
): Promise<{ readonly child: ChildProcess; readonly said: string }> => {
  const child = fork(here(`dist/${name}.js`), args, { execArgv })
  endWithBench(child)
  const [said] = await once(child, "message")
  return { child, said: String(said) }
}

/** Has a process end with the bench. */
export const endWithBench = (child: ChildProcess): void => void children.push(child)

/** Ends every process that was started. */
export const endProcesses = (): void => children.forEach((child) => child.kill())
