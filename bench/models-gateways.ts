import { testKeys } from "@trunkline/http-api/testing"
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import type { Vitals } from "./models-vitals.js"
import { endWithBench, start } from "./processes.js"
import { here } from "./published.js"

/** A server of chat completions, the headers that it requires, and its process, which tells its vitals. */
export interface Gateway {
  readonly name: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly child: ChildProcess
}

/** Sends a message to a process and waits for its answer. */
export const tell = async <A>(child: ChildProcess, message: object | string): Promise<A> => {
  const answer = once(child, "message")
  child.send(message)
  return (await answer)[0]
}

/** Memory and CPU time of a gateway; `collect` collects its garbage first, if it can. */
export const vitalsOf = ({ child }: Gateway, message: "look" | "collect" = "look"): Promise<Vitals> =>
  tell<Vitals>(child, message)

/** Programs that the gateways consist of. */
export const gatewayPrograms = [
  "models-upstream.ts",
  "models-bare.ts",
  "models-server.ts",
  "models-streams.ts",
  "models-vitals.ts"
]

const completions = "/v1/chat/completions"

const json = { "content-type": "application/json" }

/** Starts a bare `node:http` proxy. */
export const startBare = async (upstream: string): Promise<Gateway> => {
  const { child, firstMessage } = await start("models-bare", [upstream])
  return { name: "bare", url: firstMessage + completions, headers: json, child }
}

/** Starts Trunkline's server in front of an upstream, or of the scripted model. */
export const startOurs = async (upstream?: string): Promise<Gateway> => {
  const { child, firstMessage } = await start("models-server", upstream === undefined ? [] : [upstream], [
    "--expose-gc"
  ])
  return {
    name: upstream === undefined ? "the scripted model" : "trunkline",
    url: firstMessage + completions,
    headers: { ...json, "api-subscription-key": testKeys.main },
    child
  }
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** Starts Portkey's published gateway. */
export const startPortkey = async (upstream: string): Promise<Gateway> => {
  const port = await freePort()
  const script = here("./node_modules/@portkey-ai/gateway/build/start-server.js")
  const child = fork(script, [`--port=${port}`, "--headless"], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    execArgv: ["--import", here("dist/models-vitals.js"), "--expose-gc"],
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
    url: url + completions,
    headers: {
      ...json,
      "x-portkey-provider": "openai",
      "x-portkey-custom-host": upstream,
      authorization: "Bearer none"
    },
    child
  }
}

const question = "Tell me in one sentence what my balance is, please."

/** A request body; the content can ask the upstream for a paced stream. */
export const bodyOf = (stream: boolean, content = question) =>
  JSON.stringify({
    model: "core-105b",
    stream,
    messages: [
      { role: "system", content: "You are a helpful agent on the phone. Be brief." },
      { role: "user", content }
    ]
  })
