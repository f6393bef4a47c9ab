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

/** Behaviours of the receiver of webhooks; one that hangs leaves the delivery of webhooks out of the figures. */
const receivers = [
  ["hangs", "attempts, claim to outbox, SQLite FULL"],
  ["accepts", "attempts, claim to outbox and delivery of the webhooks, SQLite FULL"]
] as const

/**
 * Throughput of the campaign engine on SQLite with every commit synced to disk, compared with a hand-written loop that
 * writes the same rows; lateness of dials at the highest rate of one and of two campaigns; and the cost of a million
 * contacts. `ATTEMPTS` and `PEOPLE` set the number of attempts and of contacts.
 */
export const run = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "bench-dispatch-"))
  try {
    await publish("dispatch-program.ts", "dispatch-loop.ts")
    for (const [receiver, path] of receivers) {
      const rounds: Array<readonly [EngineThroughput, Throughput]> = []
      for (const round of [1, 2, 3]) {
        const ours = await found<EngineThroughput>(
          "dispatch-program",
          "throughput",
          join(folder, `${receiver}${round}`),
          String(attempts),
          receiver
        )
        const loop = await found<Throughput>(
          "dispatch-loop",
          join(folder, `${receiver}${round}`, "bench.db"),
          join(folder, `loop-${receiver}${round}`)
        )
        rounds.push([ours, loop])
        console.log(
          `  ${Math.round(perSecond(ours))} attempts a second through claim, accept, finish and outbox; `
            + `${Math.round(perSecond(loop))} by hand: ${(perSecond(ours) / perSecond(loop)).toFixed(2)} of it`
        )
        console.log(
          `    ${Math.round(ours.micros)} µs of CPU for each attempt, ${
            Math.round(loop.micros)
          } by hand; event loop delay ${ours.delay.toFixed(1)} ms p99`
        )
      }
      const ratioOf = ([ours, loop]: readonly [EngineThroughput, Throughput]) => perSecond(ours) / perSecond(loop)
      const [, middle] = rounds.toSorted((a, b) => ratioOf(a) - ratioOf(b))
      if (middle === undefined) continue
      const [ours, loop] = middle
      report({
        path,
        ours: `${Math.round(perSecond(ours))} a second, ${Math.round(ours.micros)} µs CPU`,
        peer: `${Math.round(perSecond(loop))} a second, ${Math.round(loop.micros)} µs CPU`,
        ratio: `${ratioOf(middle).toFixed(2)} of one loop by hand`,
        goal: "0.7"
      })
    }
    for (const [count, campaigns] of [[20_000, 1], [contacts, 1], [20_000, 2]] as const) {
      const rate = 500 * campaigns
      const late = await found<Lateness>(
        "dispatch-program",
        "lateness",
        join(folder, `c${count}-${campaigns}`),
        String(count),
        String(campaigns)
      )
      console.log(
        `  ${campaigns} × ${count} contacts at ${rate} calls a second: ${late.perSecond.toFixed(1)} a second; late by ${
          late.p50.toFixed(1)
        } ms p50, ${late.p99.toFixed(1)} ms p99, ${late.worst.toFixed(1)} ms at most`
      )
      report({
        path: `lateness at ${rate} calls a second, ${campaigns} × ${count} contacts`,
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
