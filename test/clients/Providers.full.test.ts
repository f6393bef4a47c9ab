import { assert, describe, it } from "@effect/vitest"
import { CarrierMediaWebsocket } from "@trunkline/carrier-media-websocket"
import {
  plivoAccount,
  plivoDouble,
  telnyxAccount,
  telnyxDouble,
  twilioAccount,
  twilioDouble
} from "@trunkline/carrier-media-websocket/testing"
import { AttemptId, ConnectionId, PhoneNumber, Transactions } from "@trunkline/kernel"
import { CallEvents, CallEventStore, Connection, type EventRequest } from "@trunkline/telephony"
import { Duration, Effect, Fiber, Layer, Stream } from "effect"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import plivo from "plivo"
import Telnyx from "telnyx"
import twilio from "twilio"

const events = CallEvents.layer().pipe(
  Layer.provide(Layer.merge(CallEventStore.layerMemory, Transactions.layerMemory)),
  Layer.orDie
)

const number = PhoneNumber.make("+911140000001")

const base = "https://voice.example/voice"

const lines = {
  twilio: { account_sid: twilioAccount.sid, auth_token_env: "TOKEN" },
  "twilio-relay": {
    account_sid: twilioAccount.sid,
    auth_token_env: "TOKEN",
    hints: ["Trunkline", "Asha & Co"],
    echo_filter: false
  },
  plivo: { auth_id: plivoAccount.id, auth_token_env: "TOKEN" }
}

const tokens = { twilio: twilioAccount.token, "twilio-relay": twilioAccount.token, plivo: plivoAccount.token }

/** A carrier of a provider, and a line over an API. */
const lineOf = (provider: keyof typeof lines, api_url = "http://127.0.0.1:9") =>
  Effect.gen(function*() {
    const carriers = yield* CarrierMediaWebsocket.make({ TOKEN: tokens[provider] })
    const carrier = carriers.find((one) => one.provider === provider)
    if (carrier === undefined) return yield* Effect.dieMessage("There is no such carrier")
    const connection = new Connection({
      connection_id: ConnectionId.make("line"),
      provider,
      phone_numbers: [number],
      options: { public_url: base, api_url, ...lines[provider] }
    })
    return { carrier, connection }
  })

/** Fields of an inbound call as the provider sends them. */
const fields = {
  CallSid: `CA${"1".repeat(32)}`,
  CallUUID: "call-1",
  From: "+919876543210",
  To: number,
  Direction: "inbound",
  CallStatus: "ringing"
}

const path = "/v1/connections/line/events"

const address = `${base}${path}`

/** Parts of a request of a provider. */
interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly url?: string
  readonly body?: string
}

const requestOf = (
  connection: Connection,
  { body = String(new URLSearchParams(fields)), headers, url = address }: Sent
): EventRequest => ({
  method: "POST",
  url: url.slice(base.length),
  headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  remoteAddress: null,
  body: new TextEncoder().encode(body),
  connection
})

/** Instructions for an inbound call that is accepted. */
const instructionsOf = (provider: keyof typeof lines, sent: Sent) =>
  Effect.gen(function*() {
    const { carrier, connection } = yield* lineOf(provider)
    const accepting = yield* Effect.fork(
      Stream.runForEach(Stream.take(carrier.offers, 1), ({ accept }) => Effect.ignore(accept))
    )
    const read = yield* carrier.readEvents?.(requestOf(connection, sent)) ?? Effect.succeed([])
    yield* Fiber.interruptFork(accepting)
    return "events" in read ? read.reply?.body ?? "" : ""
  }).pipe(Effect.scoped, Effect.provide(events))

