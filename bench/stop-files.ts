import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { here, publish } from "./published.js"
import { report } from "./report.js"

interface Cost {
  readonly seconds: number
  readonly micros: number
  readonly delay: number
}

interface Found {
  readonly enrolled: Cost
  readonly stopped: Cost
  /** Most memory of the process, in megabytes. */
  readonly peakMegabytes: number
}

const most = Number(process.env["PEOPLE"] ?? 1_000_000)

const print = (what: string, people: number, { delay, micros, seconds }: Cost) =>
  console.log(
    `  ${people} contacts ${what} in ${seconds.toFixed(1)} s: ${micros.toFixed(1)} µs of CPU each; event loop delay ${
      delay.toFixed(1)
    } ms p99`
  )

/** Enrolment of many contacts in a campaign on SQLite, and a stop file with all their numbers. */
export const run = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "bench-stop-files-"))
  try {
    await publish("stop-files-program.ts")
    const runs = [[most / 100, "ascending"], [most / 10, "ascending"], [most, "ascending"], [most / 10, "no"]] as const
    for (const [people, order] of runs) {
      const file = join(folder, `${people}-${order}`)
      const child = fork(here("dist/stop-files-program.js"), [file, String(people), order])
      const [found]: Array<Found> = await once(child, "message")
      if (found === undefined) throw new Error("stop-files-program found nothing")
      print(`in ${order} order enrolled`, people, found.enrolled)
      print(`in ${order} order stopped`, people, found.stopped)
      for (
        const [what, { delay, micros, seconds }] of [["enrolment", found.enrolled], [
          "stop file",
          found.stopped
        ]] as const
      ) {
        report({
          path: `${what} of ${people.toLocaleString("en")} contacts, numbers in ${order} order`,
          ours: `${seconds.toFixed(1)} s, ${(micros * people / 1e6).toFixed(1)} s of CPU, ${found.peakMegabytes} MB`,
          peer: "none",
          ratio: `${micros.toFixed(1)} µs of CPU each, event loop delay ${delay.toFixed(1)} ms p99`,
          goal: people === 1_000_000 ? "5 s" : ""
        })
      }
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}
