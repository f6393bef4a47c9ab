import { Agent, request } from "node:http"
import { bodyOf, type Gateway, gatewayPrograms, startBare, startOurs, startPortkey } from "./models-gateways.js"
import { ask, type Figures, load, medianOf, percentile } from "./models-load.js"
import { endProcesses, start } from "./processes.js"
import { publish } from "./published.js"
import { report } from "./report.js"

const rounds = Number(process.env["ROUNDS"] ?? 3)

/** Share of the usual number of requests. */
const share = Number(process.env["SHARE"] ?? 1)

/** The gateways that respond successfully. Prints a line for each of the others. */
const available = async (gateways: ReadonlyArray<Gateway>, body: string): Promise<ReadonlyArray<Gateway>> => {
  const agent = new Agent()
  const answers = await Promise.all(gateways.map((gateway) => ask(gateway, body, agent).then(() => true, () => false)))
  return gateways.filter(({ name }, index) => {
    if (answers[index] === false) console.log(`  ${name}: responds with an error, and is left out`)
    return answers[index]
  })
}

/** A figure with its CPU time, for the table. */
const shown = (name: string, { cpu, p50, perSecond }: Figures) =>
  `${name} ${Math.round(perSecond)} a second, ${cpu.toFixed(0)} µs CPU, p50 ${p50.toFixed(2)} ms`

/** Rows of one kind of answer: beside Portkey by requests a second, and beside the bare proxy by latency or requests. */
const reportPath = (path: string, isStream: boolean, connections: number, figures: ReadonlyMap<string, Figures>) => {
  const [ours, portkey, bare] = ["trunkline", "portkey", "bare"].map((name) => figures.get(name))
  if (ours === undefined) return
  const own = shown("", ours).trim()
  const isGoal = connections === 16
  if (portkey !== undefined) {
    const [requests, cpu] = [ours.perSecond / portkey.perSecond, portkey.cpu / ours.cpu]
    const ratio = `${requests.toFixed(1)} times the requests, ${cpu.toFixed(1)} times by CPU`
    report({ path, ours: own, peer: shown("Portkey", portkey), ratio, goal: isGoal && !isStream ? "4 times" : "" })
  }
  if (bare !== undefined) {
    const [requests, cpu] = [ours.perSecond / bare.perSecond, bare.cpu / ours.cpu]
    const late = (ours.p50 - bare.p50).toFixed(2)
    const ratio = `${requests.toFixed(2)} of its requests, ${cpu.toFixed(2)} by CPU; p50 +${late} ms`
    const goal = isGoal ? isStream ? "0.5 of its requests" : "p50 +0.5 ms" : ""
    report({ path, ours: own, peer: shown("bare proxy", bare), ratio, goal })
  }
}

/** Measures all gateways in front of the same upstream, taking turns. */
const passThrough = async (gateways: ReadonlyArray<Gateway>) => {
  for (const stream of [false, true]) {
    for (const connections of [1, 16]) {
      const requests = Math.ceil(share * (connections === 1 ? 600 : 2_000))
      const path = `chat, ${stream ? "streams of 30 tokens" : "whole answers"}, ${connections} at once`
      const contenders = await available(gateways, bodyOf(stream))
      const all = new Map<string, Array<Figures>>(contenders.map(({ name }) => [name, []]))
      for (let round = 0; round <= rounds; round++) {
        for (const gateway of contenders) {
          const figures = await load(gateway, { body: bodyOf(stream), connections, requests })
          if (round > 0) all.get(gateway.name)?.push(figures)
        }
      }
      reportPath(path, stream, connections, new Map([...all].map(([name, figures]) => [name, medianOf(figures)])))
    }
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
      const startedAt = performance.now()
      const answer = await fetch(gateway.url, { method: "POST", headers: gateway.headers, body: long(character) })
      await answer.text()
      alone.push(performance.now() - startedAt)
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
 * Measures the cost of a gateway between clients and an OpenAI-compatible upstream, compared with Portkey's gateway and a
 * bare `node:http` proxy; then clients that disconnect, and a hostile message. `streams` measures many streams at once.
 * `ROUNDS` and `SHARE` reduce the size.
 */
export const run = async (): Promise<void> => {
  try {
    await publish(...gatewayPrograms)
    const { firstMessage: upstream } = await start("models-upstream")
    const trunkline = await startOurs(upstream)
    await passThrough([await startBare(upstream), trunkline, await startPortkey(upstream)])
    const scripted = await startOurs()
    const answers = await load(scripted, { body: bodyOf(false), connections: 16, requests: Math.ceil(share * 4_000) })
    report({
      path: "scripted model, whole answers, 16 at once",
      ours: shown("", answers).trim(),
      peer: "",
      ratio: "",
      goal: ""
    })
    await aborts(trunkline, upstream)
    await longMessage(scripted)
  } finally {
    endProcesses()
  }
}
