import { testKeys } from "@trunkline/http-api/testing"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import type { Vitals } from "./models-server.js"
import type { Seen } from "./models-streams.js"
import { endProcesses, start } from "./processes.js"
import { publish } from "./published.js"

const streams = Number(process.env["STREAMS"] ?? 512)
const rounds = Number(process.env["ROUNDS"] ?? 10)

/** Growth of the live heap for each stream that is over, in bytes: the ledger of an engine in memory keeps an entry. */
const mostKept = 1_000

/** Variation of the live heap from round to round without any growth, in bytes: code, caches and connections. */
const variation = 4 * 1024 ** 2

/** How long the server rests at the end, until V8 has handed back what it does not need. */
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
 * Reads 512 streams of 47 tokens a second, ten seconds each, ten times, from a server before an upstream that costs
 * nothing, beside a bare `node:http` proxy. Prints frames, gaps and memory of each round, and fails when streams that are
 * over keep memory. `STREAMS` and `ROUNDS` set a smaller size.
 */
export const run = async (): Promise<void> => {
  try {
    await publish("models-upstream.ts", "models-bare.ts", "models-server.ts", "models-streams.ts")
    const { said: upstream } = await start("models-upstream")
    const { said: bare } = await start("models-bare", [upstream])
    const { child: server, said: ours } = await start("models-server", [upstream], ["--expose-gc"])
    const round = async (name: string, url: string, headers: Record<string, string>) => {
      const { child: client } = await start("models-streams")
      const seen = await ask<Seen>(client, { url: `${url}/v1/chat/completions`, headers, body, streams })
      client.disconnect()
      const perSecond = Math.round(seen.tokens / seen.seconds).toLocaleString("en")
      return `${name}: ${perSecond} frames a second, widest gap ${seen.widestGap.toFixed(0)} ms`
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
        `${line}, ${cpu} us of processor time a frame; ${memory[0]} resident, collected ${memory[1]}, live ${memory[2]}`
      )
    }
    const grown = Math.max(0, (kept.at(-1) ?? 0) - (kept[1] ?? 0))
    const most = variation + mostKept * streams * Math.max(0, rounds - 2)
    console.log(`live heap since the second round: ${megabytes(grown)} more, ${megabytes(most)} at the most`)
    if (grown > most) throw new Error("Streams that are over keep memory")
    await new Promise((resolve) => setTimeout(resolve, restMillis))
    const { rss } = await ask<Vitals>(server, "look")
    console.log(`after ${restMillis / 1_000} s of rest: ${megabytes(rss)} resident`)
  } finally {
    endProcesses()
  }
}
