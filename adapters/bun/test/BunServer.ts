import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { bun } from "../../../test/setup/Bun.js"

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** Options of `serve`, with a free port by default. */
export interface BunOptions {
  /** Path of a module that exports an `engine`; the test engine by default. */
  readonly engine?: string
  readonly port?: number
  readonly host?: string
  readonly prefix?: string
  readonly closeTimeout?: number
}

/** A Bun process that serves an engine. */
export interface BunProcess {
  readonly url: string
  /** Lines that the process has written. */
  readonly lines: ReadonlyArray<string>
  /** Completes when the process has written a line, also if it did before; rejects when it ends without writing it. */
  readonly wrote: (line: string) => Promise<void>
  /** Closes the server twice, and completes when the process has ended. */
  readonly close: () => Promise<void>
}

/** Starts a Bun process that serves an engine. Rejects with its output when it ends instead. */
export const startBun = async (
  { engine = pathOf("TestEngine.ts"), ...options }: BunOptions = {}
): Promise<BunProcess> => {
  const child = spawn(bun, [
    "--conditions=@trunkline/source",
    pathOf("Server.ts"),
    engine,
    JSON.stringify({ port: 0, ...options })
  ])
  const lines: Array<string> = []
  const waiting = new Set<() => void>()
  const look = () => waiting.forEach((check) => check())
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on("line", (line) => {
      lines.push(line)
      look()
    })
  }
  let code: unknown
  const ended = once(child, "close").then(([given]) => {
    code = given
    look()
  })
  const failure = () => new Error(`Bun ended with ${code}:\n${lines.join("\n")}`)

  const lineLike = (isIt: (line: string) => boolean) =>
    new Promise<string>((resolve, reject) => {
      const check = () => {
        const line = lines.find(isIt)
        if (line !== undefined) resolve(line)
        else if (code !== undefined) reject(failure())
      }
      waiting.add(check)
      check()
    })

  return {
    url: await lineLike((line) => line.startsWith("http:")),
    lines,
    wrote: async (line) => void await lineLike((written) => written === line),
    close: async () => {
      child.stdin.end()
      await ended
      if (code !== 0) throw failure()
    }
  }
}
