import { AgentVersion } from "@trunkline/agents"
import { makeVoiceActivityDetector } from "@trunkline/audio"
import { runTestCall } from "@trunkline/conversation/testing"
import { VirtualClock } from "@trunkline/kernel"
import { always, ScriptedModel } from "@trunkline/scripted-model"
import type { CallFault } from "@trunkline/telephony"
import { Effect, Schema } from "effect"
import { PerformanceObserver } from "node:perf_hooks"
import { percentile } from "./boards-timing.js"
import { audibleCall, type CallSettings, type Delays, lineAlone } from "./conversation-calls.js"
import { callerRate, callerSound } from "./conversation-sounds.js"

/** Figures of a part by their names; times in milliseconds unless the name says otherwise. */
export type Figures = Readonly<Record<string, number>>

/** CPU time of the process, in milliseconds. */
const cpuNow = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1e3
}

const paced: Delays = { transcript: 150, firstToken: 250, token: 20, firstSound: 120 }

const hold = (settings: CallSettings): Promise<ReadonlyArray<number>> =>
  Effect.runPromise(VirtualClock.run(audibleCall(settings)))

/** A stretch of time by the clock, in milliseconds. */
interface Stretch {
  readonly from: number
  readonly to: number
}

/** Milliseconds of a stretch that lie in none of the others. */
const outside = (others: ReadonlyArray<Stretch>, { from, to }: Stretch): number =>
  others.reduce((left, other) => left - Math.max(0, Math.min(to, other.to) - Math.max(from, other.from)), to - from)

/**
 * CPU and wall clock of each turn of calls with sound, after a warm-up. All of it contains the sounds that the caller and the
 * voice make up. CPU time is that of all threads, with those that collect garbage; `work` is wall clock without the pauses
 * in which garbage is collected, whoever made it, and so the work of the one thread that runs the engine and the line.
 */
const work = (call: (onTurn: () => void) => Effect.Effect<unknown, CallFault>) => async (): Promise<Figures> => {
  const cpu: Array<number> = []
  const turns: Array<Stretch> = []
  const pauses: Array<Stretch> = []
  const observer = new PerformanceObserver((list) => {
    for (const { duration, startTime } of list.getEntries()) pauses.push({ from: startTime, to: startTime + duration })
  })
  observer.observe({ entryTypes: ["gc"] })
  for (let round = -30; round < 50; round++) {
    let last: { readonly cpu: number; readonly at: number } | null = null
    const onTurn = () => {
      const now = { cpu: cpuNow(), at: performance.now() }
      if (last !== null && round >= 0) {
        cpu.push(now.cpu - last.cpu)
        turns.push({ from: last.at, to: now.at })
      }
      last = now
    }
    await Effect.runPromise(VirtualClock.run(call(onTurn)))
  }
  await new Promise((resolve) => setTimeout(resolve, 100))
  observer.disconnect()
  const wall = turns.map(({ from, to }) => to - from)
  const work = turns.map((turn) => outside(pauses.filter(({ from, to }) => from < turn.to && to > turn.from), turn))
  return {
    turns: cpu.length,
    cpu50: percentile(cpu, 50),
    cpu95: percentile(cpu, 95),
    cpu99: percentile(cpu, 99),
    wall50: percentile(wall, 50),
    wall99: percentile(wall, 99),
    work50: percentile(work, 50),
    work99: percentile(work, 99)
  }
}

/** Microseconds of CPU and of wall clock of the detector for a frame: the median of rounds over a minute of speech. */
const detector = (): Figures => {
  const speech = callerSound(200, 1)
  const { frameLength, push } = makeVoiceActivityDetector({ rate: callerRate })
  const frames = Array.from(
    { length: Math.floor(speech.length / frameLength) },
    (_, index) => speech.slice(index * frameLength, (index + 1) * frameLength)
  )
  const cpu: Array<number> = []
  const wall: Array<number> = []
  for (let round = -20; round < 100; round++) {
    const start = { cpu: cpuNow(), wall: performance.now() }
    for (const frame of frames) push(frame)
    if (round < 0) continue
    cpu.push((cpuNow() - start.cpu) / frames.length * 1e3)
    wall.push((performance.now() - start.wall) / frames.length * 1e3)
  }
  return { frames: frames.length, cpu: percentile(cpu, 50), wall: percentile(wall, 50) }
}

const version = Schema.decodeUnknownSync(AgentVersion)({ app_version: 1, committed: true })

const textCall = runTestCall({
  version,
  lines: Array.from(
    { length: 60 },
    (_, index) => ({ say: `Then I have question number ${index + 1} for you.`, after: 3_000 })
  ),
  hangUpAfter: "5 minutes"
})

const reply = "Thank you for your question. I have looked it up, and everything is in order. Is there anything else?"

/** Seconds for a thousand calls of five minutes without sound, all at once in one virtual time. */
const texts = async (): Promise<Figures> => {
  const calls = (count: number) =>
    Effect.forEach(Array.from({ length: count }, () => textCall), (call) => call, { concurrency: 1_000 }).pipe(
      Effect.provide(ScriptedModel.layer([{ when: always, reply, reasoning: "" }])),
      VirtualClock.run,
      Effect.runPromise
    )
  await calls(50)
  const start = { cpu: cpuNow(), wall: performance.now() }
  const results = await calls(1_000)
  const [cpu, wall] = [cpuNow() - start.cpu, performance.now() - start.wall]
  const minutes = results.map(({ log }) => ((log.at(-1)?.at ?? 0) - (log[0]?.at ?? 0)) / 60_000)
  const said = results.reduce((sum, { report }) => sum + report.transcript.length, 0)
  return { calls: results.length, cpu, wall, shortestMinutes: Math.min(...minutes), said }
}

/** Response gaps of a hundred turns in virtual time, with parts that overlap and in strict order, by the model's pace. */
const gaps = (token: number) => async (): Promise<Figures> => {
  const gapsOf = async (inOrder: boolean) => {
    const all: Array<number> = []
    for (let call = 0; call < 4; call++) {
      all.push(...await hold({ turns: 28, delays: { ...paced, token }, inOrder, voiceRate: 24_000 }))
    }
    return all
  }
  const [ours, ordered] = [await gapsOf(false), await gapsOf(true)]
  return {
    turns: ours.length,
    p50: percentile(ours, 50),
    p95: percentile(ours, 95),
    ordered50: percentile(ordered, 50),
    ordered95: percentile(ordered, 95)
  }
}

/** Calls of which transcriber and voice answer at once. */
const atOnce = { turns: 20, delays: { ...paced, transcript: 0, firstSound: 0 }, inOrder: false }

const parts: Readonly<Record<string, () => Figures | Promise<Figures>>> = {
  work: work((onTurn) => audibleCall({ ...atOnce, voiceRate: 24_000, onTurn })),
  "work-8000": work((onTurn) => audibleCall({ ...atOnce, voiceRate: 8_000, onTurn })),
  "work-line": work((onTurn) => lineAlone({ turns: atOnce.turns, onTurn })),
  detector,
  texts,
  gaps: gaps(0),
  "gaps-10": gaps(10),
  "gaps-20": gaps(20)
}

const figures = await parts[process.argv[2] ?? ""]?.()
process.send?.(JSON.stringify(figures))
