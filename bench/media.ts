import type { ChildProcess } from "node:child_process"
import { percentile } from "./boards-timing.js"
import type { Figures, Order, Result } from "./media-program.js"
import { messageOf, start } from "./processes.js"
import { publish } from "./published.js"
import { report } from "./report.js"

/** Size of the measurements. */
export interface MediaOptions {
  /** Number of calls at once; 200 by default. */
  readonly calls?: number
  /** Duration of each measurement in seconds; 30 by default. */
  readonly seconds?: number
}

/** Time before anything is measured, in which code becomes fast. */
const warmUp = 5_000

const rest = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** Milliseconds by which this process, which has nothing else to do, wakes too late, until the time is over. */
const latenessFor = async (millis: number): Promise<number> => {
  const late: Array<number> = []
  const until = performance.now() + millis
  for (let due = performance.now() + 20; due < until; due = performance.now() + 20) {
    await rest(20)
    late.push(performance.now() - due)
  }
  return percentile(late, 99)
}

const order = (child: ChildProcess, message: Order): void => void child.send(message)

const resultOf = async (child: ChildProcess): Promise<Result> => {
  const result: Result = JSON.parse(await messageOf(child))
  return result
}

/** Longest time after an interruption in which a message belongs to it, in microseconds: half of that to the next one. */
const matchMicros = 5e6

/** Milliseconds from interruptions to the messages that stopped the agent's sound. */
const stopsAfter = (onsets: Result["moments"], clears: Result["moments"]): ReadonlyArray<number> =>
  onsets.flatMap(([streamId, onset]) => {
    const clear = clears.find(([id, at]) => id === streamId && at >= onset && at < onset + matchMicros)
    return clear === undefined ? [] : [(clear[1] - onset) / 1_000]
  })

/** Runs calls of a part, with Twilio and its people in a process of their own. */
const measure = async (part: "lines" | "talks", count: number, seconds: number) => {
  const peers = await start("media-program", [part === "talks" ? "callers" : "peers", String(count)])
  const ours = await start("media-program", [part, String(count), JSON.parse(peers.firstMessage)])
  const both = [ours.child, peers.child]
  await rest(warmUp)
  both.forEach((child) => order(child, "begin"))
  const idle99 = await latenessFor(1_000 * seconds)
  const results = Promise.all([resultOf(ours.child), resultOf(peers.child)])
  both.forEach((child) => order(child, "stop"))
  const [here, there] = await results
  const stops = stopsAfter(there.moments, here.moments)
  const reactions = stopsAfter(there.decisions, here.moments)
  const figures: Figures = {
    ...here.figures,
    ...there.figures,
    idle99,
    clear50: percentile(stops, 50),
    clear95: percentile(stops, 95),
    clears: stops.length,
    reaction50: percentile(reactions, 50),
    reaction95: percentile(reactions, 95),
    interruptions: there.moments.length
  }
  both.forEach((child) => child.kill())
  console.log(`  ${part} ${count}: ${Object.entries(figures).map(([name, value]) => `${name} ${value}`).join(", ")}`)
  return (name: string, digits = 1): string => (figures[name] ?? Number.NaN).toFixed(digits)
}

/** Measures calls over Twilio's Media Streams (CPU, the age of frames, interruptions) and from browsers (the gap). */
export const run = async ({ calls = 200, seconds = 30 }: MediaOptions = {}): Promise<void> => {
  await publish("media-program.ts", "media-browser-program.ts")
  const lines = await measure("lines", calls, seconds)
  const talks = await measure("talks", calls, seconds)
  const percent = (of: typeof lines) => `${(Number(of("share", 6)) * 100).toFixed(1)} % of a core`
  const row = (path: string, ours: string, goal: string, peer = "none") =>
    report({ path: `${path} (the machine was shared)`, ours, peer, ratio: "", goal })
  const idle = (of: typeof lines) => `an idle process wakes p99 ${of("idle99")} ms late`
  row(`${calls} calls over Twilio, sound both ways with a voice activity detector, CPU`, percent(lines), "40 %")
  row(
    "the same, from a frame sent to the line's listener",
    `p50 ${lines("frame50")}, p99 ${lines("frame99")} ms`,
    "p99 5 ms",
    idle(lines)
  )
  row(`${calls} calls with turn-taking, whose agents speak without a pause, CPU`, percent(talks), "")
  row(
    "the same, from a frame sent to `Listener`",
    `p50 ${talks("frame50")}, p99 ${talks("frame99")} ms`,
    "p99 5 ms",
    idle(talks)
  )
  row(
    "the same, from the caller's first voiced frame as it was sent to `clear` on the wire",
    `p50 ${talks("clear50")}, p95 ${talks("clear95")} ms, ${talks("clears", 0)} of ${talks("interruptions", 0)}`,
    "p95 300 ms"
  )
  row(
    "the same, from the frame that completes 200 ms of voice as it was sent to `clear` on the wire",
    `p50 ${talks("reaction50")}, p95 ${talks("reaction95")} ms`,
    "",
    idle(talks)
  )
  const { firstMessage } = await start("media-browser-program", [String(Math.ceil(calls / 10)), String(seconds)])
  const gaps: ReadonlyArray<number> = JSON.parse(firstMessage)
  row(
    `${Math.ceil(calls / 10)} calls from browsers, mouth to the agent's first sound, ear 150, model 250, voice 120 ms`,
    `p50 ${percentile(gaps, 50).toFixed(0)}, p95 ${percentile(gaps, 95).toFixed(0)} ms, ${gaps.length} answers`,
    "p50 900 ms"
  )
}
