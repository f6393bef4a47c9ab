import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { here, publish } from "./published.js"
import { report } from "./report.js"

interface Throughput {
  readonly attempts: number
  readonly seconds: number
  /** CPU of the process for each attempt, in microseconds. */
  readonly micros: number
}

interface EngineThroughput extends Throughput {
  /** 99th percentile of the event loop delay, in milliseconds. */
  readonly delay: number
}

interface Lateness {
  readonly p50: number
  readonly p99: number
  readonly worst: number
  readonly perSecond: number
  readonly before: number
  readonly most: number
  readonly loop: number
}

const attempts = Number(process.env["ATTEMPTS"] ?? 20_000)
const contacts = Number(process.env["PEOPLE"] ?? 1_000_000)

/** Runs a bench program in a separate process, and returns its results. */
const found = async <A>(program: string, ...args: ReadonlyArray<string>): Promise<A> => {
  const child = fork(here(`dist/${program}.js`), args)
  const [result]: Array<A> = await Promise.race([
    once(child, "message"),
    once(child, "exit").then(([code]) => {
      throw new Error(`${program} ended with ${code}`)
    })
  ])
  if (child.exitCode === null) await once(child, "exit")
  if (result === undefined) throw new Error(`${program} found nothing`)
  return result
}

const perSecond = ({ attempts, seconds }: Throughput) => attempts / seconds

/**
 * Throughput of the campaign engine on SQLite with every commit synced to disk, compared with a hand-written loop that
 * writes the same rows; lateness of dials at the highest rate; and the cost of a million contacts.
 */
export const run = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "bench-dispatch-"))
  try {
    await publish("dispatch-program.ts", "dispatch-loop.ts")
    let latest = { ours: "", byHand: "" }
    const ratios: Array<number> = []
    for (const round of [1, 2, 3]) {
      const ours = await found<EngineThroughput>(
        "dispatch-program",
        "throughput",
        join(folder, `a${round}`),
        String(attempts)
      )
      const loop = await found<Throughput>(
        "dispatch-loop",
        join(folder, `a${round}`, "bench.db"),
        join(folder, `b${round}`)
      )
      ratios.push(perSecond(ours) / perSecond(loop))
      console.log(
        `  ${Math.round(perSecond(ours))} attempts a second through claim, accept, finish and outbox; `
          + `${Math.round(perSecond(loop))} by hand: ${(perSecond(ours) / perSecond(loop)).toFixed(2)} of it`
      )
      latest = {
        ours: `${Math.round(perSecond(ours))} a second, ${Math.round(ours.micros)} µs CPU`,
        byHand: `${Math.round(perSecond(loop))} a second, ${Math.round(loop.micros)} µs CPU`
      }
      console.log(
        `    ${Math.round(ours.micros)} µs of CPU for each attempt, ${
          Math.round(loop.micros)
        } by hand; event loop delay ${ours.delay.toFixed(1)} ms p99`
      )
    }
    const ratio = `${ratios.sort((a, b) => a - b)[1]?.toFixed(2)} of one loop by hand`
    console.log(`  ratio: ${ratio}`)
    report({
      path: "attempts, claim to outbox, SQLite FULL",
      ours: latest.ours,
      peer: latest.byHand,
      ratio,
      goal: "0.7"
    })
    for (const count of [20_000, contacts]) {
      const late = await found<Lateness>("dispatch-program", "lateness", join(folder, `c${count}`), String(count))
      console.log(
        `  ${count} contacts at 500 calls a second: ${late.perSecond.toFixed(1)} a second; late by ${
          late.p50.toFixed(1)
        } ms p50, ${late.p99.toFixed(1)} ms p99, ${late.worst.toFixed(1)} ms at most`
      )
      report({
        path: `lateness at 500 calls a second, ${count} contacts`,
        ours: `${late.p99.toFixed(1)} ms p99`,
        peer: "none",
        ratio: `${late.perSecond.toFixed(0)} calls a second`,
        goal: "25 ms at 1,000 a second"
      })
      console.log(
        `    ${late.before} MB resident before the first dial, ${late.most} MB at most; the event loop stood still for ${
          late.loop.toFixed(0)
        } ms at most`
      )
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}