const streamUrl = (xml: string): string => /wss:[^"<]+/.exec(xml)?.[0] ?? ""

describe("the official library of Twilio", () => {
  it.live("signs requests as they are verified here, and writes the same instructions", () =>
    Effect.gen(function*() {
      const signature = twilio.getExpectedTwilioSignature(twilioAccount.token, address, fields)
      const xml = yield* instructionsOf("twilio", { headers: { "x-twilio-signature": signature } })
      const response = new twilio.twiml.VoiceResponse()
      response.connect().stream({ url: streamUrl(xml) })
      assert.strictEqual(xml, response.toString())
      const refused = yield* Effect.flip(
        instructionsOf("twilio", { headers: { "x-twilio-signature": `${signature}x` } })
      )
      assert.deepInclude(refused, { why: "signature" })
    }))

  it.live("writes the same instructions for a line of words", () =>
    Effect.gen(function*() {
      const signature = twilio.getExpectedTwilioSignature(twilioAccount.token, address, fields)
      const xml = yield* instructionsOf("twilio-relay", { headers: { "x-twilio-signature": signature } })
      const response = new twilio.twiml.VoiceResponse()
      response.connect().conversationRelay({
        url: streamUrl(xml),
        language: "en-IN",
        hints: "Trunkline,Asha & Co",
        dtmfDetection: true,
        interruptible: "any",
        events: "speaker-events",
        applicationReconnect: true,
        echoPromptFiltering: false
      })
      assert.strictEqual(xml, response.toString())
    }))

  it.live("creates calls by the request that is sent here", () =>
    Effect.gen(function*() {
      const asked: Array<{ readonly path: string; readonly body: string; readonly authorization: string }> = []
      const server = createServer(async (request, response) => {
        const { authorization = "" } = request.headers
        asked.push({ path: request.url ?? "", body: await text(request), authorization })
        response.writeHead(201, { "content-type": "application/json" }).end(
          JSON.stringify({ sid: twilioDouble.newId(1) })
        )
      })
      yield* Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
      yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
      const bound = server.address()
      const api = `http://127.0.0.1:${typeof bound === "object" ? bound?.port : 0}`
      const { carrier, connection } = yield* lineOf("twilio", api)
      yield* carrier.place({
        attempt_id: AttemptId.make("0199aaaa-0000-7000-8000-000000000001"),
        connection,
        from: number,
        to: PhoneNumber.make("+919876543210"),
        ringTimeout: Duration.seconds(40)
      })
      const [ours] = asked
      const form = new URLSearchParams(ours?.body)
      const client = twilio(twilioAccount.sid, twilioAccount.token)
      client.api.baseUrl = api
      yield* Effect.promise(() =>
        client.calls.create({
          to: form.get("To") ?? "",
          from: form.get("From") ?? "",
          twiml: form.get("Twiml") ?? "",
          timeout: Number(form.get("Timeout")),
          statusCallback: form.get("StatusCallback") ?? "",
          statusCallbackMethod: "POST",
          statusCallbackEvent: form.getAll("StatusCallbackEvent")
        })
      )
      const theirs = asked[1]
      const sorted = (body = "") => Array.from(new URLSearchParams(body)).map(String).sort()
      assert.deepStrictEqual([ours?.path, ours?.authorization], [theirs?.path, theirs?.authorization])
      assert.deepStrictEqual(sorted(ours?.body), sorted(theirs?.body))
    }).pipe(Effect.scoped, Effect.provide(events)))
})

/** An inbound call that rings. */
const inbound = {
  id: "call-1",
  from: fields.From,
  to: fields.To,
  state: "ringing",
  isInvalid: false,
  direction: "inbound",
  attempt_id: null,
  custom: null,
  since: 0
} as const

describe("the official library of Plivo", () => {
  it.live("writes the same instructions", () =>
    Effect.gen(function*() {
      const sent = plivoDouble.ask(inbound, address)
      const xml = yield* instructionsOf("plivo", sent)
      const response = plivo.Response()
      response.addStream(streamUrl(xml), {
        bidirectional: true,
        keepCallAlive: true,
        contentType: "audio/x-mulaw;rate=8000"
      })
      assert.strictEqual(xml.replace(/^<\?xml[^>]*>/, ""), response.toXML())
    }))

  it("accepts the signatures that are accepted here", () => {
    const sent = plivoDouble.ask(inbound, address)
    const signature = sent.headers["x-plivo-signature-v3"] ?? ""
    const nonce = sent.headers["x-plivo-signature-v3-nonce"] ?? ""
    const params = Object.fromEntries(new URLSearchParams(sent.body))
    assert.isTrue(plivo.validateV3Signature("POST", address, nonce, plivoAccount.token, signature, params))
    const withQuery = `${address}?about=status&token=b&attempt=a`
    const other = plivoDouble.status({
      id: "call-1",
      from: fields.From,
      to: fields.To,
      state: "busy",
      isInvalid: false,
      direction: "outbound",
      attempt_id: null,
      custom: null,
      since: 0
    }, withQuery)
    const otherParams = Object.fromEntries(new URLSearchParams(other?.body))
    const otherSignature = other?.headers["x-plivo-signature-v3"] ?? ""
    assert.isTrue(
      plivo.validateV3Signature("POST", withQuery, nonce, plivoAccount.token, otherSignature, otherParams)
    )
  })
})

describe("the official library of Telnyx", () => {
  it("accepts the signatures that are accepted here", async () => {
    const { body, headers } = telnyxDouble.ask({
      id: "v3:call-1",
      from: fields.From,
      to: fields.To,
      state: "ringing",
      isInvalid: false,
      direction: "inbound",
      attempt_id: null,
      custom: null,
      since: 0
    }, address)
    const client = new Telnyx({ apiKey: "unused", publicKey: telnyxAccount.publicKey })
    const event = await client.webhooks.unwrap(body, { headers: { ...headers } })
    assert.include(JSON.stringify(event), "call.initiated")
  })
})
