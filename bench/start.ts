import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { bundled } from "../tools/run.mjs"
import { here } from "./published.js"
import { report } from "./report.js"

const rounds = 7

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** CPU time that a running process has used, in milliseconds; Linux counts hundredths of a second. */
const cpuOf = (pid: number): number => {
  const [user, system] = (readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1] ?? "").split(" ").slice(11, 13)
  return (Number(user) + Number(system)) * 10
}

/** CPU and wall time of a program up to the first output that contains a text, in milliseconds. */
const startOnce = async (args: ReadonlyArray<string>, expected: string) => {
  const start = performance.now()
  const child = spawn(process.execPath, args, { cwd: here(".."), stdio: ["ignore", "pipe", "inherit"] })
  let output = ""
  for await (const chunk of child.stdout) {
    output += String(chunk)
    if (output.includes(expected)) break
  }
  const times = { cpu: cpuOf(child.pid ?? 0), wall: performance.now() - start }
  child.kill("SIGKILL")
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
  return times
}

/** Reports the median times of a program, in turns with an empty one of Node.js. */
const measure = async (path: string, { args, expected, goal }: {
  readonly args: ReadonlyArray<string>
  readonly expected: string
  readonly goal: string
}) => {
  const times = { ours: Array<{ cpu: number; wall: number }>(), bare: Array<{ cpu: number; wall: number }>() }
  for (let round = 0; round < rounds; round++) {
    times.ours.push(await startOnce(args, expected))
    times.bare.push(await startOnce(["-e", "console.log('ready'); setTimeout(() => {}, 1e6)"], "ready"))
  }
  const of = (side: "ours" | "bare", clock: "cpu" | "wall") => median(times[side].map((time) => time[clock]))
  const texts = (side: "ours" | "bare") => `${of(side, "cpu").toFixed(0)} ms CPU, ${of(side, "wall").toFixed(0)} ms`
  console.log(`${path}: ${texts("ours")}; an empty program: ${texts("bare")}`)
  report({
    path,
    ours: texts("ours"),
    peer: `empty program ${texts("bare")}`,
    ratio: `${(of("ours", "wall") / of("bare", "wall")).toFixed(1)} times`,
    goal
  })
}

/** Prints the times that the reference server and the command-line tool need to start. */
export const run = async (): Promise<void> => {
  const server = ["examples/server/src/main.ts", "--no-demo", "--port", "0", "--data", ":memory:"] as const
  const [program, ...args] = server
  const path = await bundled(program)
  const expected = "trunkline ready"
  await measure("server, built", { args: [path, ...args], expected, goal: "1,000 ms CPU" })
  await measure("server, from source", { args: ["tools/run.mjs", ...server], expected, goal: "1,500 ms CPU" })
  await measure("trunkline --help", {
    args: ["adapters/cli/bin/trunkline.mjs", "--help"],
    expected: "Exit codes",
    goal: "150 ms"
  })
}
