import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { here } from "./published.js"
import { report } from "./report.js"
import { claimsOfBacklog } from "./webhooks-backlog.js"
import type { Sent } from "./webhooks-sender.js"

const kinds = ["raw", "memory", "sqlite"] as const
const titles = { raw: "undici alone", memory: "outbox in memory", sqlite: "outbox in SQLite" }
const webhooks = Number(process.env["WEBHOOKS"] ?? 2_000)
const endpoints = 20
const rounds = Number(process.env["ROUNDS"] ?? 3)

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** A receiver that reads each body and responds with 204. */
const receive = async () => {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(204).end())
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The receiver has no port")
  return { server, url: `http://127.0.0.1:${address.port}` }
}

/** Cost of a claim in memory as the backlog grows. */
const reportBacklogs = async () => {
  await claimsOfBacklog(0)
  const costs: Array<number> = []
  for (const factor of [1, 10, 100]) costs.push(await claimsOfBacklog(factor * 2_000))
  const [first = Number.NaN] = costs
  const last = costs.at(-1) ?? Number.NaN
  report({
    path: "webhook claim and result in memory, CPU µs each, with 2,000, 20,000 and 200,000 waiting",
    ours: costs.map((cost) => cost.toFixed(0)).join(", "),
    peer: "",
    ratio: `${(last / first).toFixed(1)} times for 100 times the backlog`,
    goal: "2 times"
  })
}

/** Deliveries a second and CPU each, from rows of the outbox to a receiver of the same machine, beside undici alone. */
export const run = async (): Promise<void> => {
  const { server, url } = await receive()
  const folder = await mkdtemp(join(tmpdir(), "bench-webhooks-"))
  const sent = { raw: Array<Sent>(), memory: Array<Sent>(), sqlite: Array<Sent>() }
  try {
    for (let round = 0; round < rounds; round++) {
      for (const kind of kinds) {
        const own = await mkdtemp(join(folder, kind))
        const child = fork(here("webhooks-sender.ts"), [kind, own, url, `${webhooks}`, `${endpoints}`])
        const [result]: Array<Sent> = await once(child, "message")
        if (result !== undefined) sent[kind].push(result)
        if (child.exitCode === null) await once(child, "exit")
      }
    }
  } finally {
    server.close()
    await rm(folder, { recursive: true })
  }
  const cpuOf = (kind: typeof kinds[number]) => median(sent[kind].map(({ cpu }) => cpu / webhooks))
  const raw = cpuOf("raw")
  for (const kind of kinds) {
    const perSecond = Math.round(median(sent[kind].map(({ seconds }) => webhooks / seconds)))
    const ratio = median(sent[kind].map(({ cpu }, round) => cpu / (sent.raw[round]?.cpu ?? Number.NaN)))
    console.log(`  ${titles[kind]}: ${perSecond} a second, ${cpuOf(kind).toFixed(0)} µs of CPU each`)
    if (kind === "raw") continue
    report({
      path: `webhook delivery, ${titles[kind]}, CPU µs each`,
      ours: cpuOf(kind).toFixed(0),
      peer: `undici ${raw.toFixed(0)}`,
      ratio: `${ratio.toFixed(1)} times undici`,
      goal: "2 times"
    })
  }
  await reportBacklogs()
}
