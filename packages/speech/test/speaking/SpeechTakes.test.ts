import { assert, describe, it } from "@effect/vitest"
import { Speech, type SynthesisInput } from "@trunkline/speech"
import { Effect, Stream } from "effect"
import { generateAsked, nativeRate, savedVoice, speechOf, tone, watchedMeter } from "./Parts.js"
import { lasting, tagOf } from "./SpeechFixtures.js"

describe("the duration and voice of a speech", () => {
  const speaksFor = (seconds: number) => ({ speak: () => Stream.make(tone(seconds)) })

  const secondsFor = (change: Parameters<typeof generateAsked>[1]) =>
    Effect.gen(function*() {
      const { voice_id } = yield* savedVoice()
      const { meter } = yield* watchedMeter
      const { bytes, seconds } = yield* (yield* Speech).generate("acme", generateAsked(voice_id, change), meter)
      assert.closeTo(lasting(bytes.length, change?.format?.rate), seconds, 1e-9)
      return seconds
    })

  it.effect.each([0.5, 0.8, 1, 1.25, 2])("changes the duration at pace %d", (pace) =>
    Effect.gen(function*() {
      assert.closeTo(yield* secondsFor({ pace, trim: false }), 4 / pace, 4 / pace * 0.005)
    }).pipe(Effect.provide(speechOf(speaksFor(4)))))

  it.effect("leaves pace to an engine that controls it", () =>
    Effect.gen(function*() {
      const paces: Array<number> = []
      const speak = ({ pace }: SynthesisInput) => {
        paces.push(pace)
        return Stream.make(tone(1))
      }
      const seconds = yield* Effect.provide(
        secondsFor({ pace: 2, trim: false }),
        speechOf({ controls: ["pace"], speak })
      )
      assert.deepStrictEqual([seconds, paces], [1, [2]])
    }))

  it.effect("keeps the duration bounds, and never shortens below the reference", () =>
    Effect.gen(function*() {
      const bounded = (least: number | null, most: number | null, referenceSeconds: number | null = null) =>
        secondsFor({ trim: false, bounds: { min: least, max: most }, referenceSeconds })
      assert.closeTo(yield* bounded(null, 3), 3, 0.001)
      assert.isAtMost(yield* bounded(null, 10 / 3), 10 / 3)
      assert.closeTo(yield* bounded(null, 1), 2, 0.001)
      assert.closeTo(yield* bounded(null, 1, 2.5), 2.5, 0.001)
      assert.closeTo(yield* bounded(null, 9), 4, 0.001)
      assert.strictEqual(yield* bounded(6.25, null), 6.25)
      assert.strictEqual(yield* bounded(3, 3), 3)
    }).pipe(Effect.provide(speechOf(speaksFor(4)))))

  it.effect("trims silence of a single clause unless trimming is off", () =>
    Effect.gen(function*() {
      assert.isBelow(yield* secondsFor({}), 1.3)
      assert.strictEqual(yield* secondsFor({ trim: false }), 3)
    }).pipe(Effect.provide(speechOf({
      speak: () => Stream.make(new Float32Array(nativeRate), tone(1), new Float32Array(nativeRate))
    }))))

  it.effect("speaks a second take after a misread one, and keeps the better", () =>
    Effect.gen(function*() {
      const takes: Array<number> = []
      const speak = ({ take }: SynthesisInput) => {
        takes.push(take)
        return Stream.make(tone(take + 1))
      }
      const listen = (transcripts: ReadonlyArray<string>) => {
        const queue = [...transcripts]
        return () => Effect.sync(() => queue.shift() ?? "")
      }
      const withListener = (transcripts: ReadonlyArray<string>) =>
        Effect.provide(secondsFor({ check: true, trim: false }), speechOf({ speak }, {}, listen(transcripts)))
      assert.strictEqual(yield* withListener(["hello there"]), 1)
      assert.strictEqual(yield* withListener(["something else", "hello there"]), 2)
      assert.strictEqual(yield* withListener(["hello there is", "nothing at all of it"]), 1)
      assert.deepStrictEqual(takes, [0, 0, 1, 0])
    }))

  it.effect("is unavailable without a cloning engine unless pitch and rate matching is allowed", () =>
    Effect.gen(function*() {
      const tryWith = (cloning: "none" | "pitch-rate-match" | "zero-shot", allowPitchRateMatch: boolean) =>
        Effect.exit(secondsFor({})).pipe(
          Effect.provide(speechOf({ cloning, ...speaksFor(1) }, { allowPitchRateMatch })),
          Effect.map(tagOf)
        )
      assert.deepStrictEqual(
        yield* Effect.all([
          tryWith("none", true),
          tryWith("pitch-rate-match", false),
          tryWith("pitch-rate-match", true),
          tryWith("zero-shot", false)
        ]),
        ["ModelUnavailable", "ModelUnavailable", "none", "none"]
      )
    }))

  it.effect("rejects an unsupported language and a codec that is not installed", () =>
    Effect.gen(function*() {
      const refused = [
        yield* Effect.exit(secondsFor({ language: "hi-IN" })),
        yield* Effect.exit(secondsFor({ format: { codec: "mp3", rate: nativeRate } }))
      ]
      assert.deepStrictEqual(refused.map(tagOf), ["BadRequest", "BadRequest"])
    }).pipe(Effect.provide(speechOf({ languages: ["en-IN"], ...speaksFor(1) }))))
})
