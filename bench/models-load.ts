import { Agent, request } from "node:http"
import { type Gateway, vitalsOf } from "./models-gateways.js"

/** Throughput, latency in milliseconds, and CPU time of the gateway per request in microseconds. */
export interface Figures {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly cpu: number
}

/** Duration of one request up to its last byte, in milliseconds. */
export const ask = ({ headers, url }: Pick<Gateway, "headers" | "url">, body: string, agent: Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    const start = performance.now()
    const outgoing = request(url, { agent, method: "POST", headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
      response.resume().once("end", () => resolve(performance.now() - start))
      response.once("error", reject)
    })
    outgoing.once("error", reject)
    outgoing.end(body)
  })

/** The value below which a share of the values lies. */
export const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

/** Sends requests, some at once, and measures them. */
export const load = async (
  gateway: Gateway,
  { body, connections, requests }: { readonly body: string; readonly connections: number; readonly requests: number }
): Promise<Figures> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: Array<number> = []
  let remaining = requests
  const before = await vitalsOf(gateway)
  const start = performance.now()
  await Promise.all(Array.from({ length: connections }, async () => {
    while (remaining-- > 0) times.push(await ask(gateway, body, agent))
  }))
  const seconds = (performance.now() - start) / 1000
  agent.destroy()
  const { cpuMicros } = await vitalsOf(gateway)
  return {
    perSecond: requests / seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    cpu: (cpuMicros - before.cpuMicros) / requests
  }
}

/** Medians of the figures of several rounds. */
export const medianOf = (figures: ReadonlyArray<Figures>): Figures => {
  const middle = (pick: (figures: Figures) => number) => percentile(figures.map(pick), 0.5)
  return {
    perSecond: middle((f) => f.perSecond),
    p50: middle((f) => f.p50),
    p99: middle((f) => f.p99),
    cpu: middle((f) => f.cpu)
  }
}
