import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { start } from "./processes.js"
import { publish } from "./published.js"
import { report } from "./report.js"
import type { Figures, Order } from "./sip-media-program.js"

/** Program of this bench, for `publish`. */
export const sipMediaProgram = "sip-media-program.ts"

/** Size of the measurements. */
export interface SipMediaOptions {
  /** Numbers of calls; 1, 50, 200 and 500 by default. */
  readonly calls?: ReadonlyArray<number>
  /** Duration of each measurement in seconds; 60 by default. */
  readonly seconds?: number
}

/** Calls of the goals, which are also measured with a main thread that stands still 30 ms in every 100. */
const loadCalls = 200

const order = (child: ChildProcess, message: Order): void => void child.send(message)

const figuresOf = async (child: ChildProcess): Promise<Figures> => {
  const [message] = await once(child, "message")
  const figures: Figures = JSON.parse(String(message))
  return figures
}

/** Runs calls of a part with other sides in a process of their own; `wide` are calls with G.722. */
export const measure = async (
  part: "media" | "recorded" | "wide" | "blocked" | "bare",
  count: number,
  seconds: number
) => {
  const ours = await start("sip-media-program", [part, String(count)])
  const peers = await start("sip-media-program", ["peers", String(count), part === "wide" ? "wide" : "narrow"])
  order(ours.child, { _tag: "Ports", ports: JSON.parse(peers.firstMessage) })
  order(peers.child, { _tag: "Ports", ports: JSON.parse(ours.firstMessage) })
  await new Promise((resolve) => setTimeout(resolve, 3_000 + 1_000 * seconds))
  const results = Promise.all([figuresOf(ours.child), figuresOf(peers.child)])
  for (const { child } of [ours, peers]) order(child, { _tag: "Stop" })
  const [here, there] = await results
  for (const { child } of [ours, peers]) child.kill()
  const { drift = Number.NaN, late50 = Number.NaN, late99 = Number.NaN } = there
  const figures: Figures = { ...here, arrival50: late50, arrival99: late99, drift }
  console.log(
    `  ${part} ${count}: ${Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(4)}`).join(", ")}`
  )
  return (name: string, digits = 1): string => (figures[name] ?? Number.NaN).toFixed(digits)
}

/** Adds the costs of the sound of SIP calls to the report. The program must be built already. */
export const measureSipMedia = async (
  { calls = [1, 50, 200, 500], seconds = 60 }: SipMediaOptions = {}
): Promise<void> => {
  for (const count of calls) {
    const bare = await measure("bare", count, Math.min(seconds, 20))
    const ours = await measure("media", count, seconds)
    const percent = (of: typeof ours) => Number(of("cpu", 6)) * 100
    report({
      path: `RTP both ways with a voice activity detector, ${count} calls, CPU a call`,
      ours: `${percent(ours).toFixed(3)} % of a core`,
      peer: `bare dgram loop ${percent(bare).toFixed(3)} %`,
      ratio: `${(percent(ours) / percent(bare)).toFixed(1)} times the bare loop`,
      goal: count >= loadCalls ? "0.25 % of a core" : ""
    })
    report({
      path: `the same, lateness of packets as they are sent, and drift in ${seconds} s`,
      ours: `p99 ${ours("late99")} ms, at arrival p50 ${ours("arrival50")}, p99 ${ours("arrival99")} ms, drift ${
        ours("drift")
      } ms`,
      peer: `bare at arrival p50 ${bare("arrival50")}, p99 ${bare("arrival99")} ms`,
      ratio: "",
      goal: "p99 5 ms, drift 20 ms"
    })
  }
  const blocked = await measure("blocked", loadCalls, Math.min(seconds, 20))
  report({
    path: `${loadCalls} calls while the main thread stands still 30 ms in every 100, lateness of packets`,
    ours: `p99 ${blocked("late99")} ms, at arrival p99 ${blocked("arrival99")} ms`,
    peer: "none",
    ratio: "",
    goal: "p99 5 ms"
  })
}

/** Measures the sound of SIP calls alone. */
export const run = async (options: SipMediaOptions = {}): Promise<void> => {
  await publish(sipMediaProgram)
  await measureSipMedia(options)
}
