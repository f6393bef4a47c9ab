import { assert, describe, it } from "@effect/vitest"
import { ConnectionId } from "@trunkline/kernel"
import { Connection } from "@trunkline/telephony"
import { Either } from "effect"
import { createHmac } from "node:crypto"
import type { DialectLine } from "../../src/dialects/Dialect.js"
import { dialects } from "../../src/dialects/Dialects.js"
import { makeStreamLine } from "../../src/media/StreamLine.js"
import { askedAddress } from "../../src/settings/PublicAddress.js"
import type { Provider } from "../Host.js"
import { providers, telnyxRelay, twilio, twilioRelay } from "../Providers.js"

const optionsOf = ({ options }: Provider, more: object) => ({
  public_url: "https://voice.example/voice",
  ...options,
  ...more
})

const read = (provider: Provider, more: object = {}) => {
  const dialect = dialects.find((one) => one.provider === provider.double.provider)
  const connection = new Connection({
    connection_id: ConnectionId.make("line-1"),
    provider: provider.double.provider,
    phone_numbers: [],
    options: optionsOf(provider, more)
  })
  return dialect?.lineOf(connection, provider.environment) ?? Either.left(["there is no such dialect"])
}

const lineOf = (provider: Provider, more: object = {}): DialectLine =>
  Either.getOrThrowWith(read(provider, more), (problems) => new Error(problems.join("; ")))

const problemsOf = (provider: Provider, more: object) =>
  Either.getOrElse(Either.flip(read(provider, more)), (): ReadonlyArray<string> => [])

describe("settings of a line of words", () => {
  it("do not replace what the line itself needs", () => {
    assert.deepStrictEqual(problemsOf(twilioRelay, { attributes: { interruptSensitivity: "low" } }), [])
    for (const name of ["url", "events", "applicationReconnect"]) {
      assert.deepStrictEqual(problemsOf(twilioRelay, { attributes: { [name]: "x" } }), [
        `options.attributes.${name}: Is set by the line`
      ])
    }
    assert.deepStrictEqual(problemsOf(twilioRelay, { attributes: { echoPromptFiltering: "false" } }), [
      "options.attributes.echoPromptFiltering: Must be set with options.echo_filter"
    ])
    assert.deepStrictEqual(problemsOf(telnyxRelay, { relay: { languages: [] } }), [])
    assert.deepStrictEqual(problemsOf(telnyxRelay, { relay: { url: "wss://elsewhere.example", voice: "x" } }), [
      "options.relay.url: Is set by the line",
      "options.relay.voice: Must be set with options.voice"
    ])
  })
})

const request = {
  method: "POST" as const,
  url: "/v1/connections/line-1/events?key=x",
  address: "https://voice.example/voice/v1/connections/line-1/events",
  fields: new URLSearchParams(),
  body: new Uint8Array(),
  headers: {},
  remoteAddress: null,
  now: 0
}

describe("requests that nobody has signed", () => {
  it("are refused with the signature of an address, whatever type their fields have", () => {
    const line = lineOf(twilio)
    const body = "CallSid=CA1&CallStatus=ringing&Direction=inbound&From=%2B1&To=%2B2"
    const signature = createHmac("sha1", twilio.environment["TWILIO_TOKEN"] ?? "").update(request.address).digest(
      "base64"
    )
    for (const type of ["text/plain", "", "multipart/form-data", "application/x-www-form-urlencoded"]) {
      const headers = { "x-twilio-signature": signature, "content-type": type }
      assert.isFalse(line.isAuthentic({ ...request, headers, body: new TextEncoder().encode(body) }), type)
      assert.isTrue(line.isAuthentic({ ...request, headers }), type)
    }
  })
})

const nothing: ReadonlyArray<unknown> = [null, 7, "x", [], {}, { start: null }, { media: 1 }, { payload: {} }]

/** Messages that no provider sends. */
const wrong: ReadonlyArray<string> = [
  "",
  "{",
  "[]",
  "null",
  "\"start\"",
  JSON.stringify({ event: { toString: 1 } }),
  ...["start", "media", "dtmf", "mark", "stop", "playedStream", "clear"].flatMap((event) =>
    nothing.map((value) => JSON.stringify({ event, start: value, media: value, dtmf: value, mark: value, name: value }))
  ),
  ...["", "=", "A", "AAA", "AAAA", "\u0000", "é".repeat(1_001), "A".repeat(100_001)].map((payload) =>
    JSON.stringify({ event: "media", media: { payload, chunk: "99999999999999" } })
  ),
  ...["-1", "1e9", "x", 1.5, Number.MAX_SAFE_INTEGER].map((chunk) =>
    JSON.stringify({ event: "media", media: { payload: "AAAA", chunk }, sequenceNumber: chunk })
  )
]

describe("messages that no provider sends", () => {
  it("do no harm to a line of any provider", () => {
    for (const provider of providers) {
      const { stream } = lineOf(provider)
      if (stream._tag === "Words") continue
      const line = makeStreamLine({
        clock: { now: () => 0, every: () => () => {} },
        format: stream,
        socket: { post: () => {}, waitingBytes: () => 0, hear: () => {}, close: () => {} },
        streamId: "",
        deadlineMillis: null,
        onEnd: () => assert.fail("The line has ended")
      })
      for (const text of wrong) {
        const message = stream.read(text)
        if (message._tag !== "Stop") line.receive(message)
      }
    }
  })
})

describe("headers of a proxy that are no address", () => {
  it("are refused by each provider, and break nothing", () => {
    for (const provider of [...providers, twilioRelay, telnyxRelay]) {
      const line = lineOf(provider, { trust_forwarded: true })
      for (const host of ["[", "a b", "//", "%", "host:port"]) {
        const headers = { "x-forwarded-host": host }
        const address = askedAddress(line.settings, { ...request, headers })
        assert.isFalse(line.isAuthentic({ ...request, headers, address }), `${provider.double.provider} ${host}`)
      }
    }
  })
})
