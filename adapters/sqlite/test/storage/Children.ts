import { Effect } from "effect"
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { bundled } from "../../../../test/programs/Programs.js"

/** A child process. */
export type Child = ChildProcessByStdio<null, Readable, null>

const script = await bundled("adapters/sqlite/test/storage/Child.ts")

/** The work of a child; see Child.ts. */
export type Work = "counting" | "serving" | "stopping" | "unfinished"

/** A child process that has the file open; it is killed with the scope at the latest. */
export const childOn = (file: string, work: Work, leaseMillis = 30_000) =>
  Effect.acquireRelease(
    Effect.sync((): Child =>
      spawn(process.execPath, [script, file, work, String(leaseMillis)], { stdio: ["ignore", "pipe", "inherit"] })
    ),
    kill
  )

/** Kills a child, and waits for its exit. */
export const kill = (child: Child) =>
  Effect.async<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGKILL")
  })

/** The output of a child, line by line. */
export const linesOf = (child: Child) => {
  const lines: Array<string> = []
  const reader = createInterface(child.stdout).on("line", (line) => lines.push(line))
  /** Waits for the next line that matches. */
  const next = (matches: (line: string) => boolean) =>
    Effect.async<string>((resume) => {
      const look = (line: string) => {
        if (!matches(line)) return
        reader.off("line", look)
        resume(Effect.succeed(line))
      }
      reader.on("line", look)
    })
  return { lines, next }
}
