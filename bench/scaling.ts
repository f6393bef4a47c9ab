import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { withDatabase } from "./database.js"
import { endProcesses, endWithBench, killed } from "./processes.js"
import { here, publish } from "./published.js"
import { report } from "./report.js"

const attempts = Number(process.env["ATTEMPTS"] ?? 30_000)
const rows = Number(process.env["ROWS"] ?? 1_000_000)

const program = (url: string, ...args: ReadonlyArray<string>): ChildProcess => {
  const env = { ...process.env, DISPATCH_DATABASE: url }
  const child = fork(here("dist/scaling-program.js"), args, { env, execArgv: [] })
  endWithBench(child)
  return child
}

interface Dials {
  readonly dials: number
  readonly micros: number
}

/**
 * Dials a second of the engine in some processes on one database, and its CPU for each, in microseconds: between the third and
 * the ninth tenth of all, when turns are spread.
 */
const dialsOf = (folder: string, processes: number) =>
  withDatabase(async (url) => {
    const children: Array<ChildProcess> = []
    try {
      for (let index = 0; index < processes; index++) {
        const child = program(
          url,
          index === 0 ? "lead" : "help",
          join(folder, `${processes}-${index}`),
          String(attempts)
        )
        children.push(child)
        await once(child, "message")
      }
      const latest = new Map<ChildProcess, Dials>()
      const total = (): Dials =>
        [...latest.values()].reduce(
          (sum, one) => ({ dials: sum.dials + one.dials, micros: sum.micros + one.micros }),
          { dials: 0, micros: 0 }
        )
      const reached = async (share: number) => {
        while (total().dials < attempts * share) await new Promise((resolve) => setTimeout(resolve, 20))
        return { ...total(), at: performance.now() }
      }
      for (const child of children) {
        child.on("message", (message: Dials) => latest.set(child, message))
        child.send("go")
      }
      const [from, to] = [await reached(0.3), await reached(0.9)]
      const dials = to.dials - from.dials
      const shares = [...latest.values()].map((one) => Math.round(100 * one.dials / total().dials))
      return { perSecond: dials / ((to.at - from.at) / 1000), micros: (to.micros - from.micros) / dials, shares }
    } finally {
      await killed(children)
    }
  })

const importOf = (folder: string) =>
  withDatabase(async (url) => {
    const child = program(url, "import", join(folder, "import"), String(rows))
    const [found]: Array<{ readonly seconds: number; readonly megabytes: number }> = await once(child, "message")
    await killed([child])
    return found ?? { seconds: Number.NaN, megabytes: Number.NaN }
  })

/**
 * The whole engine in one and in two processes on one PostgreSQL database, with calls of a second, and the import of a million
 * rows into it. `ATTEMPTS` and `ROWS` set the sizes, `BENCH_POSTGRES` the server.
 */
export const run = async (): Promise<void> => {
  await publish("scaling-program.ts")
  const folder = await mkdtemp(join(tmpdir(), "bench-scaling-"))
  try {
    const found = []
    for (const processes of [1, 2]) {
      const figure = await dialsOf(folder, processes)
      found.push(figure)
      console.log(
        `  ${processes} processes: ${Math.round(figure.perSecond)} attempts a second, ${
          Math.round(figure.micros)
        } µs CPU each; shares ${figure.shares.join(" and ")} %`
      )
    }
    const [one, two] = found
    report({
      path: "attempts of the whole engine on PostgreSQL, 2 processes",
      ours: `${Math.round(two?.perSecond ?? Number.NaN)} a second, ${Math.round(two?.micros ?? Number.NaN)} µs CPU`,
      peer: `1 process: ${Math.round(one?.perSecond ?? Number.NaN)} a second, ${
        Math.round(one?.micros ?? Number.NaN)
      } µs CPU`,
      ratio: `${((two?.perSecond ?? Number.NaN) / (one?.perSecond ?? Number.NaN)).toFixed(2)} times`,
      goal: "1.6 times"
    })
    const { megabytes, seconds } = await importOf(folder)
    console.log(`  import of ${rows} rows: ${seconds.toFixed(1)} s, ${megabytes} MB`)
    report({
      path: `import of ${rows} rows into PostgreSQL`,
      ours: `${seconds.toFixed(1)} s, ${megabytes} MB`,
      peer: "none",
      ratio: `${Math.round(rows / seconds)} rows a second`,
      goal: ""
    })
  } finally {
    endProcesses()
    await rm(folder, { recursive: true, force: true })
  }
}
