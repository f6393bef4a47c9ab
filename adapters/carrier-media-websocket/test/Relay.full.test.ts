import { assert, describe, it } from "@effect/vitest"
import type { RelayPerson } from "@trunkline/carrier-media-websocket/testing"
import { isAudioLine, type Leg } from "@trunkline/telephony"
import { Duration, Effect, Fiber, Stream } from "effect"
import { connect, events, planFor, type Provider } from "./Host.js"
import { telnyxRelay, twilioRelay } from "./Providers.js"

const silence = Duration.seconds(20)

const words = (text: string, interruptible = true) => ({ text, language_name: "English", interruptible })

/** A call that was answered, and its person. */
const talking = (provider: Provider = twilioRelay, options: object = {}) =>
  Effect.gen(function*() {
    const { carrier, connection, double } = yield* connect(provider, {}, options)
    const placed = yield* carrier.place(planFor(connection))
    const leg = yield* placed.answer
    const call = double.calls[0]
    if (isAudioLine(leg) || call?.relay == null) return yield* Effect.dieMessage("The call has no words")
    const person: RelayPerson = call.relay
    return { leg: leg as Leg, person, call, double }
  })

const until = (isSo: () => boolean) =>
  Effect.repeat(Effect.sleep("10 millis"), { until: isSo }).pipe(Effect.timeout("10 seconds"))

describe("a line of words", () => {
  it.scopedLive("speaks as words are written, hears sentences in their parts, languages and keys, and hands off at the end", () =>
    Effect.gen(function*() {
      const { call, double, leg, person } = yield* talking()
      const more = Stream.make(" How are", " you?").pipe(Stream.tap(() => Effect.sleep("20 millis")))
      assert.deepStrictEqual(yield* leg.say({ ...words("Hello."), more }), {
        heard: "Hello. How are you?",
        interrupted: false
      })
      person.say(["I am", " fine"], "hi-IN")
      person.press("5")
      assert.deepStrictEqual(yield* leg.listen(silence), {
        _tag: "Said",
        text: "I am fine",
        en_text: null,
        language_name: "Hindi"
      })
      assert.deepStrictEqual(yield* leg.listen(silence), { _tag: "Pressed", digit: "5" })
      assert.deepStrictEqual(yield* leg.listen(Duration.millis(50)), { _tag: "Silent" })
      yield* leg.say({ ...words("नमस्ते"), language_name: "Hindi" })
      assert.include(person.received, "language")
      yield* leg.hangUp
      yield* until(() => call.facts.state === "completed")
      assert.strictEqual(person.handoff(), "{\"reasonCode\":\"hang-up\"}")
      assert.deepStrictEqual(person.utterances, ["Hello. How are you?", "नमस्ते"])
      assert.deepStrictEqual(double.problems(), [])
    }).pipe(Effect.provide(events)))

  it.scopedLive("tells the ear what the caller is likely to say, beside the hints of the line", () =>
    Effect.gen(function*() {
      const { double, leg, person } = yield* talking(twilioRelay, { hints: ["Trunkline"] })
      yield* leg.expect?.([]) ?? Effect.void
      yield* leg.expect?.(["yes", "no, thanks", "yes"]) ?? Effect.void
      yield* leg.expect?.([]) ?? Effect.void
      yield* leg.say(words("Hello."))
      assert.deepStrictEqual(person.hints, ["Trunkline,yes,no  thanks", "Trunkline"])
      assert.deepStrictEqual(double.problems(), [])
    }).pipe(Effect.provide(events)))

  it.scopedLive("tells what was heard before an interruption", () =>
    Effect.gen(function*() {
      const { leg, person } = yield* talking()
      const saying = yield* Effect.fork(leg.say(words("This is a long sentence that nobody wants to hear to its end.")))
      yield* until(() => person.received.length >= 2)
      person.interrupt(9)
      person.say(["Stop"])
      assert.deepStrictEqual(yield* Fiber.join(saying), { heard: "This is a", interrupted: true })
      assert.deepInclude(yield* leg.listen(silence), { _tag: "Said", text: "Stop" })
    }).pipe(Effect.provide(events)))

  it.scopedLive("goes on after the connection broke in the middle of a sentence, and says nothing twice", () =>
    Effect.gen(function*() {
      const { leg, person } = yield* talking()
      const saying = yield* Effect.fork(leg.say(words("One moment please, I am looking it up.")))
      yield* until(() => person.received.length >= 2)
      person.breakFor(100)
      assert.strictEqual((yield* Fiber.join(saying)).interrupted, false)
      person.breakFor(100)
      person.say(["Are you there"])
      assert.deepInclude(yield* leg.listen(silence), { _tag: "Said", text: "Are you there" })
      yield* leg.say(words("Yes."))
      assert.deepStrictEqual(person.utterances, ["One moment please, I am looking it up.", "Yes."])
    }).pipe(Effect.provide(events)))

  it.scopedLive("ends when the caller leaves, and when a connection that broke does not come back", () =>
    Effect.gen(function*() {
      const first = yield* talking()
      first.call.end("user")
      assert.deepInclude(yield* Effect.flip(first.leg.listen(silence)), { _tag: "LegEnded", by: "user" })
      const second = yield* talking()
      second.person.breakFor(null)
      const waited = yield* Effect.timeoutOption(second.leg.listen(silence), "300 millis")
      assert.strictEqual(waited._tag, "None")
    }).pipe(Effect.provide(events)))

  it.scopedLive("ends when more is pressed than anybody listens to", () =>
    Effect.gen(function*() {
      const { leg, person } = yield* talking()
      for (let count = 0; count <= 1_000; count++) person.press("1")
      assert.strictEqual(yield* leg.ended ?? Effect.succeed(null), "provider")
    }).pipe(Effect.provide(events)))
})

