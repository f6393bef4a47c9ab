import { testKeys } from "@trunkline/http-api/testing"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { Agent, request } from "node:http"
import { createServer } from "node:net"
import type { StreamFigures } from "./models-streams.js"
import { endProcesses, endWithBench, start } from "./processes.js"
import { here, publish } from "./published.js"

/** A server of chat completions, and the headers that it requires. */
interface Gateway {
  readonly name: string
  readonly url: string
  readonly headers: Record<string, string>
}

interface Figures {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

const rounds = 3

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** Starts Portkey's published gateway. */
const startPortkey = async (upstream: string): Promise<Gateway> => {
  const port = await freePort()
  const script = here("../node_modules/@portkey-ai/gateway/build/start-server.js")
  const child = spawn(process.execPath, [script, `--port=${port}`, "--headless"], {
    stdio: "ignore",
    env: { ...process.env, NODE_ENV: "production" }
  })
  endWithBench(child)
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 100; tries++) {
    if (await fetch(url).then(() => true, () => false)) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    name: "portkey",
    url: `${url}/v1/chat/completions`,
    headers: {
      "content-type": "application/json",
      "x-portkey-provider": "openai",
      "x-portkey-custom-host": upstream,
      authorization: "Bearer none"
    }
  }
}

const ours = (url: string, name = "trunkline"): Gateway => ({
  name,
  url: `${url}/v1/chat/completions`,
  headers: { "content-type": "application/json", "api-subscription-key": testKeys.main }
})

const question = "Tell me in one sentence what my balance is, please."

const bodyOf = (stream: boolean, content = question) =>
  JSON.stringify({
    model: "core-105b",
    stream,
    messages: [
      { role: "system", content: "You are a helpful agent on the phone. Be brief." },
      { role: "user", content }
    ]
  })

/** Duration of one request up to its last byte, in milliseconds. */
const ask = ({ headers, url }: Gateway, body: string, agent: Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    const begun = performance.now()
    const outgoing = request(url, { agent, method: "POST", headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
      response.resume().once("end", () => resolve(performance.now() - begun))
      response.once("error", reject)
    })
    outgoing.once("error", reject)
    outgoing.end(body)
  })

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

const load = async (
  gateway: Gateway,
  { body, connections, requests }: { readonly body: string; readonly connections: number; readonly requests: number }
): Promise<Figures> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: Array<number> = []
  let left = requests
  const begun = performance.now()
  await Promise.all(Array.from({ length: connections }, async () => {
    while (left-- > 0) times.push(await ask(gateway, body, agent))
  }))
  const seconds = (performance.now() - begun) / 1000
  agent.destroy()
  return { perSecond: requests / seconds, p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}

/** The gateways that respond successfully. Prints a line for each of the others. */
const available = async (gateways: ReadonlyArray<Gateway>, body: string): Promise<ReadonlyArray<Gateway>> => {
  const agent = new Agent()
  const answers = await Promise.all(gateways.map((gateway) => ask(gateway, body, agent).then(() => true, () => false)))
  return gateways.filter(({ name }, index) => {
    if (answers[index] === false) console.log(`  ${name}: responds with an error, and is left out`)
    return answers[index]
  })
}

/** Requests per second and latency of all gateways in front of the same upstream, taking turns. */
const passThrough = async (gateways: ReadonlyArray<Gateway>) => {
  for (const stream of [false, true]) {
    for (const connections of [1, 16]) {
      const requests = connections === 1 ? 600 : 2_000
      console.log(`${stream ? "streams of 30 tokens" : "whole answers"}, ${connections} at once`)
      const contenders = await available(gateways, bodyOf(stream))
      const all = new Map<string, Array<Figures>>(contenders.map(({ name }) => [name, []]))
      for (let round = 0; round <= rounds; round++) {
        for (const gateway of contenders) {
          const figures = await load(gateway, { body: bodyOf(stream), connections, requests })
          if (round > 0) all.get(gateway.name)?.push(figures)
        }
      }
      const median = new Map<string, Figures>()
      for (const [name, figures] of all) {
        const middle = (pick: (figures: Figures) => number) => percentile(figures.map(pick), 0.5)
        const figure = {
          perSecond: middle((f) => f.perSecond),
          p50: middle((f) => f.p50),
          p99: middle((f) => f.p99)
        }
        median.set(name, figure)
        const [p50, p99] = [figure.p50.toFixed(2), figure.p99.toFixed(2)]
        console.log(`  ${name}: ${Math.round(figure.perSecond)} a second, p50 ${p50} ms, p99 ${p99} ms`)
      }
      const [trunkline, portkey, bare] = ["trunkline", "portkey", "bare"].map((name) => median.get(name))
      if (trunkline && bare) {
        const cost = (bare.perSecond / trunkline.perSecond).toFixed(1)
        console.log(
          `  bare: ${cost}x the requests of trunkline, whose p50 is ${(trunkline.p50 - bare.p50).toFixed(2)} ms over it`
        )
      }
      if (trunkline && portkey) {
        console.log(`  ratio: ${(trunkline.perSecond / portkey.perSecond).toFixed(1)}x the requests of portkey`)
      }
    }
  }
}

