import { assert, describe, it } from "@effect/vitest"
import { InsufficientCredits, ModelFailed } from "@trunkline/errors"
import { macroTask } from "@trunkline/kernel"
import { Speech, type SynthesisInput } from "@trunkline/speech"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { generateAsked, savedVoice, speechOf, streamAsked, tone, watchedMeter } from "./Parts.js"
import { lasting, sizeOf, tagOf } from "./SpeechFixtures.js"

const failed = new ModelFailed({ message: "The engine broke" })

const long = "One sentence here, which is not short. Another sentence there, which is not short either. And a third."

describe("Speech", () => {
  it.scoped("speaks clause by clause, and charges the characters of the text", () =>
    Effect.gen(function*() {
      const texts: Array<string> = []
      const speak = ({ text }: SynthesisInput) => {
        texts.push(text)
        return Stream.make(tone(0.5))
      }
      yield* Effect.gen(function*() {
        const { voice_id } = yield* savedVoice()
        const { log, meter } = yield* watchedMeter
        yield* Effect.scoped(Effect.gen(function*() {
          const { stream } = yield* Speech
          const size = yield* sizeOf(yield* stream("acme", streamAsked(voice_id, { text: long }), meter))
          assert.closeTo(lasting(size), 0.5 * texts.length, 0.001)
        }))
        assert.isAbove(texts.length, 1)
        assert.deepStrictEqual(yield* log, [`reserve ${long.length}`, `settle ${long.length}`])
      }).pipe(Effect.provide(speechOf({ speak })))
    }))

  it.effect("fails and charges nothing when the engine fails at once", () =>
    Effect.gen(function*() {
      const { voice_id } = yield* savedVoice()
      const { log, meter } = yield* watchedMeter
      const { generate, stream } = yield* Speech
      assert.strictEqual(
        tagOf(yield* Effect.exit(Effect.scoped(stream("acme", streamAsked(voice_id), meter)))),
        "ModelFailed"
      )
      assert.strictEqual(tagOf(yield* Effect.exit(generate("acme", generateAsked(voice_id), meter))), "ModelFailed")
      assert.deepStrictEqual(yield* log, ["reserve 11", "release", "reserve 11", "release"])
    }).pipe(Effect.provide(speechOf({ speak: () => Stream.fail(failed) }))))

  it.effect("fails when the engine returns no audio", () =>
    Effect.gen(function*() {
      const { voice_id } = yield* savedVoice()
      const { meter } = yield* watchedMeter
      const { stream } = yield* Speech
      assert.strictEqual(
        tagOf(yield* Effect.exit(Effect.scoped(stream("acme", streamAsked(voice_id), meter)))),
        "ModelFailed"
      )
    }).pipe(Effect.provide(speechOf({ speak: () => Stream.empty }))))

  it.effect("fails the stream and charges nothing when the engine fails later", () =>
    Effect.gen(function*() {
      const { voice_id } = yield* savedVoice()
      const { log, meter } = yield* watchedMeter
      const { stream } = yield* Speech
      const broken = yield* Effect.exit(
        Effect.scoped(Effect.flatMap(stream("acme", streamAsked(voice_id), meter), sizeOf))
      )
      assert.strictEqual(tagOf(broken), "ModelFailed")
      assert.deepStrictEqual(yield* log, ["reserve 11", "release"])
    }).pipe(Effect.provide(speechOf({ speak: () => Stream.concat(Stream.make(tone(1)), Stream.fail(failed)) }))))

  it.effect("stops when the reader stops, and charges the clauses that were started", () =>
    Effect.gen(function*() {
      const stopped = yield* Deferred.make<void>()
      const speak = () => Stream.ensuring(Stream.repeatValue(tone(0.1)), Deferred.succeed(stopped, undefined))
      yield* Effect.gen(function*() {
        const { voice_id } = yield* savedVoice()
        const { log, meter } = yield* watchedMeter
        const { stream } = yield* Speech
        yield* Effect.scoped(
          Effect.flatMap(
            stream("acme", streamAsked(voice_id, { text: long }), meter),
            (audio) => Stream.runDrain(Stream.take(audio, 3))
          )
        )
        yield* Deferred.await(stopped)
        const [, settled = ""] = yield* log
        const characters = Number(/^settle (\d+)$/.exec(settled)?.[1])
        assert.isAbove(characters, 0)
        assert.isBelow(characters, long.length)
      }).pipe(Effect.provide(speechOf({ speak })))
    }))

  it.scopedLive("does not run ahead of a hundred stalled readers", () =>
    Effect.gen(function*() {
      let pieces = 0
      const speak = () =>
        Stream.repeatEffect(Effect.sync(() => {
          pieces += 1
          return tone(0.1)
        }))
      yield* Effect.gen(function*() {
        const { voice_id } = yield* savedVoice()
        const { meter } = yield* watchedMeter
        const { stream } = yield* Speech
        const open = stream("acme", streamAsked(voice_id), meter)
        yield* Effect.all(Array.from({ length: 100 }, () => open), { concurrency: "unbounded" })
        let before = -1
        for (let alike = 0; alike < 20; alike = pieces === before ? alike + 1 : 0) {
          before = pieces
          yield* macroTask
        }
        assert.isAtLeast(pieces, 100)
        assert.isAtMost(pieces, 1_000)
      }).pipe(Effect.provide(speechOf({ speak })))
    }))

  it.effect("releases the reservation of an interrupted speech", () =>
    Effect.gen(function*() {
      const startSignal = yield* Deferred.make<void>()
      const speak = () =>
        Stream.drain(Stream.fromEffect(Effect.zipRight(Deferred.succeed(startSignal, undefined), Effect.never)))
      yield* Effect.gen(function*() {
        const { voice_id } = yield* savedVoice()
        const { log, meter } = yield* watchedMeter
        const speaking = yield* Effect.fork((yield* Speech).generate("acme", generateAsked(voice_id), meter))
        yield* Deferred.await(startSignal)
        yield* Fiber.interrupt(speaking)
        assert.deepStrictEqual(yield* log, ["reserve 11", "release"])
      }).pipe(Effect.provide(speechOf({ speak })))
    }))

  it.effect("does no work when the reservation fails", () =>
    Effect.gen(function*() {
      let spoke = false
      const speak = () => {
        spoke = true
        return Stream.make(tone(1))
      }
      yield* Effect.gen(function*() {
        const { voice_id } = yield* savedVoice()
        const { meter } = yield* watchedMeter
        const broke = { ...meter, reserve: () => new InsufficientCredits({ message: "none" }) }
        const { generate, stream } = yield* Speech
        const exits = [
          yield* Effect.exit(generate("acme", generateAsked(voice_id), broke)),
          yield* Effect.exit(Effect.scoped(stream("acme", streamAsked(voice_id), broke)))
        ]
        assert.deepStrictEqual(exits.map(tagOf), ["InsufficientCredits", "InsufficientCredits"])
        assert.isFalse(spoke)
      }).pipe(Effect.provide(speechOf({ speak })))
    }))
})
