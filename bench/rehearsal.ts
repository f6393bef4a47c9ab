import { once } from "node:events"
import { start } from "./processes.js"
import { publish } from "./published.js"
import type { Rehearsed } from "./rehearsal-program.js"
import { report } from "./report.js"

const sizes = [1_000, 10_000, 100_000]

const parse = (message: string): Rehearsed => JSON.parse(message)

/**
 * Cost of a rehearsal with the default model, by the number of contacts, each in a process of its own; contacts who ask for
 * it are called again.
 */
export const run = async (): Promise<void> => {
  await publish("rehearsal-program.ts")
  for (const size of sizes) {
    const { child, firstMessage } = await start("rehearsal-program", [`${size}`])
    const { contacts, cpu, delay: [p99, most], dials, log, peak, seconds } = parse(firstMessage)
    console.log(
      `  ${contacts.toLocaleString("en")} contacts, ${dials.toLocaleString("en")} calls in ${seconds.toFixed(2)} s: ${
        (1e6 * cpu / dials).toFixed(1)
      } µs of CPU a call, ${Math.round(peak)} MB at most, event loop delay p99 ${p99.toFixed(1)} ms, at most ${
        most.toFixed(1)
      } ms, log ${log}`
    )
    report({
      path: `rehearsal of ${contacts.toLocaleString("en")} contacts`,
      ours: `${seconds.toFixed(1)} s, ${Math.round(peak)} MB`,
      peer: "none",
      ratio: `${(1e6 * cpu / dials).toFixed(0)} µs of CPU a call`,
      goal: size === 100_000 ? "10 s, 300 MB" : ""
    })
    child.disconnect()
    await once(child, "exit")
  }
}
