import { assert, layer } from "@effect/vitest"
import { type Audio, concatSamples } from "@trunkline/audio"
import { comparableText, type LanguageCode } from "@trunkline/spoken-text"
import { Chunk, Effect, Exit, Fiber, type Layer, Scope, Stream } from "effect"
import { Listener, type Listening } from "../Listener.js"
import { characterErrorRate } from "../quality/CharacterErrorRate.js"
import { maxErrorRate } from "../quality/QualityCheck.js"
import type { SpeechFailure } from "../Synthesizer.js"

/** Options of `listenerLaws`. */
export interface ListenerLawOptions {
  /** Speaks an English text at a sample rate, in a way that the listener understands. */
  readonly say: (text: string, rate: number) => Effect.Effect<Audio, SpeechFailure>
  /** Number of recognitions in progress, for listeners that can report it. An open listening alone is none. */
  readonly inProgress?: Effect.Effect<number>
}

const first = "Your new bill is ready now."
const second = "The weather is very good today."

const rate = 8_000

const openListener = (language: LanguageCode | null = "en-IN", at = rate) =>
  Effect.flatMap(Listener, ({ open }) => open({ rate: at, language }))

/** Asserts that words are close enough to a text. */
const assertWords = (words: string, text: string) =>
  Effect.map(
    characterErrorRate(comparableText(text, "en-IN"), comparableText(words, "en-IN")),
    (rate) => assert.isAtMost(rate, maxErrorRate, words)
  )

const assertHeard = ({ flush }: Listening, text: string) => Effect.flatMap(flush, (words) => assertWords(words, text))

const silence = (seconds: number): Float32Array => new Float32Array(Math.round(seconds * rate))

/** Adds sound in frames of 20 ms through one array, as the sound of a call arrives. */
const pushFrames = ({ push }: Listening, samples: Float32Array, frames: ReadonlyArray<number> = [160]): void => {
  const buffer = new Float32Array(Math.max(...frames))
  for (let at = 0, index = 0; at < samples.length; index++) {
    const frame = samples.subarray(at, at + (frames[index % frames.length] ?? 1))
    buffer.set(frame)
    push(buffer.subarray(0, frame.length))
    buffer.fill(0)
    at += frame.length
  }
}

/** Contract tests of a `Listener` with an engine. */
export const listenerLaws = <E>(
  name: string,
  live: Layer.Layer<Listener, E>,
  { inProgress, say }: ListenerLawOptions
) =>
  layer(live)(`Listener laws: ${name}`, (it) => {
    const idle = inProgress === undefined
      ? Effect.void
      : Effect.map(inProgress, (count) => assert.strictEqual(count, 0))

    /** Samples of a text between silences. */
    const turn = (text: string, at = rate) =>
      Effect.map(say(text, at), ({ samples }) => concatSamples([silence(0.2), samples, silence(0.5)]))

    it.scoped("returns the words of a turn", () =>
      Effect.gen(function*() {
        const listening = yield* openListener()
        pushFrames(listening, yield* turn(first))
        yield* assertHeard(listening, first)
      }))

    it.scoped("keeps two turns apart, and hears each once", () =>
      Effect.gen(function*() {
        const listening = yield* openListener()
        for (const text of [first, second]) {
          pushFrames(listening, yield* turn(text))
          yield* assertHeard(listening, text)
          assert.strictEqual(yield* listening.flush, "")
        }
      }))

    it.scoped("returns an empty text for silence, and for no sound at all", () =>
      Effect.gen(function*() {
        const listening = yield* openListener()
        assert.strictEqual(yield* listening.flush, "")
        pushFrames(listening, silence(1))
        assert.strictEqual(yield* listening.flush, "")
        pushFrames(listening, yield* turn(first))
        yield* assertHeard(listening, first)
      }))

    it.scoped("takes sound of any length, and nothing at all", () =>
      Effect.gen(function*() {
        const listening = yield* openListener()
        const samples = yield* turn(first)
        pushFrames(listening, samples, [1, 333, 0, 160, 7, 4_001, 0])
        yield* assertHeard(listening, first)
        listening.push(samples)
        yield* assertHeard(listening, first)
      }))

    it.scoped("listens at other rates", () =>
      Effect.forEach([16_000, 24_000], (at) =>
        Effect.gen(function*() {
          const listening = yield* openListener("en-IN", at)
          pushFrames(listening, yield* turn(second, at))
          yield* assertHeard(listening, second)
        })))

    it.scoped("listens when the language is unknown", () =>
      Effect.gen(function*() {
        const listening = yield* openListener(null)
        pushFrames(listening, yield* turn(second))
        yield* assertHeard(listening, second)
      }))

    it.scoped("counts sound that is added during a flush to the next turn", () =>
      Effect.gen(function*() {
        const listening = yield* openListener()
        const [one, other] = [yield* turn(first), yield* turn(second)]
        pushFrames(listening, one)
        const flush = yield* Effect.fork(listening.flush)
        yield* Effect.yieldNow()
        pushFrames(listening, other)
        yield* assertWords(yield* Fiber.join(flush), first)
        yield* assertHeard(listening, second)
      }))

    it.scoped("hears callers at the same time, each alone", () =>
      Effect.gen(function*() {
        const [one, other] = [yield* openListener(), yield* openListener()]
        pushFrames(one, yield* turn(first))
        pushFrames(other, yield* turn(second))
        const [words = "", others = ""] = yield* Effect.all([one.flush, other.flush], { concurrency: "unbounded" })
        yield* assertWords(words, first)
        yield* assertWords(others, second)
      }))

    it.scoped("forgets the words of an interrupted flush, and hears the next turn", () =>
      Effect.gen(function*() {
        const listening = yield* openListener()
        pushFrames(listening, yield* turn(first))
        const flush = yield* Effect.fork(Effect.zipRight(listening.flush, Effect.never))
        yield* Effect.yieldNow()
        assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(flush)))
        yield* idle
        pushFrames(listening, yield* turn(second))
        yield* assertHeard(listening, second)
      }))

    it.effect("leaves nothing when its scope closes during a flush", () =>
      Effect.gen(function*() {
        const scope = yield* Scope.make()
        const listening = yield* Scope.extend(openListener(), scope)
        pushFrames(listening, yield* turn(first))
        const flush = yield* Effect.fork(Effect.zipRight(listening.flush, Effect.never))
        yield* Effect.yieldNow()
        yield* Scope.close(scope, Exit.void)
        yield* idle
        assert.isTrue(Exit.isInterrupted(yield* Fiber.await(flush)))
        pushFrames(listening, yield* turn(second))
      }))

    it.effect("ends its partial words with its scope", () =>
      Effect.gen(function*() {
        const scope = yield* Scope.make()
        const listening = yield* Scope.extend(openListener(), scope)
        const partials = yield* Effect.fork(Stream.runCollect(listening.partials))
        pushFrames(listening, yield* turn(first))
        yield* assertHeard(listening, first)
        yield* Scope.close(scope, Exit.void)
        assert.isTrue(Chunk.every(yield* Fiber.join(partials), (words) => words !== ""))
      }))
  })
