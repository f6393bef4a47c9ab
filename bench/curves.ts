import { fork } from "node:child_process"
import { once } from "node:events"
import { bundled } from "../tools/run.mjs"
import type { Curve } from "./curves-program.js"
import { report } from "./report.js"

/** Records of each kind in one workspace: 1, 10 and 100 times the data. Facts are ten times as many. */
const sizes = [30, 300, 3_000] as const

const formatMicros = (micros: number): string =>
  micros < 10 ? micros.toFixed(1) : Math.round(micros).toLocaleString("en")

/** Growth of a cost: the cost with 100 times the data, relative to the one with 10 times. */
const growth = (costs: ReadonlyArray<number>): string => {
  const [first = Number.NaN, middle = Number.NaN, last = Number.NaN] = costs
  return `${(last / first).toFixed(1)} times, of it ${(last / middle).toFixed(1)} times for the last 10`
}

/** Cost of reads as the data grows, in SQLite and in memory, each size in a process of its own. */
export const run = async (): Promise<void> => {
  const program = await bundled("bench/curves-program.ts")
  for (const storage of ["sqlite", "memory"]) {
    const curves: Array<Curve> = []
    for (const size of sizes) {
      const child = fork(program, [storage, `${size}`], { execArgv: ["--expose-gc"] })
      const [curve] = await once(child, "message")
      curves.push(curve)
      if (child.exitCode === null) await once(child, "exit")
    }
    for (const name of Object.keys(curves[0]?.micros ?? {})) {
      const costs = curves.map(({ micros }) => micros[name] ?? Number.NaN)
      report({
        path: `${storage}: ${name}, µs with ${sizes.join(", ")} records`,
        ours: costs.map(formatMicros).join("; "),
        peer: "none",
        ratio: growth(costs),
        goal: ""
      })
    }
    report({
      path: `${storage}: memory with ${sizes.join(", ")} records`,
      ours: curves.map(({ heap, resident }) => `${Math.round(heap)} MB heap, ${Math.round(resident)} MB`).join("; "),
      peer: "none",
      ratio: growth(curves.map(({ heap }) => heap)),
      goal: ""
    })
  }
}
