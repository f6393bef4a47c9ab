import { assert, describe } from "@effect/vitest"
import { BusinessTime } from "@trunkline/kernel"
import { meterReading, virtualTest } from "@trunkline/kernel/testing"
import { Transcriber } from "@trunkline/speech"
import type { AudioLine } from "@trunkline/telephony"
import { Cause, Duration, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { connect, wait } from "./Audible.js"

const ignored = () => meterReading("trunkline_line_ignored_events_total")

const utterance = { text: "Good morning. We are open until nine today.", language_name: "English", interruptible: true }

/** Frames that no line should give, one after each good one. */
const badFrames = [
  new Float32Array(),
  new Float32Array(80).fill(0.5),
  new Float32Array(1_600).fill(0.5),
  new Float32Array(160).fill(Number.NaN),
  new Float32Array(160).fill(Number.POSITIVE_INFINITY)
]

/** A line that gives bad frames and marks that are unknown, early or late beside its own events. */
const faulty = (line: AudioLine): AudioLine => ({
  ...line,
  hear: (listener) => {
    let count = 0
    line.hear((event) => {
      if (event._tag === "Frame") {
        const samples = badFrames[count++ % badFrames.length] ?? new Float32Array()
        listener({ _tag: "Frame", samples, concealed: count % 2 === 0 })
      }
      if (event._tag === "Reached") listener({ _tag: "Reached", mark: event.mark + 1 })
      listener(event)
      if (event._tag === "Reached") {
        listener(event)
        listener({ _tag: "Reached", mark: -1 })
      }
    })
  }
})

describe("options that cannot be used", () => {
  for (
    const [turns, problem] of [
      [{ askAfter: 0 }, "askAfter must be from 20 to 3000 ms, not 0"],
      [{ longestTurn: 0 }, "longestTurn must be from 1000 to 600000 ms, not 0"],
      [{ bargeIn: 400 }, "bargeIn must be from 0 to 300 ms, not 400"],
      [{ resumeAfter: Infinity }, "resumeAfter must be from 0 to 60000 ms, not Infinity"],
      [
        { bargeIn: Number.NaN, keyPause: -1 },
        "bargeIn must be from 0 to 300 ms, not NaN; keyPause must be from 0 to 60000 ms, not -1"
      ]
    ] as const
  ) {
    virtualTest(`are refused: ${problem}`, () =>
      Effect.gen(function*() {
        const exit = yield* Effect.exit(connect({ turns }))
        const [defect] = Exit.isFailure(exit) ? Cause.defects(exit.cause) : []
        assert.include(String(defect), `Invalid options of turn-taking: ${problem}`)
      }))
  }
})

describe("a leg on a line that misbehaves", () => {
  virtualTest("ignores bad frames and marks, and counts them", () =>
    Effect.gen(function*() {
      const before = ignored()
      const scope = yield* Scope.make()
      const { heard, leg, say } = yield* Scope.extend(connect({ through: faulty }), scope)
      assert.deepInclude(yield* leg.say(utterance), { heard: utterance.text, interrupted: false })
      const listening = yield* Effect.fork(leg.listen(Duration.seconds(8)))
      yield* wait(500)
      yield* say("Are you open?")
      assert.deepInclude(yield* listening, { _tag: "Said", text: "Are you open?" })
      assert.strictEqual(yield* heard, utterance.text)
      yield* Scope.close(scope, Exit.void)
      assert.isAbove(ignored() - before, 100)
    }))

  virtualTest("takes a defect of the transcriber for words that it could not tell", () =>
    Effect.gen(function*() {
      const transcriber = Layer.succeed(Transcriber, { available: true, transcribe: () => Effect.die("broken") })
      const { leg, say } = yield* connect({ transcriber })
      const listening = yield* Effect.fork(Effect.timeout(leg.listen(Duration.seconds(8)), "20 seconds"))
      yield* wait(500)
      yield* say("Are you open?")
      assert.deepStrictEqual(yield* Fiber.join(listening), { _tag: "Unheard", reason: "it failed unexpectedly" })
    }))

  virtualTest("does not wait for ever for a transcriber that never answers", () =>
    Effect.gen(function*() {
      const transcriber = Layer.succeed(Transcriber, { available: true, transcribe: () => Effect.never })
      const { leg, say } = yield* connect({ transcriber })
      const listening = yield* Effect.fork(leg.listen(Duration.seconds(8)))
      yield* wait(500)
      yield* say("Are you open?")
      const saidAt = yield* BusinessTime.now
      assert.deepStrictEqual(yield* listening, {
        _tag: "Unheard",
        reason: "The listener did not tell the words of a turn in time"
      })
      assert.closeTo((yield* BusinessTime.now) - saidAt, 10_000, 300)
    }))

  virtualTest("does not wait for ever for a voice that never answers", () =>
    Effect.gen(function*() {
      const { leg } = yield* connect({ voice: { delay: "1 hour" } })
      assert.deepInclude(yield* leg.say(utterance), {
        heard: "",
        failed: true,
        reason: "The voice made no sound in time"
      })
      assert.closeTo(yield* BusinessTime.now, 10_000, 40)
    }))

  virtualTest("takes a defect of the voice for an utterance that it could not finish", () =>
    Effect.gen(function*() {
      const fault = (): undefined => {
        throw new Error("broken")
      }
      const { leg } = yield* connect({ voice: { fault } })
      assert.deepStrictEqual(yield* leg.say(utterance), {
        heard: "",
        interrupted: false,
        failed: true,
        reason: "it failed unexpectedly"
      })
    }))

  virtualTest("hears nothing after the end, and ends only once", () =>
    Effect.gen(function*() {
      let emit: Parameters<AudioLine["hear"]>[0] = () => {}
      const { leg } = yield* connect({
        through: (line) => ({
          ...line,
          hear: (listener) => {
            emit = listener
            line.hear(listener)
          }
        })
      })
      const listening = yield* Effect.fork(Effect.flip(leg.listen(Duration.seconds(8))))
      yield* wait(100)
      emit({ _tag: "Ended", by: "user" })
      for (const by of ["agent", "provider"] as const) emit({ _tag: "Ended", by })
      emit({ _tag: "Pressed", digit: "5" })
      emit({ _tag: "Frame", samples: new Float32Array(160), concealed: false })
      assert.strictEqual((yield* Fiber.join(listening)).by, "user")
      assert.strictEqual((yield* Effect.flip(leg.listen(Duration.seconds(8)))).by, "user")
    }))
})
