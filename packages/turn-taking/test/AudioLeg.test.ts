import { assert, describe } from "@effect/vitest"
import { ModelFailed } from "@trunkline/errors"
import { BusinessTime } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { Transcriber } from "@trunkline/speech"
import type { Heard } from "@trunkline/telephony"
import { fixedEndOfTurn } from "@trunkline/turn-taking"
import { Duration, Effect, Fiber, Layer } from "effect"
import { connect, spoken, wait, withoutEnd } from "./Audible.js"

const long = "Good morning and welcome to the library. We are open until nine today. Please bring your card with you."
const utterance = (text: string, interruptible = true) => ({ text, language_name: "English", interruptible })
const listen = Duration.seconds(8)
const wordsEvent = (text: string): Partial<Heard> => ({ _tag: "Said", text, en_text: null, language_name: null })

const failing = Layer.succeed(Transcriber, {
  available: true,
  transcribe: () => Effect.fail(new ModelFailed({ message: "broken" }))
})

describe("a leg on a line with sound", () => {
  virtualTest("speaks clause by clause, and the caller hears every word", () =>
    Effect.gen(function*() {
      const { heard, leg } = yield* connect()
      assert.deepStrictEqual(yield* leg.say(utterance(long)), { heard: long, interrupted: false, startedAt: 0 })
      assert.strictEqual(yield* heard, long)
    }))

  virtualTest(
    "gives the words after a short pause, and holds the answer until the turn is over",
    () =>
      Effect.gen(function*() {
        const { leg, say } = yield* connect()
        const listening = yield* Effect.fork(leg.listen(listen))
        yield* wait(1_000)
        yield* say("I would like to book a table.")
        const from = yield* BusinessTime.now
        assert.deepInclude(yield* listening, wordsEvent("I would like to book a table."))
        assert.closeTo((yield* BusinessTime.now) - from, 200, 60)
        const { startedAt = 0 } = yield* leg.say(utterance("For how many?"))
        assert.closeTo(startedAt - from, 400, 60)
      })
  )

  virtualTest(
    "tells that the caller goes on after words that were unfinished, and says nothing of the answer",
    () =>
      Effect.gen(function*() {
        const { heard: heardByCaller, leg, say } = yield* connect()
        const listening = yield* Effect.fork(leg.listen(listen))
        yield* wait(500)
        yield* say("I would like to book a table and")
        assert.deepInclude(yield* listening, wordsEvent("I would like to book a table and"))
        const answer = yield* Effect.fork(leg.say(utterance("For how many?")))
        yield* wait(600)
        yield* Effect.fork(say("two chairs."))
        yield* leg.goesOn ?? Effect.void
        yield* Fiber.interrupt(answer)
        assert.deepInclude(yield* leg.listen(listen), wordsEvent("two chairs."))
        yield* leg.say(utterance("Very well."))
        assert.strictEqual(yield* heardByCaller, "Very well.")
      })
  )

  virtualTest("reports silence when nobody speaks, and not while somebody does", () =>
    Effect.gen(function*() {
      const { leg, say } = yield* connect()
      const from = yield* BusinessTime.now
      assert.deepStrictEqual(yield* leg.listen(Duration.seconds(2)), { _tag: "Silent" })
      assert.closeTo((yield* BusinessTime.now) - from, 2_000, 40)
      const listening = yield* Effect.fork(leg.listen(Duration.seconds(2)))
      yield* wait(1_500)
      yield* say("These are some words that take more than two seconds to say.")
      assert.strictEqual((yield* listening)._tag, "Said")
    }))

  virtualTest(
    "stops when it is interrupted, knows what was heard, and listens to the words",
    () =>
      Effect.gen(function*() {
        const { heard, leg, say } = yield* connect()
        const speaking = yield* Effect.fork(leg.say(utterance(long)))
        yield* wait(3_500)
        yield* say("Stop, I have a question.")
        const spoken = yield* speaking
        assert.isTrue(spoken.interrupted)
        assert.isTrue(long.startsWith(spoken.heard))
        assert.isBelow(spoken.heard.length, long.length / 2 + 20)
        assert.include(spoken.heard, "Good morning and welcome to the library.")
        assert.deepInclude(yield* leg.listen(listen), wordsEvent("Stop, I have a question."))
        assert.notInclude(yield* heard, "card")
      })
  )

  virtualTest(
    "resumes from the clause that was cut when the caller only shows that they listen",
    () =>
      Effect.gen(function*() {
        const { heard, leg, say } = yield* connect()
        const speaking = yield* Effect.fork(leg.say(utterance(long)))
        yield* wait(3_500)
        yield* say("okay")
        assert.deepStrictEqual(yield* speaking, { heard: long, interrupted: false, startedAt: 0 })
        assert.isTrue((yield* heard).endsWith("Please bring your card with you."))
      })
  )

  virtualTest("resumes after noise without words", () =>
    Effect.gen(function*() {
      const { caller, heard, leg } = yield* connect()
      const speaking = yield* Effect.fork(leg.say(utterance(long)))
      yield* wait(3_500)
      caller.say(Float32Array.from({ length: 3_200 }, (_, at) => 0.3 * Math.sin(at * at)))
      assert.deepStrictEqual(yield* speaking, { heard: long, interrupted: false, startedAt: 0 })
      assert.isTrue((yield* heard).endsWith("Please bring your card with you."))
    }))

  virtualTest("says what must be heard to the end, and hears what was said meanwhile", () =>
    Effect.gen(function*() {
      const { heard, leg, say } = yield* connect()
      const speaking = yield* Effect.fork(leg.say(utterance(long, false)))
      yield* wait(2_000)
      yield* say("Stop, I have a question.")
      assert.deepStrictEqual(yield* speaking, { heard: long, interrupted: false, startedAt: 0 })
      assert.deepInclude(yield* leg.listen(listen), wordsEvent("Stop, I have a question."))
      assert.strictEqual(yield* heard, long)
    }))

  virtualTest("is interrupted by a key, and reports it", () =>
    Effect.gen(function*() {
      const { caller, leg } = yield* connect()
      const speaking = yield* Effect.fork(leg.say(utterance(long)))
      yield* wait(2_000)
      caller.press("5")
      assert.isTrue((yield* speaking).interrupted)
      assert.deepStrictEqual(withoutEnd(yield* leg.listen(listen)), { _tag: "Pressed", digit: "5" })
    }))

  virtualTest("stops every clock while the call is held", () =>
    Effect.gen(function*() {
      const { caller, leg } = yield* connect()
      const listening = yield* Effect.fork(leg.listen(Duration.seconds(2)))
      yield* wait(1_000)
      caller.hold(true)
      assert.isTrue(leg.isHeld?.())
      yield* wait(60_000)
      assert.isTrue((yield* Fiber.poll(listening))._tag === "None")
      caller.hold(false)
      assert.isFalse(leg.isHeld?.())
      yield* wait(1_100)
      assert.deepStrictEqual(yield* listening, { _tag: "Silent" })
    }))

  virtualTest("reports what was heard when the caller hangs up, and then the end", () =>
    Effect.gen(function*() {
      const { caller, leg } = yield* connect()
      const speaking = yield* Effect.fork(leg.say(utterance(long)))
      yield* wait(3_500)
      yield* caller.hangUp
      const spoken = yield* speaking
      assert.isTrue(spoken.interrupted && long.startsWith(spoken.heard) && spoken.heard !== "")
      assert.strictEqual(spoken.endedBy, "user")
      assert.deepInclude(yield* Effect.flip(leg.say(utterance("Hello?"))), { _tag: "LegEnded", by: "user" })
      assert.deepInclude(yield* Effect.flip(leg.listen(listen)), { _tag: "LegEnded", by: "user" })
    }))

  virtualTest("ends a pending wait when the caller hangs up", () =>
    Effect.gen(function*() {
      const { caller, leg } = yield* connect()
      const waiting = yield* Effect.fork(Effect.flip(leg.listen(listen)))
      yield* wait(1_000)
      yield* caller.hangUp
      assert.deepInclude(yield* waiting, { _tag: "LegEnded", by: "user" })
    }))

  virtualTest("reports words that no transcriber could tell", () =>
    Effect.gen(function*() {
      const { leg, say } = yield* connect({ transcriber: failing })
      const listening = yield* Effect.fork(leg.listen(listen))
      yield* wait(500)
      yield* say("Hello there.")
      assert.deepStrictEqual(yield* listening, { _tag: "Unheard", reason: "broken" })
    }))

  virtualTest(
    "says what must be heard to the end, although the words said meanwhile could not be told",
    () =>
      Effect.gen(function*() {
        const { heard, leg, say } = yield* connect({ transcriber: failing })
        const speaking = yield* Effect.fork(leg.say(utterance(long, false)))
        yield* wait(2_000)
        yield* say("Stop.")
        assert.deepInclude(yield* speaking, { heard: long, interrupted: false })
        assert.deepStrictEqual(yield* leg.listen(listen), { _tag: "Unheard", reason: "broken" })
        assert.strictEqual(yield* heard, long)
      })
  )

  virtualTest("reports an utterance that the voice could not finish", () =>
    Effect.gen(function*() {
      const fault = ({ text }: { readonly text: string }) =>
        text.startsWith("We") ? { after: 0.5, ends: new ModelFailed({ message: "broken" }) } : undefined
      const { leg } = yield* connect({ voice: { fault } })
      const spoken = yield* leg.say(utterance(long))
      assert.isTrue(spoken.failed)
      assert.isTrue(long.startsWith(spoken.heard))
    }))

  virtualTest("takes the words of a caller who never pauses after the longest turn", () =>
    Effect.gen(function*() {
      const { leg, say } = yield* connect({ turns: { longestTurn: 5_000, endOfTurn: fixedEndOfTurn() } })
      const listening = yield* Effect.fork(leg.listen(listen))
      const from = yield* BusinessTime.now
      yield* Effect.fork(say("one two three four five six seven eight nine ten ".repeat(6)))
      assert.strictEqual((yield* listening)._tag, "Said")
      assert.closeTo((yield* BusinessTime.now) - from, 5_200, 400)
    }))

  virtualTest("takes the words of a caller who never pauses after 30 seconds by default", () =>
    Effect.gen(function*() {
      const { caller, leg } = yield* connect()
      const listening = yield* Effect.fork(leg.listen(listen))
      const from = yield* BusinessTime.now
      const sound = yield* spoken("one two three four five six seven eight nine ten ".repeat(20))
      // No voice is as steady as the modem's, which the detector would take for noise.
      for (let part = 0; part < 3; part++) {
        caller.say(sound.map((sample, at) => at % 8_000 < 400 ? sample / 10 : sample))
      }
      assert.strictEqual((yield* listening)._tag, "Said")
      assert.closeTo((yield* BusinessTime.now) - from, 30_200, 400)
    }))
})
