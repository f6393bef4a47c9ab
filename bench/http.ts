import { testKeys } from "@trunkline/http-api/testing"
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { Agent, get } from "node:http"
import { fileURLToPath } from "node:url"

/** Each adapter, and the bare framework that it uses. */
const ways = [
  ["trunkline on node:http", "node:http"],
  ["trunkline in express", "express"],
  ["trunkline in hono", "hono"],
  ["trunkline on bun", "bun"]
] as const

const names = [...ways.flat(), "fastify"]

const bun = fileURLToPath(new URL("../node_modules/.bin/bun", import.meta.url))
const rounds = 3
const requests = 3_000
const connections = 16

const start = async (name: string) => {
  const program = fileURLToPath(new URL("http-server.ts", import.meta.url))
  const options = name.endsWith("bun") ? { execPath: bun, execArgv: ["--conditions=@trunkline/source"] } : {}
  const child = fork(program, [name], options)
  const [url] = await once(child, "message")
  return { name, child, url: `${url}/v1/orgs/acme/workspaces/main/deployments?limit=10`, spent: Array<number>() }
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
  let left = requests
  await Promise.all(Array.from({ length: connections }, async () => {
    while (left-- > 0) {
      await request(url, agent)
    }
  }))
  agent.destroy()
}

const cpuTime = async (child: ChildProcess): Promise<number> => {
  const answer = once(child, "message")
  child.send("spent")
  const [micros] = await answer
  return micros
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/**
 * Prints the CPU time of one request to a list route, with every adapter and with the bare frameworks, each server in a
 * separate process, taking turns. Ours check the key, the limit and the workspace, and read and encode a page; the bare
 * ones serve a fixed list behind a key.
 */
export const run = async (): Promise<void> => {
  const servers = await Promise.all(names.map(start))
  for (let round = 0; round <= rounds; round++) {
    for (const { child, spent, url } of servers) {
      const before = await cpuTime(child)
      await load(url)
      if (round > 0) spent.push((await cpuTime(child) - before) / requests)
    }
  }
  servers.forEach(({ child }) => child.disconnect())
  const costs = new Map(servers.map(({ name, spent }) => [name, median(spent)]))
  for (const [name, cost] of costs) {
    const perSecond = Math.round(1_000_000 / cost).toLocaleString("en")
    console.log(`${name}: ${perSecond} requests per second of CPU (${cost.toFixed(0)} µs each)`)
  }
  for (const [ours, bare] of ways) {
    const ratio = (costs.get(ours) ?? Number.NaN) / (costs.get(bare) ?? Number.NaN)
    console.log(`  ratio: ${ours} costs ${ratio.toFixed(1)}x bare ${bare}`)
  }
}
