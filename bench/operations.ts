import { fork } from "node:child_process"
import { once } from "node:events"
import { bundled } from "../tools/run.mjs"
import { type AttemptShares, measureAttempts } from "./operations-attempts.js"
import type { OperationFigures } from "./operations-program.js"
import { report } from "./report.js"

const attemptText = (name: string, { cpu, rate }: AttemptShares["on"]): string =>
  `${name} ${rate.toFixed(0)}, ${cpu.toFixed(0)} µs CPU`

/** Prints the costs of metrics with traces, of the client, and of a backup beside requests. */
export const run = async (): Promise<void> => {
  const attempts = await measureAttempts()
  const child = fork(await bundled("bench/operations-program.ts"), { execArgv: [] })
  const [figures]: Array<OperationFigures> = await once(child, "message")
  if (figures === undefined) throw new Error("The program has ended without figures")
  const { backup, requests } = figures
  report({
    path: "attempts a second, metrics read each second and a tenth of the traces exported",
    ours: attemptText("on", attempts.on),
    peer: attemptText("off", attempts.off),
    ratio: `${attempts.rateShare.toFixed(3)} of it, ${attempts.cpuShare.toFixed(3)} by CPU`,
    goal: "0.95"
  })
  report({
    path: "list route with its server, CPU µs a request",
    ours: `client ${requests.client.toFixed(0)}`,
    peer: `fetch ${requests.fetch.toFixed(0)}`,
    ratio: `${(requests.client / requests.fetch).toFixed(2)} times fetch`,
    goal: ""
  })
  report({
    path: `99th percentile of the list route beside a backup of a million facts (${backup.seconds.toFixed(1)} s)`,
    ours: `${backup.busy.toFixed(1)} ms`,
    peer: `idle ${backup.idle.toFixed(1)} ms`,
    ratio: `${(backup.busy / backup.idle).toFixed(2)} times idle`,
    goal: "2"
  })
}
