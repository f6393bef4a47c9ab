import { assert, describe, it } from "@effect/vitest"
import { CallEvents, isAudioLine } from "@trunkline/telephony"
import { Effect, type Scope } from "effect"
import { WebSocket } from "ws"
import { untilOnTime } from "../../../../test/setup/OnTime.js"
import { textAt } from "../../src/dialects/StreamFormat.js"
import { CarrierMediaWebsocket } from "../../src/index.js"
import { type DoubleDialect, smartfloAccount } from "../../src/testing.js"
import { calling, nextOffer, talking, until } from "../Cases.js"
import { connect, events, planFor } from "../Host.js"
import { smartflo } from "../Providers.js"

const live = (title: string, test: Effect.Effect<void, unknown, CallEvents | Scope.Scope>) =>
  it.scopedLive(title, (context) => untilOnTime(context, Effect.provide(test, events)))

/** Close code of a stream at an address, after it has sent its messages. */
const closeOf = (address: string, messages: ReadonlyArray<object> = []) =>
  Effect.async<number>((resume) => {
    const socket = new WebSocket(address)
    socket.on("error", () => undefined)
    socket.on("open", () => messages.forEach((message) => socket.send(JSON.stringify(message))))
    socket.on("close", (code) => resume(Effect.succeed(code)))
  })

const streams = (url: string, secret = smartfloAccount.eventsKey) =>
  `${url.replace("http", "ws")}/v1/connections/line-1/streams/${secret}`

const start = (custom_identifier: string) => ({
  event: "start",
  streamSid: "MZ9",
  start: { streamSid: "MZ9", callSid: "CS9", customParameters: { custom_identifier } }
})

const rings = { kind: "answers", afterMillis: 1_500 } as const

describe("the stream of a call over smartflo", () => {
  live(
    "is taken by the token of its call alone, which others do not use up",
    Effect.gen(function*() {
      const { double, placed, plan, url } = yield* calling(smartflo, rings)
      const guess = `${plan.attempt_id}.${"A".repeat(43)}`
      const custom = double.calls[0]?.facts.custom ?? ""
      const [, token = ""] = custom.split(".")
      for (const wrong of ["", guess, token, `${custom}.`]) {
        assert.strictEqual(yield* closeOf(streams(url), [{ event: "connected" }, start(wrong)]), 1008)
      }
      assert.strictEqual(yield* closeOf(streams(url, "smartflo-events-kez"), [start(custom)]), 1008)
      const line = yield* placed.answer
      assert.isTrue(isAudioLine(line))
      assert.strictEqual(yield* closeOf(streams(url), [start(custom)]), 1008)
      yield* until(() => double.calls[0]?.person != null)
      assert.strictEqual(double.calls[0]?.facts.state, "talking")
      assert.deepStrictEqual(double.problems(), [])
    })
  )

  live(
    "is given up where nothing begins in time, and refused from an address that is not allowed",
    Effect.gen(function*() {
      const { url } = yield* connect(smartflo)
      assert.strictEqual(yield* closeOf(streams(url), [{ event: "connected" }]), 1008)
      const closed = yield* calling(smartflo, rings, { allowed_addresses: ["203.0.113.0/24"] })
      const custom = closed.double.calls[0]?.facts.custom ?? ""
      assert.strictEqual(yield* closeOf(streams(closed.url), [start(custom)]), 1008)
    })
  )

  live(
    "has an address of its own where a dynamic endpoint asks for it with the call's field, and it is good once",
    Effect.gen(function*() {
      const { double, placed, url } = yield* calling(smartflo, rings)
      const custom = double.calls[0]?.facts.custom ?? ""
      const query = new URLSearchParams({
        key: smartfloAccount.eventsKey,
        callId: "ask-1",
        fromNumber: "+911140000001",
        toNumber: "+919876543210",
        custom_identifier: custom
      })
      const ask = () => Effect.promise(() => fetch(`${url}/v1/connections/line-1/events?${query}`))
      const reply = yield* ask()
      const wss_url = textAt(yield* Effect.promise(() => reply.json()), "wss_url")
      assert.notInclude(wss_url, smartfloAccount.eventsKey)
      new WebSocket(wss_url).on("open", function() {
        this.send(JSON.stringify(start("")))
      })
      assert.isTrue(isAudioLine(yield* placed.answer))
      assert.strictEqual(yield* closeOf(wss_url, [start(custom)]), 1008)
      query.delete("custom_identifier")
      assert.strictEqual((yield* ask()).status, 422)
    })
  )

  live(
    "tells that the call was answered, to a process that follows too, where no notice does",
    Effect.gen(function*() {
      const { callOf } = yield* CallEvents
      const { connection, double, placed, plan } = yield* calling(smartflo, rings)
      double.deliver("never")
      yield* placed.answer
      const { attempt_id } = plan
      yield* Effect.repeat(Effect.sleep("20 millis"), {
        until: () => Effect.map(callOf("smartflo", attempt_id), ({ _tag }) => _tag === "Some")
      })
      const carriers = yield* CarrierMediaWebsocket.make(smartflo.environment)
      const next = carriers.find(({ provider }) => provider === "smartflo")
      const { provider_call_id } = placed
      const status = yield* next?.lookup({ attempt_id, connection, provider_call_id }) ?? Effect.die("no carrier")
      assert.deepInclude(status, { _tag: "Live", connected: true })
    })
  )
})

