import { testKeys } from "@trunkline/http-api/testing"
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { Agent, get } from "node:http"
import { fileURLToPath } from "node:url"
import { bundled } from "../tools/run.mjs"
import { report } from "./report.js"

/** Each adapter, and the bare framework that it uses. */
const ways = [
  ["trunkline on node:http", "node:http"],
  ["trunkline in express", "express"],
  ["trunkline in hono", "hono"],
  ["trunkline on bun", "bun"]
] as const

const names = [...ways.flat(), "node:http by hand", "fastify"]

/** Reported ratios with their goals: to the framework and the bare handler that do the same work, and to a fixed text. */
const ratios: ReadonlyArray<readonly [ours: string, theirs: string, most?: number]> = [
  ["trunkline on node:http", "express", 1],
  ["trunkline on node:http", "node:http", 4],
  ["trunkline on node:http", "node:http by hand"],
  ["node:http by hand", "node:http"]
]

const bun = fileURLToPath(new URL("../tools/node_modules/.bin/bun", import.meta.url))
const rounds = 3
const requests = 5_000
/** Rounds in which the servers warm up. */
const warmUp = 2
const connections = 16

/** Starts a server from built code, as applications do: a loader of TypeScript adds work to every closure. */
const start = async (program: string, name: string) => {
  const child = fork(program, [name], { execArgv: [], ...(name.endsWith("bun") && { execPath: bun }) })
  const [url] = await once(child, "message")
  return {
    name,
    child,
    url: `${url}/v1/orgs/acme/workspaces/main/deployments?limit=10`,
    spent: Array<number>(),
    delays: Array<number>()
  }
}

const request = (url: string, agent: Agent) =>
  new Promise<void>((resolve, reject) => {
    get(url, { agent, headers: { "api-subscription-key": testKeys.main } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
      response.resume().once("end", resolve)
    }).once("error", reject)
  })

const load = async (url: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let remaining = requests
  await Promise.all(Array.from({ length: connections }, async () => {
    while (remaining-- > 0) {
      await request(url, agent)
    }
  }))
  agent.destroy()
}

/** CPU time of a server so far in microseconds, and the delay of its event loop since the last call in milliseconds. */
const measure = async (child: ChildProcess): Promise<{ readonly micros: number; readonly delayMillis: number }> => {
  const answer = once(child, "message")
  child.send("measure")
  const [measured] = await answer
  return measured
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/**
 * Prints the CPU time of one request to a list route, with every adapter and with the frameworks, each server in a
 * separate process, taking turns. The frameworks do the same work by hand: they check the key, the limit and the
 * workspace, read the query, and read and encode a page, as "node:http by hand" does without a framework. Only bare
 * node:http sends a fixed text behind a key.
 */
export const run = async (): Promise<void> => {
  const program = await bundled("bench/http-server.ts")
  const servers = await Promise.all(names.map((name) => start(program, name)))
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const { child, delays, spent, url } of servers) {
      const before = await measure(child)
      await load(url)
      const after = await measure(child)
      if (round < warmUp) continue
      spent.push((after.micros - before.micros) / requests)
      delays.push(after.delayMillis)
    }
  }
  servers.forEach(({ child }) => child.disconnect())
  const costs = new Map(servers.map(({ name, spent }) => [name, median(spent)]))
  for (const { delays, name, spent } of servers) {
    const perSecond = Math.round(1_000_000 / median(spent)).toLocaleString("en")
    const [least, middle] = [Math.min(...spent), median(spent)].map((micros) => micros.toFixed(0))
    const delay = `event loop delay p99 ${median(delays).toFixed(1)} ms`
    console.log(`${name}: ${perSecond} requests per second of CPU (${middle} µs each, ${least} at least), ${delay}`)
  }
  for (const [ours, theirs] of ways) {
    const ratio = (costs.get(ours) ?? Number.NaN) / (costs.get(theirs) ?? Number.NaN)
    console.log(`  ratio: ${ours} costs ${ratio.toFixed(1)}x ${theirs}`)
  }
  for (const [ours, theirs, most] of ratios) {
    const ratio = (costs.get(ours) ?? Number.NaN) / (costs.get(theirs) ?? Number.NaN)
    const [cost, peer] = [costs.get(ours), costs.get(theirs)].map((micros = Number.NaN) => `${micros.toFixed(0)} µs`)
    report({
      path: "list route, CPU a request",
      ours: `${ours} ${cost}`,
      peer: `${theirs} ${peer}`,
      ratio: `${ratio.toFixed(2)} times`,
      goal: most === undefined ? "" : `${most} times`
    })
  }
}
