import {
  bodyOf,
  type Gateway,
  gatewayPrograms,
  startBare,
  startOurs,
  startPortkey,
  tell,
  vitalsOf
} from "./models-gateways.js"
import type { StreamFigures } from "./models-streams.js"
import { endProcesses, start } from "./processes.js"
import { publish } from "./published.js"
import { report } from "./report.js"

const streams = Number(process.env["STREAMS"] ?? 512)
const rounds = Number(process.env["ROUNDS"] ?? 10)

/** Maximum growth of the live heap per finished stream, in bytes: the in-memory ledger keeps an entry. */
const maxKeptPerStream = 1_000

/** Variation of the live heap between rounds without growth, in bytes: code, caches and connections. */
const variation = 4 * 1024 ** 2

/** Idle time at the end, after which V8 has released unused memory. */
const restMillis = 60_000

/** Time from the start of a round to the middle of its streams, which open during the first second. */
const middleMillis = 5_000

const body = bodyOf(true, "470 words, one every 21 ms")

const megabytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(0)} MB`

/** Figures of a round, with CPU time of the gateway per frame in microseconds. */
interface RoundFigures extends StreamFigures {
  readonly perSecond: number
  readonly cpu: number
}

/** Reads the streams once. */
const round = async (gateway: Gateway): Promise<RoundFigures> => {
  const { child: client } = await start("models-streams")
  const { headers, url } = gateway
  const before = await vitalsOf(gateway)
  const figures = await tell<StreamFigures>(client, { url, headers, body, streams })
  const { cpuMicros } = await vitalsOf(gateway)
  client.disconnect()
  const cpu = (cpuMicros - before.cpuMicros) / figures.tokens
  return { ...figures, perSecond: figures.tokens / figures.seconds, cpu }
}

const shown = ({ cpu, perSecond, widestGap }: RoundFigures) =>
  `${Math.round(perSecond).toLocaleString("en")} frames a second, ${cpu.toFixed(0)} µs CPU a frame, largest gap ${
    widestGap.toFixed(0)
  } ms`

/** Live memory of a stream in the middle of a round, in bytes. The collection makes a gap, so this round has no others. */
const memoryPerStream = async (gateway: Gateway): Promise<number> => {
  const before = await vitalsOf(gateway, "collect")
  const reading = round(gateway)
  await new Promise((resolve) => setTimeout(resolve, middleMillis))
  const held = await vitalsOf(gateway, "collect")
  await reading
  return (held.heapUsed + held.external - before.heapUsed - before.external) / streams
}

/**
 * Reads 512 streams of 47 tokens per second, ten seconds each, in ten rounds, from a server with a minimal upstream, and
 * in one round from a bare `node:http` proxy and from Portkey. Reports frames, gaps and memory, and fails when finished
 * streams keep memory. `STREAMS` and `ROUNDS` reduce the size.
 */
export const run = async (): Promise<void> => {
  try {
    await publish(...gatewayPrograms)
    const { firstMessage: upstream } = await start("models-upstream")
    const server = await startOurs(upstream)
    const peers = [await startBare(upstream), await startPortkey(upstream)]
    const path = `${streams} streams of 47 tokens a second`
    const held = await memoryPerStream(server)
    const kept: Array<number> = []
    const all: Array<RoundFigures> = []
    for (let count = 1; count <= rounds; count++) {
      const figures = await round(server)
      const over = await vitalsOf(server)
      const after = await vitalsOf(server, "collect")
      all.push(figures)
      kept.push(after.heapUsed)
      const memory = [over.rss, after.rss, after.heapUsed].map(megabytes)
      console.log(`${shown(figures)}; ${memory[0]} resident, collected ${memory[1]}, live ${memory[2]}`)
    }
    const [median = await round(server)] = all.toSorted((a, b) => a.widestGap - b.widestGap).slice(
      Math.floor(all.length / 2)
    )
    for (const peer of peers) {
      const figures = await round(peer)
      if (figures.tokens === 0) {
        console.log(`${peer.name}: no frames, and is left out`)
        continue
      }
      const ratio = `${(median.perSecond / figures.perSecond).toFixed(2)} of its frames, ${
        (figures.cpu / median.cpu).toFixed(2)
      } by CPU`
      const goal = peer.name === "bare" ? "no gap over 200 ms" : ""
      report({ path, ours: shown(median), peer: `${peer.name}: ${shown(figures)}`, ratio, goal })
    }
    report({
      path: `${path}, live memory of each`,
      ours: `${(held / 1_000).toFixed(0)} kB`,
      peer: "none",
      ratio: "",
      goal: "200 kB"
    })
    const grown = Math.max(0, (kept.at(-1) ?? 0) - (kept[1] ?? kept[0] ?? 0))
    const limit = variation + maxKeptPerStream * streams * Math.max(0, rounds - 2)
    console.log(`live heap since the second round: ${megabytes(grown)} more, ${megabytes(limit)} at the most`)
    if (grown > limit) throw new Error("Finished streams keep memory")
    await new Promise((resolve) => setTimeout(resolve, restMillis))
    const { rss } = await vitalsOf(server)
    console.log(`after ${restMillis / 1_000} s idle: ${megabytes(rss)} resident`)
  } finally {
    endProcesses()
  }
}
