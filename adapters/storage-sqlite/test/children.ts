import { Effect } from "effect"
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { bundled } from "../../../test/programs/Programs.js"

/** Another process. */
export type Child = ChildProcessByStdio<null, Readable, null>

const script = await bundled("adapters/storage-sqlite/test/child.ts")

/** What a child does: see child.ts. */
export type Work = "counting" | "serving" | "stopping" | "unfinished"

/** Another process with the file open, killed with the scope if not before. */
export const childOn = (file: string, work: Work, leaseMillis = 30_000) =>
  Effect.acquireRelease(
    Effect.sync((): Child =>
      spawn(process.execPath, [script, file, work, String(leaseMillis)], { stdio: ["ignore", "pipe", "inherit"] })
    ),
    kill
  )

/** Kills a child, and waits until it is gone. */
export const kill = (child: Child) =>
  Effect.async<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGKILL")
  })

/** What a child says, line by line. */
export const linesOf = (child: Child) => {
  const lines: Array<string> = []
  const reader = createInterface(child.stdout).on("line", (line) => lines.push(line))
  /** Waits for the next line that is such a one. */
  const next = (isAwaited: (line: string) => boolean) =>
    Effect.async<string>((resume) => {
      const look = (line: string) => {
        if (!isAwaited(line)) return
        reader.off("line", look)
        resume(Effect.succeed(line))
      }
      reader.on("line", look)
    })
  return { lines, next }
}
