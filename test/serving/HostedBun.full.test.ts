import { assert, describe, it } from "@effect/vitest"
import {
  type MediaDouble,
  startMediaDouble,
  twilioAccount,
  twilioRelayDouble
} from "@trunkline/carrier-media-websocket/testing"
import { Effect } from "effect"
import { fileURLToPath } from "node:url"
import { startBun } from "../../adapters/bun/test/BunServer.js"
import { type ProxyOptions, reverseProxy } from "../../adapters/trunkline/test/lines/ReverseProxy.js"
import { bunRuns } from "../setup/Bun.js"
import { sendRequest, workspace } from "./Client.js"

const caller = "+919876543210"
const number = "+911140000001"
const engine = fileURLToPath(new URL("engines/Hosted.ts", import.meta.url))

/** An engine under Bun with a line of words, behind a proxy under `/edge`, and the provider of the line. */
const proxied = (options: object = {}, proxy: ProxyOptions = {}) =>
  Effect.gen(function*() {
    const { address, leadTo } = yield* reverseProxy(proxy)
    const double = yield* Effect.acquireRelease(
      Effect.promise(() => startMediaDouble(twilioRelayDouble)),
      (started) => Effect.promise(started.close)
    )
    process.env["TWILIO_TOKEN"] = twilioAccount.token
    process.env["HOSTED_LINE"] = JSON.stringify({
      public_url: `${address}/edge/voice`,
      api_url: double.url,
      account_sid: twilioAccount.sid,
      auth_token_env: "TWILIO_TOKEN",
      ...options
    })
    const bun = yield* Effect.acquireRelease(
      Effect.promise(() => startBun({ engine, prefix: "/voice", closeTimeout: 1_000 })),
      ({ close }) => Effect.promise(close)
    )
    leadTo(Number(new URL(bun.url).port))
    const deployment = {
      name: "Desk",
      app_id: "desk",
      app_version: 1,
      connection_configs: [{ connection_id: "line", phone_numbers: [number] }],
      webhook_config: null
    }
    const path = `${workspace}/deployments`
    const { status } = yield* Effect.promise(() => sendRequest(bun, path, { method: "POST", body: deployment }))
    assert.strictEqual(status, 200)
    return { bun, double, events: `${address}/edge/voice/v1/connections/line/events` }
  })

const until = (isSo: () => boolean) =>
  Effect.repeat(Effect.sleep("20 millis"), { until: isSo }).pipe(Effect.timeout("20 seconds"))

const status = (double: MediaDouble) => double.calls[0]?.reply?.status

describe.runIf(bunRuns)("a hosted line behind a proxy with a path prefix, on Bun", () => {
  it.scopedLive("holds calls in both directions: signatures cover the public address", () =>
    Effect.gen(function*() {
      const { bun, double, events } = yield* proxied()
      const call = double.callIn(caller, number, events)
      yield* until(() => call.relay?.utterances.length === 1)
      call.relay?.say(["Thanks"])
      yield* until(() => call.facts.state === "completed" || call.relay?.utterances.length === 2)
      call.relay?.leave()
      const body = {
        app_config: {
          app_id: "desk",
          app_version: 1,
          connection_config: { connection_id: "line", agent_phone_number: number }
        },
        user_config: { user_phone_number: caller }
      }
      yield* Effect.promise(() => sendRequest(bun, `${workspace}/outbounds`, { method: "POST", body }))
      yield* until(() => double.calls[1]?.relay?.utterances.length === 1)
      assert.deepStrictEqual([call, double.calls[1]].map((one) => one?.relay?.utterances[0]), ["Hello.", "Hello."])
      double.calls[1]?.relay?.leave()
      yield* until(() => double.calls[1]?.facts.state === "completed")
      assert.deepStrictEqual(new Set(double.calls[1]?.replies), new Set([204]))
      assert.deepStrictEqual(double.problems(), [])
    }))

  it.scopedLive("knows the address of those who ask, and of those whom a proxy tells where the line trusts it", () =>
    Effect.gen(function*() {
      for (
        const [options, from, expected] of [
          [{ allowed_addresses: ["127.0.0.1"] }, "203.0.113.9", 200],
          [{ allowed_addresses: ["203.0.113.0/24"] }, "203.0.113.9", 403],
          [{ allowed_addresses: ["203.0.113.0/24"], trust_forwarded: true }, "203.0.113.9", 200],
          [{ public_url: "https://voice.example/edge/voice" }, "203.0.113.9", 403]
        ] as const
      ) {
        const { double, events } = yield* proxied(options, { from })
        const call = double.callIn(caller, number, events)
        yield* until(() => status(double) !== undefined)
        assert.strictEqual(status(double), expected, JSON.stringify(options))
        if (expected !== 200) continue
        yield* until(() => call.relay?.utterances.length === 1)
        call.relay?.leave()
      }
    }).pipe(Effect.scoped))

  it.scopedLive("is asked for at the address that a proxy tells, where the line trusts it", () =>
    Effect.gen(function*() {
      const elsewhere = {
        public_url: "https://voice.example/edge/voice",
        trust_forwarded: true,
        timeouts: { stream_seconds: 1 }
      }
      const { double, events } = yield* proxied(elsewhere)
      double.callIn(caller, number, events)
      yield* until(() => status(double) !== undefined)
      assert.strictEqual(status(double), 200)
      assert.include(double.calls[0]?.reply?.body, "wss://voice.example/edge/voice/v1/connections/line/streams/")
    }))
})
