import { spawnSync } from "node:child_process"
import type { PlainModel } from "trunkline"
import { testAgent } from "trunkline/testing"
import { bundled } from "../tools/run.mjs"
import { here } from "./published.js"
import { report } from "./report.js"

/** Turns of both sides in a call, and calls with text and with sound: a thousand are extrapolated from these. */
const sizes = { turns: 10, text: 300, sound: 40 }

const thousand = 1_000

const model: PlainModel = { generate: async ({ messages }) => `This is answer ${messages.length}.` }

const desk = testAgent({ app_id: "desk", first_message: "Hello, how can I help?" }, { model })

/** Holds a call of ten turns. */
const call = (sound: boolean) =>
  desk.call(async (caller) => {
    for (let turn = 2; turn < sizes.turns; turn += 2) {
      await caller.says(`This is question ${turn}.`)
      await caller.hears("answer")
    }
    await caller.hangsUp()
  }, { sound })

interface Measured {
  /** CPU seconds of a thousand calls. */
  readonly seconds: number
  /** Seconds that a caller would take for one. */
  readonly callSeconds: number
}

const cpuSeconds = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1e6
}

const measure = async (sound: boolean, count: number): Promise<Measured> => {
  const { seconds: callSeconds, turns } = await call(sound)
  if (turns.length !== sizes.turns) throw new Error(`A call has ${turns.length} turns, and not ${sizes.turns}`)
  const from = cpuSeconds()
  for (let index = 0; index < count; index++) await call(sound)
  return { seconds: (cpuSeconds() - from) / count * thousand, callSeconds }
}

/** Rounds of programs, in turns with an empty one. */
const rounds = 5

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Milliseconds of a program of Node.js. */
const millisOf = (...args: ReadonlyArray<string>): number => {
  const from = performance.now()
  const { status } = spawnSync(process.execPath, [...args], { cwd: here(".."), stdio: ["ignore", "ignore", "inherit"] })
  if (status !== 0) throw new Error(`The program ${args.join(" ")} failed`)
  return performance.now() - from
}

/** Time of a test file with one call, from the start of its process to its end, beside that of an empty one. */
const measureStart = async (): Promise<void> => {
  const program = await bundled("bench/agents-start.ts")
  const times = Array.from({ length: rounds }, () => ({ ours: millisOf(program), bare: millisOf("-e", "") }))
  const [ours, bare] = [median(times.map((time) => time.ours)), median(times.map((time) => time.bare))]
  report({
    path: "test file with one call, from start to end, ms",
    ours: ours.toFixed(0),
    peer: `empty program ${bare.toFixed(0)}`,
    ratio: `${(ours / bare).toFixed(1)} times`,
    goal: "500 ms"
  })
}

/** CPU time of calls of tests, beside the time that the same calls take in real time, and the start of a test file. */
export const measureCalls = async (): Promise<void> => {
  for (
    const [name, sound, count, goal] of [["text", false, sizes.text, 10], ["sound", true, sizes.sound, 60]] as const
  ) {
    const { callSeconds, seconds } = await measure(sound, count)
    report({
      path: `1,000 tested calls of ${sizes.turns} turns over ${name}, CPU s`,
      ours: seconds.toFixed(1),
      peer: `in real time ${(callSeconds * thousand).toFixed(0)}`,
      ratio: `${(callSeconds * thousand / seconds).toFixed(0)} times as fast`,
      goal: `${goal} s`
    })
  }
  await measureStart()
}
