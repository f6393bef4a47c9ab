import { once } from "node:events"
import type { Figures } from "./conversation-program.js"
import { start } from "./processes.js"
import { publish } from "./published.js"
import { report } from "./report.js"

const parse = (message: string): Figures => JSON.parse(message)

/** Runs a part of the program in a process of its own; returns a function that formats its figures. */
const measure = async (part: string) => {
  const { child, firstMessage } = await start("conversation-program", [part])
  const figures = parse(firstMessage)
  console.log(`  ${part}: ${Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(2)}`).join(", ")}`)
  child.disconnect()
  await once(child, "exit")
  return (name: string, digits = 0): string => (figures[name] ?? Number.NaN).toFixed(digits)
}

const reportWork = async (): Promise<void> => {
  const line = await measure("work-line")
  for (const [part, voice] of [["work", "voice at 24 kHz"], ["work-8000", "voice at 8 kHz"]] as const) {
    const of = await measure(part)
    report({
      path: `a turn of a call with sound, ${voice}, work of engine and simulated line between pauses of the collector`,
      ours: `p50 ${of("work50", 1)} ms, p99 ${of("work99", 1)} ms`,
      peer: `simulated line alone p50 ${line("work50", 1)} ms, p99 ${line("work99", 1)} ms`,
      ratio: "",
      goal: "p99 5 ms"
    })
    report({
      path: `the same, ${voice}, CPU of all threads`,
      ours: `p50 ${of("cpu50", 1)} ms, p95 ${of("cpu95", 1)} ms, p99 ${of("cpu99", 1)} ms`,
      peer: `simulated line alone p50 ${line("cpu50", 1)} ms, p95 ${line("cpu95", 1)} ms, p99 ${line("cpu99", 1)} ms`,
      ratio: `by the clock p50 ${of("wall50", 1)} ms, p99 ${of("wall99", 1)} ms`,
      goal: "p99 5 ms"
    })
  }
}

const reportGaps = async (part: string, model: string): Promise<void> => {
  const of = await measure(part)
  report({
    path: `response gap in virtual time, ${model}`,
    ours: `p50 ${of("p50")} ms, p95 ${of("p95")} ms`,
    peer: `in strict order p50 ${of("ordered50")} ms, p95 ${of("ordered95")} ms`,
    ratio: `${(Number(of("p95", 3)) / Number(of("ordered95", 3))).toFixed(2)} of it`,
    goal: "p95 900 ms"
  })
}

/**
 * Cost of conversations: a turn of a call with sound without its model, transcriber and voice, the voice activity detector,
 * and calls without sound; and response gaps with emulated parts, beside the same parts one after the other.
 */
export const run = async (): Promise<void> => {
  await publish("conversation-program.ts")
  await reportWork()
  const detector = await measure("detector")
  report({
    path: "voice activity detector, CPU of a frame of 20 ms at 8 kHz",
    ours: `${detector("cpu", 2)} µs`,
    peer: "none",
    ratio: `by the clock ${detector("wall", 2)} µs`,
    goal: "10 µs"
  })
  const texts = await measure("texts")
  report({
    path: "1,000 calls of five minutes without sound, virtual time",
    ours: `${(Number(texts("wall")) / 1e3).toFixed(1)} s`,
    peer: "none",
    ratio: `${(Number(texts("cpu")) / 1e3).toFixed(1)} s of CPU, ${Number(texts("said")).toLocaleString("en")} texts`,
    goal: "10 s"
  })
  await reportGaps("gaps", "whole answer 250 ms after the request")
  await reportGaps("gaps-10", "first word after 250 ms, then 100 a second")
  await reportGaps("gaps-20", "first word after 250 ms, then 50 a second")
}