describe("a line of words over telnyx-relay", () => {
  it.scopedLive("speaks as words are written, hears whole sentences, keys and interruptions, and hangs up at the end", () =>
    Effect.gen(function*() {
      const { call, double, leg, person } = yield* talking(telnyxRelay)
      const more = Stream.make(" How are", " you?").pipe(Stream.tap(() => Effect.sleep("20 millis")))
      const greeting = yield* Effect.fork(leg.say({ ...words("Hello."), more }))
      yield* until(() => person.utterances.length === 1)
      person.say(["I am fine"])
      assert.deepStrictEqual(yield* Fiber.join(greeting), { heard: "Hello. How are you?", interrupted: false })
      assert.deepInclude(yield* leg.listen(silence), { _tag: "Said", text: "I am fine" })
      const saying = yield* Effect.fork(leg.say(words("This is a long sentence that nobody wants to hear to its end.")))
      yield* until(() => person.isHearing())
      person.interrupt(9)
      assert.deepStrictEqual(yield* Fiber.join(saying), { heard: "This is a", interrupted: true })
      person.press("5")
      assert.deepStrictEqual(yield* leg.listen(silence), { _tag: "Pressed", digit: "5" })
      assert.deepStrictEqual(yield* leg.say(words("Bye.")), { heard: "Bye.", interrupted: false })
      yield* leg.hangUp
      yield* until(() => call.facts.state === "completed")
      assert.deepStrictEqual(person.utterances, ["Hello. How are you?", "This is a", "Bye."])
      assert.deepStrictEqual(double.problems(), [])
    }).pipe(Effect.provide(events)))

  it.scopedLive("takes words that are not the last for a guess, which the next ones replace", () =>
    Effect.gen(function*() {
      const { leg, person } = yield* talking(telnyxRelay)
      person.say(["book", "book a table", "Book a table."])
      assert.deepInclude(yield* leg.listen(silence), { _tag: "Said", text: "Book a table." })
      assert.deepStrictEqual(yield* leg.listen(Duration.millis(50)), { _tag: "Silent" })
    }).pipe(Effect.provide(events)))

  it.scopedLive("ends with its connection, since Telnyx opens no other one", () =>
    Effect.gen(function*() {
      const { call, leg, person } = yield* talking(telnyxRelay)
      assert.isUndefined(leg.continuity)
      person.breakFor(null)
      assert.deepInclude(yield* Effect.flip(leg.listen(silence)), { _tag: "LegEnded", by: "provider" })
      yield* until(() => call.facts.state === "completed")
    }).pipe(Effect.provide(events)))
})
