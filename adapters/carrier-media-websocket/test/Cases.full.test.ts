import { assert, describe, it } from "@effect/vitest"
import { CallEvents, isAudioLine, type LineEvent } from "@trunkline/telephony"
import { Duration, Effect, type Scope } from "effect"
import { WebSocket } from "ws"
import { untilOnTime } from "../../../test/setup/OnTime.js"
import { tokenFor } from "../src/settings/PublicAddress.js"
import { calling, nextOffer, outcomeOf, talking, until } from "./Cases.js"
import { connect, events, planFor, type Provider } from "./Host.js"
import { providers, smartflo, twilio } from "./Providers.js"

const live = (title: string, test: Effect.Effect<void, unknown, CallEvents | Scope.Scope>) =>
  it.scopedLive(title, (context) => untilOnTime(context, Effect.provide(test, events)))

const nameOf = ({ double }: Provider) => double.provider

/** Close code and reason of a socket to an address. */
const closeOf = (url: string) =>
  Effect.async<readonly [code: number, reason: string]>((resume) => {
    new WebSocket(url).on("error", () => undefined)
      .on("close", (code, reason) => resume(Effect.succeed([code, reason.toString()])))
  })

const closeCodeOf = (url: string) => Effect.map(closeOf(url), ([code]) => code)

for (const provider of providers) {
  const name = nameOf(provider)
  describe(`calls over ${name}`, () => {
    live(
      "that are not answered tell why",
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* outcomeOf(provider, { kind: "busy" }), ["busy", null])
        assert.deepStrictEqual(yield* outcomeOf(provider, { kind: "no_answer" }), ["no_answer", null])
        const invalid = name === "exotel" ? "the call failed" : "invalid_number"
        assert.deepStrictEqual(yield* outcomeOf(provider, { kind: "invalid" }), ["failed", `${name}: ${invalid}`])
        const [status] = yield* outcomeOf(provider, { kind: "rejected" })
        assert.include(["failed", "provider_error"], status)
      })
    )

    live(
      "that the provider refuses, limits or loses are told apart",
      Effect.gen(function*() {
        const { carrier, connection, double } = yield* connect(provider, { reactionOf: () => ({ kind: "refused" }) })
        assert.strictEqual((yield* Effect.flip(carrier.place(planFor(connection)))).certainty, "provider")
        double.fail("busy")
        assert.deepInclude(yield* Effect.flip(carrier.place(planFor(connection))), {
          certainty: "provider",
          reason: `${name}: too many requests`,
          retryAfter: 7
        })
        assert.deepStrictEqual(double.problems(), [])
      })
    )

    live(
      "whose response was an error after it was accepted are known from the report of the provider",
      Effect.gen(function*() {
        const { callOf } = yield* CallEvents
        const { carrier, connection, double } = yield* connect(provider)
        double.fail("error")
        const plan = planFor(connection)
        if (carrier.dedupe(connection)._tag === "None") {
          assert.strictEqual((yield* Effect.flip(carrier.place(plan))).certainty, "unknown")
        } else yield* carrier.place(plan)
        yield* Effect.repeat(Effect.sleep("20 millis"), { until: () => (double.calls[0]?.replies.length ?? 0) > 0 })
        const known = yield* callOf(name, plan.attempt_id)
        assert.strictEqual(known._tag, "Some")
        assert.strictEqual(double.countDials(plan.attempt_id), 1)
      })
    )

    live(
      "carry sound in both directions, at most 200 ms ahead, and stop at once when the caller interrupts",
      Effect.gen(function*() {
        const { double, line, person } = yield* talking(provider)
        const heard: Array<LineEvent> = []
        line.hear((event) => heard.push(event))
        person.press("7")
        line.play(new Float32Array(line.rate * 2).fill(0.2), 1)
        yield* Effect.sleep("600 millis")
        const played = line.clear() * 1000 / line.rate
        assert.closeTo(played, 600, 200)
        yield* until(() => person.received.includes("Clear"))
        // The double hears in frames of 20 ms: the one that it hears counts as well.
        assert.isAtMost(person.maxAhead(), 220)
        assert.deepInclude(heard, { _tag: "Pressed", digit: "7" })
        assert.deepStrictEqual(double.problems(), [])
      })
    )

    live(
      "end by the caller in mid-word, and by a socket that breaks, after which the call is ended at the provider",
      Effect.gen(function*() {
        const first = yield* talking(provider)
        const ends: Array<LineEvent> = []
        first.line.hear((event) => event._tag === "Ended" && ends.push(event))
        first.line.play(new Float32Array(first.line.rate).fill(0.2), 1)
        yield* Effect.sleep("200 millis")
        first.call.end("user")
        yield* until(() => ends.length > 0)
        assert.deepStrictEqual(ends, [{ _tag: "Ended", by: "user" }])
        const second = yield* talking(provider)
        second.line.hear((event) => event._tag === "Ended" && ends.push(event))
        second.call.breakStream()
        yield* until(() => ends.length > 1)
        assert.deepStrictEqual(ends[1], { _tag: "Ended", by: "provider" })
      })
    )

    live(
      "end at their deadline although no mark comes back",
      Effect.gen(function*() {
        const world = yield* connect(provider)
        const placed = yield* world.carrier.place({
          ...planFor(world.connection),
          maxDuration: Duration.seconds(1)
        })
        const line = yield* placed.answer
        if (!isAudioLine(line)) return yield* Effect.dieMessage("no sound")
        const [call] = world.double.calls
        call?.person?.withholdMarks()
        const seen: Array<LineEvent> = []
        line.hear((event) => event._tag !== "Frame" && seen.push(event))
        line.play(new Float32Array(line.rate / 10).fill(0.1), 1)
        yield* until(() => seen.some(({ _tag }) => _tag === "Ended"))
        assert.deepStrictEqual(seen, [{ _tag: "Reached", mark: 1 }, { _tag: "Ended", by: "timeout" }])
        yield* until(() => call?.facts.state === "completed")
        assert.strictEqual(call?.limitSeconds, 1)
      })
    )

    live(
      "that come in are answered once, and rejected with a reason",
      Effect.gen(function*() {
        const { carrier, double, url } = yield* connect(provider)
        const address = `${url}/v1/connections/line-1/events`
        const accepted = double.callIn("+919876543210", "+911140000001", address)
        const offer = yield* nextOffer(carrier)
        assert.deepStrictEqual([String(offer.from), String(offer.to)], ["+919876543210", "+911140000001"])
        const line = yield* offer.accept
        yield* until(() => accepted.person !== null)
        yield* line.hangUp
        yield* until(() => accepted.facts.state === "completed")
        const rejected = double.callIn("+919876543211", "+911140000001", address)
        const other = yield* nextOffer(carrier)
        yield* other.reject("no_capacity")
        yield* until(() => rejected.facts.state === "failed")
        const elsewhere = double.callIn("+919876543211", "+911149999999", address)
        yield* until(() => elsewhere.facts.state === "failed")
        assert.deepStrictEqual(double.problems(), [])
      })
    )

    if (name === "exotel" || name === "smartflo") return
    for (const tellsFirst of [false, true]) {
      live(
        `end when a machine answers, where that is asked for${
          tellsFirst ? ", also when that is told before the stream opens" : ""
        }`,
        Effect.gen(function*() {
          const world = yield* calling(provider, { kind: "answers", afterMillis: 50, isMachine: true, tellsFirst }, {
            machine_detection: "hang_up"
          })
          const line = yield* world.placed.answer
          if (!isAudioLine(line)) return yield* Effect.dieMessage("no sound")
          yield* until(() => world.double.calls[0]?.facts.state === "completed")
          const reason = `${name}: an answering machine answered`
          assert.deepStrictEqual(line.trouble?.(), { reason, isFailed: false })
        })
      )
    }
  })
}

