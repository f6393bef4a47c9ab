import { assert, describe, it } from "@effect/vitest"
import { Synthesizer } from "@trunkline/speech"
import { Chunk, Effect, Fiber, Layer, Stream } from "effect"
import { readdirSync, rmSync, writeFileSync } from "node:fs"
import { SpeechEspeak, type SpeechEspeakOptions } from "../src/index.js"
import { fakeEspeak, until } from "./FakeEspeak.js"
import { saying, spoken } from "./Speaking.js"

const text = "नमस्ते दुनिया"

/** Runs work with a fake espeak of some way. */
const withFake = <A, E>(
  way: string,
  use: (fake: Effect.Effect.Success<ReturnType<typeof fakeEspeak>>) => Effect.Effect<A, E, Synthesizer>,
  options: SpeechEspeakOptions = {}
) =>
  Effect.scoped(Effect.gen(function*() {
    const fake = yield* fakeEspeak(way)
    const synthesizer = yield* Layer.build(SpeechEspeak.layer({ binary: fake.binary, ...options }))
    return yield* Effect.provide(use(fake), synthesizer)
  }))

/** Number of samples before a failure, and the failure. */
const untilFailure = Effect.gen(function*() {
  const { speak } = yield* Synthesizer
  let samples = 0
  const failure = yield* Effect.flip(
    Stream.runForEach(speak(saying(text)), ({ length }) => Effect.sync(() => samples += length))
  )
  return { samples, failure }
})

const isGone = (pid: string | undefined): boolean => {
  try {
    process.kill(Number(pid), 0)
    return false
  } catch {
    return true
  }
}

const openFiles = (): number => process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0

