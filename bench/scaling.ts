import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { limitToShare, removeShares } from "./cpu-share.js"
import { withDatabase } from "./database.js"
import { endProcesses, endWithBench, killed } from "./processes.js"
import { here, publish } from "./published.js"
import { report } from "./report.js"

const attempts = Number(process.env["ATTEMPTS"] ?? 30_000)
const rows = Number(process.env["ROWS"] ?? 1_000_000)

/** Share of a core of each process on "machines of their own", which leaves the database enough of two cores. */
const share = 0.35

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

/** Number of processes and of dials of a measurement; `isLimited` if each process has the same share of a core. */
interface Setting {
  readonly processes: number
  readonly attempts: number
  readonly isLimited: boolean
}

/**
 * Dials a second of the engine in some processes on one database, and its CPU for each, in microseconds: between the third and
 * the ninth tenth of all, when turns are spread. Null where shares of a core cannot be set.
 */
const dialsOf = (folder: string, { attempts, isLimited, processes }: Setting) =>
  withDatabase(async (url) => {
    const children: Array<ChildProcess> = []
    try {
      for (let index = 0; index < processes; index++) {
        const child = program(
          url,
          index === 0 ? "lead" : "help",
          join(folder, `${processes}-${index}-${isLimited}`),
          String(attempts)
        )
        children.push(child)
        await once(child, "message")
      }
      if (isLimited && !children.every(({ pid }) => pid !== undefined && limitToShare(pid, share))) return null
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
      await removeShares()
    }
  })

const importOf = (folder: string) =>
  withDatabase(async (url) => {
    const child = program(url, "import", join(folder, "import"), String(rows))
    const [found]: Array<{ readonly seconds: number; readonly megabytes: number }> = await once(child, "message")
    await killed([child])
    return found ?? { seconds: Number.NaN, megabytes: Number.NaN }
  })

/** Reports dials of one and of two processes. */
const reportDials = async (folder: string, setting: Omit<Setting, "processes">): Promise<void> => {
  const [one, two] = [
    await dialsOf(folder, { ...setting, processes: 1 }),
    await dialsOf(folder, { ...setting, processes: 2 })
  ]
  if (one === null || two === null) {
    return console.log("  Processes with a share of a core were skipped: that takes the rights of root on Linux")
  }
  const told = ({ micros, perSecond }: typeof one) => `${Math.round(perSecond)} a second, ${Math.round(micros)} µs CPU`
  console.log(`  1 process: ${told(one)}; 2 processes: ${told(two)}; shares ${two.shares.join(" and ")} %`)
  report({
    path: setting.isLimited
      ? `attempts of the whole engine on PostgreSQL, 2 processes with ${share} of a core each`
      : "the same, 2 processes that share this machine's cores with the database",
    ours: told(two),
    peer: `1 process: ${told(one)}`,
    ratio: `${(two.perSecond / one.perSecond).toFixed(2)} times`,
    goal: setting.isLimited ? "1.6 times" : ""
  })
}

/**
 * The whole engine in one and in two processes on one PostgreSQL database, with calls of a second, and the import of a million
 * rows into it. On a machine with few cores the database takes those that a second process would need, so each process also
 * gets a share of a core, as if it were on a machine of its own. `ATTEMPTS` and `ROWS` set the sizes, `BENCH_POSTGRES` the
 * server.
 */
export const run = async (): Promise<void> => {
  await publish("scaling-program.ts")
  const folder = await mkdtemp(join(tmpdir(), "bench-scaling-"))
  try {
    await reportDials(folder, { attempts: Math.round(attempts / 3), isLimited: true })
    await reportDials(folder, { attempts, isLimited: false })
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
