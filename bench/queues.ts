import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { withDatabase } from "./database.js"
import { endProcesses, endWithBench, killed } from "./processes.js"
import { here, publish } from "./published.js"
import { report } from "./report.js"

const attempts = Number(process.env["ATTEMPTS"] ?? 9_600)
const rounds = Number(process.env["ROUNDS"] ?? 3)
const peers = ["graphile-worker", "pg-boss", "BullMQ"] as const

interface Progress {
  readonly done: number
  readonly micros: number
}

const program = (...args: ReadonlyArray<string>): ChildProcess => {
  const child = fork(here("dist/queues-program.js"), args, { execArgv: [] })
  endWithBench(child)
  return child
}

const finished = async (...args: ReadonlyArray<string>): Promise<void> => {
  const [code] = await once(program(...args), "exit")
  if (code !== 0) throw new Error(`queues-program ${args.join(" ")} ended with ${code}`)
}

/** Attempts a second of some processes that share a new database, and their CPU for each, in microseconds. */
const measure = (work: "cycle" | "empty", contender: string, processes: number) =>
  withDatabase(async (url) => {
    const children: Array<ChildProcess> = []
    try {
      await finished("prepare", contender, url, String(attempts), "0", String(processes))
      const progress = new Map<number, Progress>()
      let [isDone, isBroken] = [() => {}, (_error: Error) => {}]
      const done = new Promise<void>((resolve, reject) => [isDone, isBroken] = [resolve, reject])
      const total = () => [...progress.values()].reduce((sum, one) => sum + one.done, 0)
      for (let index = 0; index < processes; index++) {
        const child = program(work, contender, url, String(attempts), String(index), String(processes))
        children.push(child)
        await once(child, "message")
        child.once("exit", (code) => isBroken(new Error(`${contender} ended with ${code}`)))
        child.on("message", (message: Progress) => {
          progress.set(index, message)
          if (total() >= attempts) isDone()
        })
      }
      const started = performance.now()
      for (const child of children) child.send("go")
      await done
      const seconds = (performance.now() - started) / 1000
      const micros = [...progress.values()].reduce((sum, one) => sum + one.micros, 0)
      return { perSecond: attempts / seconds, micros: micros / attempts }
    } finally {
      await killed(children)
      if (contender === "BullMQ") await finished("forget", contender, url)
    }
  })

type Figure = Awaited<ReturnType<typeof measure>>

const middle = (figures: ReadonlyArray<Figure>): Figure => {
  const sorted = figures.toSorted((a, b) => a.perSecond - b.perSecond)
  return sorted[Math.floor(sorted.length / 2)] ?? { perSecond: Number.NaN, micros: Number.NaN }
}

const text = ({ micros, perSecond }: Figure) => `${Math.round(perSecond)} a second, ${Math.round(micros)} µs CPU`

/**
 * Durable cycles of attempts, from the claim to the end with all its rows, by the stores of 1, 2 and 4 processes that share a
 * PostgreSQL database, compared with the same rows written by the handlers of job queues; their empty jobs beside. BullMQ keeps
 * its jobs in Redis, here without durability. `ATTEMPTS` and `ROUNDS` set the size, `BENCH_POSTGRES` the server.
 */
export const run = async (): Promise<void> => {
  await publish("queues-program.ts")
  try {
    for (const processes of [1, 2, 4]) {
      const figures = new Map<string, Array<Figure>>()
      for (let round = 0; round < rounds; round++) {
        for (const contender of ["ours", ...peers]) {
          const figure = await measure("cycle", contender, processes)
          figures.set(contender, [...(figures.get(contender) ?? []), figure])
          console.log(`  ${processes} × ${contender}: ${text(figure)}`)
        }
      }
      const ours = middle(figures.get("ours") ?? [])
      for (const peer of peers) {
        const theirs = middle(figures.get(peer) ?? [])
        const empty = await measure("empty", peer, processes)
        console.log(`  ${processes} × ${peer}, empty jobs: ${text(empty)}`)
        report({
          path: `durable cycle on PostgreSQL, processes: ${processes}`,
          ours: text(ours),
          peer: `${peer}: ${text(theirs)}; empty jobs ${Math.round(empty.perSecond)}`,
          ratio: `${(ours.perSecond / theirs.perSecond).toFixed(1)} times`,
          goal: "3 times"
        })
      }
    }
  } finally {
    endProcesses()
  }
}