describe("a process of espeak", () => {
  it.live("gets the text through a pipe, its parameters as arguments, and no secrets", () =>
    withFake("speaks", ({ noted }) =>
      Effect.gen(function*() {
        process.env["TRUNKLINE_TEST_SECRET"] = "secret"
        const hostile = "-v de --stdout $(id) `id` ;ls"
        const { samples } = yield* spoken(saying(hostile))
        delete process.env["TRUNKLINE_TEST_SECRET"]
        assert.strictEqual(samples.length, 2_205)
        assert.deepStrictEqual(noted("text"), [hostile])
        const [args = ""] = noted("arguments")
        assert.match(args, /^\["-v","hi","-p","\d+","-s","\d+","-b","1","-z","--stdin","--stdout"\]$/)
        assert.notInclude(noted("environment").join(), "SECRET")
      })))

  it.live("fails after the audio so far when it crashes", () =>
    Effect.gen(function*() {
      for (const [way, end] of [["dies", "code 3"], ["crashes", "SIGSEGV"]] as const) {
        const { failure, samples } = yield* withFake(way, () => untilFailure)
        assert.strictEqual(samples, 5_000)
        assert.strictEqual(failure._tag, "ModelFailed")
        assert.include(failure.message, end)
      }
    }))

  it.live("may exit without reading all of the text", () =>
    withFake("dies", () =>
      Effect.gen(function*() {
        const failure = yield* Effect.flip(spoken(saying(text.repeat(20_000))))
        assert.strictEqual(failure._tag, "ModelFailed")
      })))

  it.live("fails without audible samples, or with audio of another format", () =>
    Effect.gen(function*() {
      const outcomes = yield* Effect.forEach(["silent", "empty", "other"], (way) => withFake(way, () => untilFailure))
      assert.deepStrictEqual(outcomes.map(({ failure }) => failure._tag), ["ModelFailed", "ModelFailed", "ModelFailed"])
      assert.deepStrictEqual(outcomes.map(({ samples }) => samples), [22_050, 0, 0])
    }))

  it.live("fails at the time limit without audio", () =>
    withFake("mute", ({ noted }) =>
      Effect.gen(function*() {
        const { failure } = yield* untilFailure
        assert.strictEqual(failure._tag, "ModelTimedOut")
        assert.isTrue(isGone(noted("pid")[0]))
      }), { audioTimeout: "500 millis" }))

  it.live("may write any amount of errors", () =>
    withFake(
      "noisy",
      () => Effect.map(spoken(saying(text)), ({ samples }) => assert.strictEqual(samples.length, 2_205))
    ))

  for (const way of ["mute", "huge"]) {
    it.live(`is killed when the reader is interrupted, without leaks: one that is ${way}`, () =>
      withFake(way, ({ noted }) =>
        Effect.gen(function*() {
          const { speak } = yield* Synthesizer
          const before = openFiles()
          const listening = Stream.runForEach(speak(saying(text)), () => Effect.never)
          const fibers = yield* Effect.replicateEffect(Effect.fork(listening), 3)
          yield* until(() => noted("pid").length === 3)
          assert.isFalse(noted("pid").some(isGone))
          yield* Fiber.interruptAll(fibers)
          assert.isTrue(noted("pid").every(isGone))
          yield* until(() => openFiles() <= before)
        }), { concurrency: 3 }))
  }

  it.live("gives all of the audio when that exceeds every buffer, and waits for a slow reader", () =>
    withFake("huge", ({ noted }) =>
      Effect.gen(function*() {
        const { speak } = yield* Synthesizer
        const ahead = 24 * 22_050
        let read = 0
        let most = 0
        yield* Stream.runForEach(speak(saying(text)), ({ length }) =>
          Effect.gen(function*() {
            if (read === 0) yield* until(() => Number(noted("written")[0] ?? 0) >= ahead)
            // Another process runs meanwhile: time enough to write everything, if there were no backpressure.
            if (read === 0) yield* Effect.asVoid(SpeechEspeak.describe())
            most = Math.max(most, Number(noted("written")[0]) - read)
            read += length
          }))
        assert.strictEqual(read, 20_000_000)
        assert.isBelow(most, 2 * ahead)
      })))

  it.live("waits until another one is done at the limit of processes", () =>
    withFake("holds", ({ noted, path }) =>
      Effect.gen(function*() {
        const fibers = yield* Effect.replicateEffect(Effect.fork(spoken(saying(text))), 5)
        yield* until(() => noted("log").length === 2)
        writeFileSync(path("go"), "")
        yield* Effect.forEach(fibers, Fiber.join)
        let running = 0
        let most = 0
        for (const line of noted("log")) {
          running += line === "start" ? 1 : -1
          most = Math.max(most, running)
        }
        assert.deepStrictEqual([noted("log").length, running, most], [10, 0, 2])
      }), { concurrency: 2 }))

  it.live("has no more waiting utterances than may wait", () =>
    withFake("mute", ({ noted }) =>
      Effect.gen(function*() {
        const fibers = yield* Effect.replicateEffect(Effect.fork(spoken(saying(text))), 2)
        yield* until(() => noted("pid").length === 1)
        const failure = yield* Effect.flip(Effect.asVoid(spoken(saying(text))))
        assert.deepInclude(failure, { _tag: "ModelUnavailable" })
        yield* Fiber.interruptAll(fibers)
      }), { concurrency: 1, waiting: 1 }))

  it.live("that has exited releases its slot, even if not all is read", () =>
    withFake("speaks", ({ noted }) =>
      Effect.gen(function*() {
        const { speak } = yield* Synthesizer
        const slow = yield* Effect.fork(Stream.runForEach(speak(saying(text)), () => Effect.never))
        yield* until(() => noted("log").length === 1)
        assert.strictEqual((yield* spoken(saying(text))).samples.length, 2_205)
        yield* Fiber.interrupt(slow)
      }), { concurrency: 1 }))

  it.live("that is no longer installed is unavailable, permanently", () =>
    withFake("speaks", ({ binary }) =>
      Effect.gen(function*() {
        yield* spoken(saying(text))
        rmSync(binary)
        const failure = yield* Effect.flip(Effect.asVoid(spoken(saying(text))))
        assert.deepInclude(failure, { _tag: "ModelUnavailable", lasting: true })
        assert.notInclude(failure.message, binary)
      })))

  it.live("is not started for a text without words, which is a short silence", () =>
    withFake("mute", ({ noted }) =>
      Effect.gen(function*() {
        for (const words of ["...", "👍🏽", "\u0000", "", "[[h@l'oU]]".replace(/\w/g, "")]) {
          const { samples } = yield* spoken(saying(words))
          assert.deepStrictEqual(samples, new Float32Array(4_410))
        }
        assert.deepStrictEqual(noted("log"), [])
      })))

  it.live("is followed by a pause at the end of a sentence", () =>
    withFake("speaks", () =>
      Effect.gen(function*() {
        const { speak } = yield* Synthesizer
        const pieces = Chunk.toReadonlyArray(yield* Stream.runCollect(speak(saying("नमस्ते।"))))
        const pause = pieces.at(-1) ?? Float32Array.of(1)
        assert.isAbove(pause.length, 0.1 * 22_050)
        assert.isTrue(pause.every((sample) => sample === 0))
      })))
})
