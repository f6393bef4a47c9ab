import { Effect } from "effect"
import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { bundled } from "../../../../test/programs/Programs.js"
import type { CallNews } from "./SharedEngine.js"

const program = await bundled("adapters/trunkline/test/processes/EngineProcess.ts")

/** Calls of all processes. */
export class Journal {
  readonly dials: Array<{ readonly process: number; readonly id: string; readonly to: string }> = []
  most = 0
  readonly #inProgress = new Map<number, number>()

  /** Takes the news of a process. */
  hear(process: number, news: CallNews) {
    if (news._tag === "Ready") return
    if (news._tag === "Dialled") this.dials.push({ process, id: news.id, to: news.to })
    const before = this.#inProgress.get(process) ?? 0
    this.#inProgress.set(process, before + (news._tag === "Dialled" ? 1 : -1))
    this.most = Math.max(this.most, [...this.#inProgress.values()].reduce((sum, calls) => sum + calls, 0))
  }

  /** Forgets the calls of a process that was killed. */
  forget(process: number) {
    this.#inProgress.delete(process)
  }
}

/** A process with an engine, which is killed with the scope. */
export const start = (
  process: number,
  folder: string,
  { database, journal, webhook = "" }: {
    readonly database: string
    readonly journal: Journal
    /** URL that receives every ended call; none by default. */
    readonly webhook?: string
  }
) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = fork(program, [database, join(folder, String(process)), webhook], {
        stdio: "ignore"
      })
      child.on("message", (news: CallNews) => journal.hear(process, news))
      return child
    }),
    (child) => Effect.sync(() => void child.kill("SIGKILL"))
  ).pipe(Effect.tap((child) =>
    Effect.promise(() =>
      Promise.race([
        once(child, "message"),
        once(child, "exit").then(([code]) => Promise.reject(new Error(`the process ended with ${code}`)))
      ])
    )
  ))