describe("a call over smartflo", () => {
  live(
    "that rings is ended at the provider by the id that the list of calls tells",
    Effect.gen(function*() {
      const { double, placed } = yield* calling(smartflo, { kind: "no_answer" })
      yield* placed.cancel
      assert.strictEqual(double.calls[0]?.facts.state, "cancelled")
      assert.deepStrictEqual(double.problems(), [])
    })
  )

  live(
    "counts as over once it was cancelled, also where no list tells its id, and its stream is refused",
    Effect.gen(function*() {
      const reaction = { kind: "answers", afterMillis: 4_000 } as const
      const { carrier, connection, double, placed, plan } = yield* calling(smartflo, reaction)
      // Another call of the same numbers: nobody can tell the two apart.
      yield* carrier.place(planFor(connection))
      yield* until(() => double.calls.every(({ facts }) => facts.state === "ringing"))
      yield* placed.cancel
      const { attempt_id } = plan
      const status = yield* carrier.lookup({ attempt_id, connection, provider_call_id: placed.provider_call_id })
      assert.strictEqual(status._tag === "Over" ? status.result?.status : null, "no_answer")
      yield* until(() => double.calls[0]?.closed != null)
      assert.strictEqual(double.calls[0]?.closed, 1008)
      assert.strictEqual(double.calls.length, 2)
    })
  )

  live(
    "is ended at the provider when we hang up, by the id of its notice or of a list",
    Effect.gen(function*() {
      for (const how of ["promptly", "never"] as const) {
        const { double, line, requests } = yield* talking(smartflo)
        double.deliver(how)
        yield* line.hangUp
        yield* until(() => double.calls[0]?.facts.state === "completed")
        assert.deepStrictEqual(double.problems(), [])
        assert.isNotEmpty(requests)
      }
    })
  )

  live(
    "that was answered without a stream of its own fails, and nobody is called again",
    Effect.gen(function*() {
      const { double, url } = yield* connect(smartflo)
      double.configure(`${url}/v1/connections/elsewhere`)
      const { carrier, connection } = yield* connect(smartflo, {}, { api_url: double.url })
      const placed = yield* carrier.place(planFor(connection))
      assert.strictEqual((yield* Effect.flip(placed.answer))._tag, "NotAnswered")
      assert.strictEqual(double.calls.length, 1)
    })
  )

  live(
    "whose record comes late is over by its notice",
    Effect.gen(function*() {
      const none = { _tag: "Query", answer: () => ({ status: 200, body: { count: 0, results: [] } }) } as const
      const double: DoubleDialect = {
        ...smartflo.double,
        readRequest: (request) =>
          request.path.startsWith("/v1/call/records") ? none : smartflo.double.readRequest(request)
      }
      const { carrier, connection, placed, plan } = yield* calling({ ...smartflo, double }, { kind: "busy" })
      assert.strictEqual((yield* Effect.flip(placed.answer)).status, "busy")
      const { attempt_id } = plan
      const status = yield* carrier.lookup({ attempt_id, connection, provider_call_id: placed.provider_call_id })
      assert.strictEqual(status._tag === "Over" ? status.result?.status : null, "busy")
    })
  )

  live(
    "that comes in and is not decided upon is rejected before the provider gives it up",
    Effect.gen(function*() {
      const { carrier, double, url } = yield* connect(smartflo)
      const call = double.callIn("+919876543210", "+911140000001", `${url}/v1/connections/line-1/events`)
      yield* nextOffer(carrier)
      yield* until(() => call.facts.state === "failed")
      assert.strictEqual(call.reply?.status, 404)
      assert.deepStrictEqual(double.problems(), [])
    })
  )
})

describe("notices of smartflo", () => {
  live(
    "are refused without the secret of the line, and in another's place",
    Effect.gen(function*() {
      const { double, plan, url } = yield* calling(smartflo, { kind: "no_answer" })
      const send = (query: string) =>
        Effect.promise(() =>
          fetch(`${url}/v1/connections/line-1/events${query}`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({
              call_id: "CAGE011-T8-1780735307.142",
              call_status: "missed",
              end_stamp: "2026-11-30 10:00:00",
              custom_identifier: double.calls[0]?.facts.custom
            })
          })
        )
      for (const query of ["", "?key=", "?key=smartflo-events-kez", `?about=status&key=${smartfloAccount.eventsKey}`]) {
        assert.strictEqual((yield* send(query)).status, 403)
      }
      const { callOf } = yield* CallEvents
      assert.strictEqual((yield* callOf("smartflo", plan.attempt_id))._tag, "None")
      assert.strictEqual((yield* send(`?key=${smartfloAccount.eventsKey}`)).status, 204)
      assert.strictEqual((yield* callOf("smartflo", plan.attempt_id))._tag, "Some")
    })
  )
})