describe("the address of a stream", () => {
  live(
    "is given up where no call begins in time",
    Effect.gen(function*() {
      const { connection, plan, url } = yield* calling(twilio, { kind: "no_answer" })
      const about = `attempt:${connection.connection_id}:${plan.attempt_id}`
      const token = tokenFor(twilio.environment["TWILIO_TOKEN"] ?? "", about)
      const address = `${url.replace("http", "ws")}/v1/connections/${connection.connection_id}/streams/${token}`
      assert.deepStrictEqual(yield* closeOf(address), [1008, "No call has begun"])
    })
  )

  live(
    "is good once, and nobody else's is taken",
    Effect.gen(function*() {
      const { call, url } = yield* talking(twilio)
      assert.strictEqual(yield* closeCodeOf(call.streamUrl ?? ""), 1008)
      assert.strictEqual(yield* closeCodeOf(`${url.replace("http", "ws")}/v1/connections/line-1/streams/guess`), 1008)
    })
  )
})

describe("requests of a provider", () => {
  live(
    "are refused with a wrong signature, without any, and from addresses that are not allowed",
    Effect.gen(function*() {
      for (const provider of providers) {
        const { url } = yield* connect(provider)
        const send = (headers: Readonly<Record<string, string>>) =>
          Effect.promise(() =>
            fetch(`${url}/v1/connections/line-1/events?about=status`, { method: "POST", headers, body: "CallSid=CA1" })
          )
        const form = { "content-type": "application/x-www-form-urlencoded" }
        assert.strictEqual((yield* send(form)).status, 403)
        assert.strictEqual((yield* send({ ...form, "x-twilio-signature": "AAAA" })).status, 403)
        const closed = yield* connect(provider, {}, { allowed_addresses: ["203.0.113.0/24"] })
        const call = closed.double.callIn(
          "+919876543210",
          "+911140000001",
          `${closed.url}/v1/connections/line-1/events`
        )
        yield* Effect.sleep("300 millis")
        if (call.reply !== null) assert.strictEqual(call.reply.status, 403)
      }
    })
  )
})

describe("sound that arrives in another order", () => {
  // Silence fills in while two messages of 100 ms change places, and takes the place of some of their sound.
  for (const [provider, least] of [[twilio, 18], [smartflo, 12]] as const) {
    live(
      `is put in order where the messages are counted, as those of ${nameOf(provider)}`,
      Effect.gen(function*() {
        const { line, person } = yield* talking(provider)
        const heard: Array<number> = []
        line.hear((event) => {
          if (event._tag === "Frame" && !event.concealed) heard.push(event.samples[0] ?? 0)
        })
        person.shuffle()
        const steps = Array.from({ length: 20 }, (_, step) => new Float32Array(line.rate / 50).fill((step + 1) * 0.04))
        steps.forEach((step) => person.say(step))
        yield* Effect.sleep("1 second")
        const levels = heard.filter((level) => level > 0.02)
        assert.isAtLeast(levels.length, least)
        assert.deepStrictEqual(levels, [...levels].sort((one, other) => one - other))
      })
    )
  }
})