/** 512 streams of 47 tokens a second, for ten seconds. */
const manyStreams = async (gateways: ReadonlyArray<Gateway>) => {
  const body = bodyOf(true, "470 words, one every 21 ms")
  for (const gateway of await available(gateways, bodyOf(true))) {
    const { child } = await start("models-streams")
    const answer = once(child, "message")
    child.send({ url: gateway.url, headers: gateway.headers, body, streams: 512 })
    const [figures]: ReadonlyArray<StreamFigures> = await answer
    child.disconnect()
    if (figures === undefined) continue
    const perSecond = Math.round(figures.tokens / figures.seconds).toLocaleString("en")
    console.log(
      `512 streams through ${gateway.name}: ${perSecond} frames a second, widest gap ${
        figures.widestGap.toFixed(0)
      } ms, `
        + `${figures.lateGaps} gaps over 500 ms`
    )
  }
}

/** Time from the disconnect of a client to the close of its upstream connection. */
const aborts = async (gateway: Gateway, upstream: string) => {
  const body = bodyOf(true, "1000 words, one every 21 ms")
  const left: Array<number> = []
  for (let count = 0; count < 50; count++) {
    await new Promise<void>((resolve, reject) => {
      const outgoing = request(gateway.url, { method: "POST", headers: gateway.headers }, (response) => {
        response.once("error", () => undefined)
        response.once("data", () => {
          left.push(Date.now())
          response.destroy()
          setTimeout(resolve, 60)
        })
      })
      outgoing.once("error", reject)
      outgoing.end(body)
    })
  }
  const closed: ReadonlyArray<number> = JSON.parse(await (await fetch(upstream)).text())
  const delays = closed.slice(-left.length).map((at, index) => at - (left[index] ?? at))
  console.log(
    `${left.length} clients left ${gateway.name}: ${closed.length} connections of the upstream were closed, after `
      + `${percentile(delays, 0.5)} ms (median), ${Math.max(...delays)} ms at the most`
  )
}

/** Latency of a message of a million characters without a space, and of other requests meanwhile. */
const longMessage = async (gateway: Gateway) => {
  const long = (character: string) =>
    JSON.stringify({ model: "core-105b", messages: [{ role: "user", content: character.repeat(1_000_000) }] })
  const agent = new Agent({ keepAlive: true })
  let isOver = false
  const times: Array<number> = []
  const others = Promise.all(Array.from({ length: 4 }, async () => {
    while (!isOver) times.push(await ask(gateway, bodyOf(false), agent))
  }))
  const alone: Array<number> = []
  for (let count = 0; count < 10; count++) {
    for (const character of ["a", "क"]) {
      const begun = performance.now()
      const answer = await fetch(gateway.url, { method: "POST", headers: gateway.headers, body: long(character) })
      await answer.text()
      alone.push(performance.now() - begun)
    }
  }
  isOver = true
  await others
  agent.destroy()
  console.log(
    `a million characters without a space: answered in ${percentile(alone, 0.5).toFixed(0)} ms, `
      + `${Math.max(...alone).toFixed(0)} ms at the most; others meanwhile p50 ${
        percentile(times, 0.5).toFixed(1)
      } ms, `
      + `p99 ${percentile(times, 0.99).toFixed(1)} ms`
  )
}

/**
 * Prints the cost of a gateway between clients and an OpenAI-compatible upstream, compared with Portkey's gateway and a
 * bare `node:http` proxy; then many concurrent streams, clients that disconnect, and a hostile message.
 */
export const run = async (): Promise<void> => {
  try {
    await publish("models-upstream.ts", "models-bare.ts", "models-server.ts", "models-streams.ts")
    const { firstMessage: upstream } = await start("models-upstream")
    const gateways: ReadonlyArray<Gateway> = [
      {
        name: "bare",
        url: `${(await start("models-bare", [upstream])).firstMessage}/v1/chat/completions`,
        headers: {
          "content-type": "application/json"
        }
      },
      ours((await start("models-server", [upstream])).firstMessage),
      await startPortkey(upstream)
    ]
    const scripted = ours((await start("models-server")).firstMessage, "the scripted model")
    await passThrough(gateways)
    const answers = await load(scripted, { body: bodyOf(false), connections: 16, requests: 4_000 })
    console.log(`${scripted.name}: ${Math.round(answers.perSecond)} whole answers a second, 16 at once`)
    await manyStreams(gateways)
    const [, trunkline] = gateways
    if (trunkline !== undefined) await aborts(trunkline, upstream)
    await longMessage(scripted)
  } finally {
    endProcesses()
  }
}
