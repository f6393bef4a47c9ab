import { assert, describe, it } from "@effect/vitest"
import {
  type MediaDouble,
  startMediaDouble,
  twilioAccount,
  twilioRelayDouble
} from "@trunkline/carrier-media-websocket/testing"
import { Effect } from "effect"
import express from "express"
import { createServer, type Server } from "node:http"
import { buffer } from "node:stream/consumers"
import { createTrunkline, type Trunkline } from "trunkline"
import { portOf, type ProxyOptions, reverseProxy } from "./ReverseProxy.js"

const caller = "+919876543210"
const number = "+911140000001"

/** Ways to serve an engine below `/voice`, with WebSockets. */
const hosts: Readonly<Record<string, (trunkline: Trunkline) => Promise<Server>>> = {
  "a server of Node": async (trunkline) => {
    const voice = trunkline.node({ prefix: "/voice" })
    return createServer(voice).on("upgrade", (request, socket, head) => void voice.upgrade(request, socket, head))
  },
  "Express": async (trunkline) => {
    const app = express()
    const voice = trunkline.express({ prefix: "/voice" })
    app.use("/voice", voice)
    app.use(express.json())
    return createServer(app).on("upgrade", (request, socket, head) => {
      if (!voice.upgrade(request, socket, head)) socket.destroy()
    })
  },
  "fetch": async (trunkline) => {
    const voice = trunkline.fetch({ prefix: "/voice" })
    return createServer(async (request, response) => {
      const body = await buffer(request)
      const answer = await voice(
        new Request(`http://host${request.url}`, {
          method: request.method ?? "GET",
          headers: Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
          ...(body.length > 0 && { body })
        })
      )
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
    })
  }
}

/** An engine with a line of words, behind a proxy under `/edge`, and the provider of the line. */
const proxied = (host: string, options: object, proxy: ProxyOptions = {}) =>
  Effect.gen(function*() {
    const { address, leadTo } = yield* reverseProxy(proxy)
    const double = yield* Effect.acquireRelease(
      Effect.promise(() => startMediaDouble(twilioRelayDouble)),
      (started) => Effect.promise(started.close)
    )
    process.env["TWILIO_TOKEN"] = twilioAccount.token
    const trunkline = yield* Effect.acquireRelease(
      Effect.promise(() =>
        createTrunkline({
          data: ":memory:",
          agents: [{ app_id: "desk", first_message: "Hello." }],
          model: {
            generate: async () => ({ text: "Bye.", toolRequests: [{ id: "1", name: "end_call", arguments: "{}" }] })
          },
          lines: [{
            connection_id: "line",
            provider: "twilio-relay",
            phone_numbers: [number],
            options: {
              public_url: `${address}/edge/voice`,
              api_url: double.url,
              account_sid: twilioAccount.sid,
              auth_token_env: "TWILIO_TOKEN",
              ...options
            }
          }],
          allowInsecureUrls: true,
          allowPrivateUrls: true,
          logLevel: "error"
        })
      ),
      (trunkline: Trunkline) => Effect.promise(() => trunkline.close())
    )
    const server = yield* Effect.promise(async () => await hosts[host]?.(trunkline) ?? createServer())
    yield* Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
    )
    leadTo(portOf(server))
    yield* Effect.promise(() =>
      trunkline.deployments.create({
        name: "Desk",
        app_id: "desk",
        app_version: 1,
        connection_configs: [{ connection_id: "line", phone_numbers: [number] }],
        webhook_config: null
      })
    )
    return { address, double, events: `${address}/edge/voice/v1/connections/line/events`, trunkline }
  })

/** Waits until the caller has heard the agent, answers once, and waits for the end of the call. */
const talk = (double: MediaDouble) =>
  Effect.promise(async () => {
    for (let hasAnswered = false;;) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      const call = double.calls[0]
      if (call?.facts.state === "completed" || (call?.reply != null && call.reply.status !== 200)) return
      if (hasAnswered || call?.relay?.utterances.length !== 1) continue
      hasAnswered = true
      call.relay.say(["Thanks"])
    }
  })

const status = (double: MediaDouble) => double.calls[0]?.reply?.status

for (const host of ["a server of Node", "Express"]) {
  describe(`a hosted line behind a proxy with a path prefix, on ${host}`, () => {
    it.scopedLive("holds calls in both directions: signatures cover the public address", () =>
      Effect.gen(function*() {
        const { double, events, trunkline } = yield* proxied(host, {})
        double.callIn(caller, number, events)
        yield* talk(double)
        assert.deepStrictEqual(double.calls[0]?.relay?.utterances, ["Hello.", "Bye."])
        const call = yield* Effect.promise(() => trunkline.calls.create({ agent: "desk", to: caller }))
        while ((double.calls[1]?.relay?.utterances.length ?? 0) === 0) yield* Effect.sleep("20 millis")
        double.calls[1]?.relay?.say(["Thanks"])
        assert.strictEqual((yield* Effect.promise(() => call.ended)).completion_status, "completed")
        assert.deepStrictEqual(new Set(double.calls[1]?.replies), new Set([204]))
        assert.deepStrictEqual(double.problems(), [])
      }))
  })
}

describe("headers of a proxy", () => {
  const elsewhere = { public_url: "https://voice.example/edge/voice" }

  it.scopedLive("tell the address that was asked for where the line trusts them", () =>
    Effect.gen(function*() {
      const { double, events } = yield* proxied("a server of Node", { ...elsewhere, trust_forwarded: true })
      double.callIn(caller, number, events)
      while (status(double) === undefined) yield* Effect.sleep("20 millis")
      assert.strictEqual(status(double), 200)
      assert.include(double.calls[0]?.reply?.body, "wss://voice.example/edge/voice/v1/connections/line/streams/")
    }))

  it.scopedLive("tell nothing otherwise, whoever sets them", () =>
    Effect.gen(function*() {
      const { double, events } = yield* proxied("a server of Node", elsewhere)
      double.callIn(caller, number, events)
      while (status(double) === undefined) yield* Effect.sleep("20 millis")
      assert.strictEqual(status(double), 403)
    }))

  it.scopedLive("tell the address of the provider where the line trusts them", () =>
    Effect.gen(function*() {
      const allowed = { allowed_addresses: ["203.0.113.0/24"] }
      for (
        const [trust_forwarded, from, expected] of [
          [true, "203.0.113.9", 200],
          [true, "198.51.100.1", 403],
          [false, "203.0.113.9", 403]
        ] as const
      ) {
        const { double, events } = yield* proxied("a server of Node", { ...allowed, trust_forwarded }, { from })
        double.callIn(caller, number, events)
        yield* talk(double)
        assert.strictEqual(status(double), expected, `${trust_forwarded} ${from}`)
        assert.strictEqual(double.calls[0]?.relay?.utterances.length ?? 0, expected === 200 ? 2 : 0)
      }
    }))
})

describe("a hosted line behind a proxy, on fetch", () => {
  it.scopedLive("takes requests of the provider, although fetch has no WebSocket", () =>
    Effect.gen(function*() {
      const { double, events } = yield* proxied("fetch", {})
      double.callIn(caller, number, events)
      while (status(double) === undefined) yield* Effect.sleep("20 millis")
      assert.strictEqual(status(double), 200)
    }))
})
