import { testKeys } from "@trunkline/http-api/testing"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import type { Vitals } from "./models-server.js"
import type { StreamFigures } from "./models-streams.js"
import { endProcesses, start } from "./processes.js"
import { publish } from "./published.js"

const streams = Number(process.env["STREAMS"] ?? 512)
const rounds = Number(process.env["ROUNDS"] ?? 10)

/** Maximum growth of the live heap per finished stream, in bytes: the in-memory ledger keeps an entry. */
const maxKeptPerStream = 1_000

/** Variation of the live heap between rounds without growth, in bytes: code, caches and connections. */
const variation = 4 * 1024 ** 2

/** Idle time at the end, after which V8 has released unused memory. */
const restMillis = 60_000

const body = JSON.stringify({
  model: "core-105b",
  stream: true,
  messages: [{ role: "user", content: "470 words, one every 21 ms" }]
})

const megabytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(0)} MB`

const ask = async <A>(child: ChildProcess, message: object | string): Promise<A> => {
  const answer = once(child, "message")
  child.send(message)
  return (await answer)[0]
}

/**
 * Reads 512 streams of 47 tokens per second, ten seconds each, in ten rounds, from a server with a minimal upstream, and
 * in one round from a bare `node:http` proxy. Prints frames, gaps and memory of each round, and fails when finished
 * streams keep memory. `STREAMS` and `ROUNDS` reduce the size.
 */
export const run = async (): Promise<void> => {
  try {
    await publish("models-upstream.ts", "models-bare.ts", "models-server.ts", "models-streams.ts")
    const { firstMessage: upstream } = await start("models-upstream")
    const { firstMessage: bare } = await start("models-bare", [upstream])
    const { child: server, firstMessage: ours } = await start("models-server", [upstream], ["--expose-gc"])
    const round = async (name: string, url: string, headers: Record<string, string>) => {
      const { child: client } = await start("models-streams")
      const figures = await ask<StreamFigures>(client, { url: `${url}/v1/chat/completions`, headers, body, streams })
      client.disconnect()
      const perSecond = Math.round(figures.tokens / figures.seconds).toLocaleString("en")
      return `${name}: ${perSecond} frames a second, widest gap ${figures.widestGap.toFixed(0)} ms`
    }
    const json = { "content-type": "application/json" }
    console.log(await round("bare", bare, json))
    const kept: Array<number> = []
    for (let count = 1; count <= rounds; count++) {
      const before = await ask<Vitals>(server, "collect")
      const line = await round("trunkline", ours, { ...json, "api-subscription-key": testKeys.main })
      const over = await ask<Vitals>(server, "look")
      const after = await ask<Vitals>(server, "collect")
      kept.push(after.heapUsed)
      const cpu = ((over.cpuMicros - before.cpuMicros) / streams / 470).toFixed(0)
      const memory = [over.rss, after.rss, after.heapUsed].map(megabytes)
      console.log(
        `${line}, ${cpu} us of CPU time a frame; ${memory[0]} resident, collected ${memory[1]}, live ${memory[2]}`
      )
    }
    const grown = Math.max(0, (kept.at(-1) ?? 0) - (kept[1] ?? 0))
    const limit = variation + maxKeptPerStream * streams * Math.max(0, rounds - 2)
    console.log(`live heap since the second round: ${megabytes(grown)} more, ${megabytes(limit)} at the most`)
    if (grown > limit) throw new Error("Finished streams keep memory")
    await new Promise((resolve) => setTimeout(resolve, restMillis))
    const { rss } = await ask<Vitals>(server, "look")
    console.log(`after ${restMillis / 1_000} s idle: ${megabytes(rss)} resident`)
  } finally {
    endProcesses()
  }
}
