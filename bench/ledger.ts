import { fork } from "node:child_process"
import { once } from "node:events"
import { bundled } from "../tools/run.mjs"
import type { LedgerFigures } from "./ledger-program.js"
import { report } from "./report.js"

const textOf = ({ cpu, rate }: LedgerFigures) =>
  `${Math.round(rate).toLocaleString("en")} a second, ${cpu.toFixed(0)} µs CPU`

/** Prints the payments per second of the credits on a SQLite file whose commits reach the disk, and of SQLite by hand. */
export const run = async (): Promise<void> => {
  const child = fork(await bundled("bench/ledger-program.ts"), { execArgv: [] })
  const [figures = []]: Array<ReadonlyArray<LedgerFigures>> = await once(child, "message")
  for (const ours of figures.filter(({ name }) => name === "trunkline")) {
    const byHand = figures.find(({ name, width }) => width === ours.width && name !== ours.name) ?? ours
    const { width } = ours
    console.log(`  ${width} at a time: ${textOf(ours)}; ${byHand.name}: ${textOf(byHand)}`)
    report({
      path: `payments on SQLite FULL, ${width} at a time`,
      ours: textOf(ours),
      peer: `by hand ${textOf(byHand)}`,
      ratio: `${(ours.rate / byHand.rate).toFixed(2)} of it`,
      goal: width === 64 ? "5,000 a second, 100 µs" : ""
    })
  }
}
