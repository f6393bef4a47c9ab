import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { bundled } from "../tools/run.mjs"
import type { AttemptFigures } from "./operations-attempts-program.js"

/** Figures of attempts with metrics that are read and traces that are exported, beside those without. */
export interface AttemptShares {
  readonly off: AttemptFigures
  readonly on: AttemptFigures
  /** Attempts a second with to those without, and CPU time without to that with: medians of rounds, each of which runs both. */
  readonly rateShare: number
  readonly cpuShare: number
}

const rounds = 30

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const medians = (figures: ReadonlyArray<AttemptFigures>): AttemptFigures => ({
  rate: median(figures.map(({ rate }) => rate)),
  cpu: median(figures.map(({ cpu }) => cpu))
})

const figuresOf = async (engine: ChildProcess): Promise<AttemptFigures> => {
  engine.send("attempts")
  const [figures]: Array<AttemptFigures> = await once(engine, "message")
  if (figures === undefined) throw new Error("The engine has ended without figures")
  return figures
}

/** Measures both by turns. Each has a process of its own, as in operation, so that neither collects the garbage of the other. */
export const measureAttempts = async (): Promise<AttemptShares> => {
  const program = await bundled("bench/operations-attempts-program.ts")
  const start = async (name: "off" | "on"): Promise<ChildProcess> => {
    const engine = fork(program, [name], { execArgv: [] })
    await once(engine, "message")
    return engine
  }
  const engines = { off: await start("off"), on: await start("on") }
  const figures: Array<Record<"off" | "on", AttemptFigures>> = []
  for (let round = -2; round < rounds; round++) {
    const isEven = round % 2 === 0
    const first = await figuresOf(isEven ? engines.off : engines.on)
    const second = await figuresOf(isEven ? engines.on : engines.off)
    if (round >= 0) figures.push(isEven ? { off: first, on: second } : { off: second, on: first })
  }
  engines.off.disconnect()
  engines.on.disconnect()
  return {
    off: medians(figures.map(({ off }) => off)),
    on: medians(figures.map(({ on }) => on)),
    rateShare: median(figures.map(({ off, on }) => on.rate / off.rate)),
    cpuShare: median(figures.map(({ off, on }) => off.cpu / on.cpu))
  }
}
