import { assert, describe, it } from "@effect/vitest"
import { toLinear16 } from "@trunkline/audio"
import type { Step } from "@trunkline/http-client/testing"
import { macroTask } from "@trunkline/kernel"
import { type SpeechFailure, Synthesizer } from "@trunkline/speech"
import { SpeechDialects, SynthesizerOpenAi } from "@trunkline/speech-openai"
import { Deferred, Effect, Fiber, Logger, LogLevel, Redacted, Stream } from "effect"
import { answering, reference, samplesOf, synthesizerBefore, tone, until, utterance, wavOf } from "./Speaking.js"

const audio = tone(0.5)
const pcm = toLinear16(audio.samples)
const head: Step = { status: 200, headers: { "content-type": "audio/pcm" } }

/** Number of samples before a stream failed, and the failure. */
const heardUntil = (stream: Stream.Stream<Float32Array, SpeechFailure>) =>
  Effect.gen(function*() {
    let length = 0
    const failure = yield* Effect.flip(
      Stream.runForEach(stream, (samples) => Effect.sync(() => length += samples.length))
    )
    return { failure, length }
  })

describe("a truncated response", () => {
  it.scoped("fails after the received audio, without a retry", () =>
    Effect.gen(function*() {
      const endings: ReadonlyArray<ReadonlyArray<Step>> = [
        [head, { write: pcm.subarray(0, 1_001) }, "cut"],
        [{ status: 200, headers: { "content-length": String(pcm.length) } }, { write: pcm.subarray(0, 1_001) }, "cut"]
      ]
      for (const ending of endings) {
        const { server, speak } = yield* synthesizerBefore(ending)
        const { failure, length } = yield* heardUntil(speak(utterance()))
        assert.deepStrictEqual([failure._tag, failure.message, length], [
          "ModelFailed",
          "The speech server's answer broke off. Try again.",
          500
        ])
        assert.lengthOf(server.requests, 1)
      }
    }))

  it.scoped("fails when the server stalls", () =>
    Effect.gen(function*() {
      const { server, speak } = yield* synthesizerBefore([head, { write: pcm.subarray(0, 1_000) }, "hang"], {
        timeouts: { betweenBytes: 40 }
      })
      const { failure, length } = yield* heardUntil(speak(utterance()))
      assert.deepStrictEqual([failure._tag, length], ["ModelTimedOut", 500])
      yield* Effect.promise(async () => server.requests[0]?.closed)
    }))

  it.scoped("fails before any audio if the server does not respond", () =>
    Effect.gen(function*() {
      const { speak } = yield* synthesizerBefore([head, "hang"], { timeouts: { firstByte: 40 } })
      assert.deepInclude(yield* heardUntil(speak(utterance())), { length: 0 })
    }))
})

describe("a failure", () => {
  it.scopedLive("is retried once if it may be temporary", () =>
    Effect.gen(function*() {
      const { server, speak } = yield* synthesizerBefore((_): ReadonlyArray<Step> =>
        server.requests.length === 1 ? [{ status: 503 }, "end"] : answering("audio/pcm", pcm)
      )
      assert.deepStrictEqual(yield* samplesOf(speak(utterance())), audio.samples)
      assert.lengthOf(server.requests, 2)
    }))

  it.scoped("reveals no key, text, clip or message of the server, also in the log", () =>
    Effect.gen(function*() {
      const secrets = ["sk-secret-0123456789", "my mother's maiden name", "the transcript of the clip", "svc-private"]
      const [key = "", text = "", transcript = "", voice_id = ""] = secrets
      const clip = Buffer.from(wavOf(tone(1))).toString("base64").slice(0, 200)
      const lines: Array<string> = []
      const logger = Logger.make((entry) =>
        void lines.push(JSON.stringify([entry.message, entry.cause, entry.annotations]))
      )
      const request = utterance({ text, reference: { ...reference, text: transcript, voice_id } })
      const words = `${secrets.join()} ${clip}`
      const answers: ReadonlyArray<ReadonlyArray<Step>> = [
        ...[400, 401, 402, 404, 422, 429, 500].map((
          status
        ): ReadonlyArray<Step> => [{ status }, { write: words }, "end"]),
        answering("application/json", JSON.stringify({ error: words })),
        answering("audio/pcm", words),
        [head, { write: pcm }, "cut"]
      ]
      for (const answer of answers) {
        const { speak } = yield* synthesizerBefore(answer, { apiKey: Redacted.make(key), dialect: SpeechDialects.f5() })
        const failure = yield* Effect.flip(samplesOf(speak(request))).pipe(
          Logger.withMinimumLogLevel(LogLevel.All),
          Effect.provide(Logger.replace(Logger.defaultLogger, logger))
        )
        lines.push(JSON.stringify(failure), String(failure.stack))
      }
      assert.isAbove(lines.length, answers.length)
      for (const secret of [...secrets, clip]) assert.notInclude(lines.join("\n"), secret)
    }))
})

describe("an interrupted speech", () => {
  it.scoped("disconnects from the server at once", () =>
    Effect.gen(function*() {
      const { server, speak } = yield* synthesizerBefore([head, { write: pcm }, "hang"])
      yield* Stream.runDrain(Stream.take(speak(utterance()), 1))
      yield* Effect.promise(async () => server.requests[0]?.closed)
      yield* Effect.raceFirst(samplesOf(speak(utterance())), until(() => server.requests.length === 2))
      yield* Effect.promise(async () => server.requests[1]?.closed)
    }))

  it.scoped("frees its slot", () =>
    Effect.gen(function*() {
      const { server, speak } = yield* synthesizerBefore([head, "hang"], { concurrency: 1 })
      yield* Effect.raceFirst(samplesOf(speak(utterance())), until(() => server.requests.length === 1))
      server.answer(answering("audio/pcm", pcm))
      assert.deepStrictEqual(yield* samplesOf(speak(utterance())), audio.samples)
    }))
})

describe("concurrent speeches", () => {
  it.scoped("are limited, and the others wait in a queue", () =>
    Effect.gen(function*() {
      const { server, speak } = yield* synthesizerBefore(answering("audio/pcm", pcm.subarray(0, 7), pcm.subarray(7)))
      const recordings = yield* Effect.all(Array.from({ length: 30 }, () => samplesOf(speak(utterance()))), {
        concurrency: "unbounded"
      })
      for (const samples of recordings) assert.deepStrictEqual(samples, audio.samples)
      assert.lengthOf(server.requests, 30)
      assert.isAtMost(server.busiest(), 8)
    }))

  it.scoped("are rejected when the queue is full", () =>
    Effect.gen(function*() {
      const { speak } = yield* synthesizerBefore(["hang"], { concurrency: 1, waiting: 0 })
      const first = samplesOf(speak(utterance()))
      const failure = yield* Effect.raceFirst(
        first,
        Effect.zipRight(Effect.yieldNow(), Effect.flip(samplesOf(speak(utterance()))))
      )
      assert.strictEqual("_tag" in failure && failure._tag, "ModelUnavailable")
    }))

  it.scoped("do not wait for a stalled reader once its audio has arrived", () =>
    Effect.gen(function*() {
      const quarter = { write: toLinear16(tone(5).samples) }
      const { server, speak } = yield* synthesizerBefore([head, quarter, quarter, quarter, quarter, "end"], {
        concurrency: 1
      })
      const go = yield* Deferred.make<void>()
      const stalled = yield* Effect.fork(samplesOf(Stream.tap(speak(utterance()), () => Deferred.await(go))))
      yield* until(() => server.requests.length === 1)
      assert.lengthOf(yield* samplesOf(speak(utterance())), 20 * 24_000)
      yield* Deferred.succeed(go, undefined)
      assert.lengthOf(yield* Fiber.join(stalled), 20 * 24_000)
    }))

  it.scoped("do not wait for a stalled reader once its response was truncated", () =>
    Effect.gen(function*() {
      const { server, speak } = yield* synthesizerBefore([head, { write: pcm }, "cut"], { concurrency: 1 })
      yield* Effect.fork(samplesOf(Stream.tap(speak(utterance()), () => Effect.never)))
      yield* until(() => server.requests.length === 1)
      server.answer(answering("audio/pcm", pcm))
      assert.deepStrictEqual(yield* samplesOf(speak(utterance())), audio.samples)
    }))

  it.scoped("wait for a stalled reader of more than 30 seconds of audio", () =>
    Effect.gen(function*() {
      const minute = { write: toLinear16(tone(60).samples) }
      const { server, speak } = yield* synthesizerBefore([head, ...Array.from({ length: 9 }, () => minute), "end"], {
        concurrency: 1,
        waiting: 0
      })
      yield* Effect.fork(samplesOf(Stream.tap(speak(utterance()), () => Effect.never)))
      let previousCount = -1
      for (let still = 0; still < 200;) {
        yield* macroTask
        const now = server.requests[0]?.sent() ?? 0
        still = now === previousCount && now > 0 ? still + 1 : 0
        previousCount = now
      }
      assert.strictEqual((yield* Effect.flip(samplesOf(speak(utterance()))))._tag, "ModelUnavailable")
    }))

  it.scoped("apply backpressure to the server", () =>
    Effect.gen(function*() {
      const piece = { write: new Uint8Array(64 * 1024).fill(1) }
      const { server, speak } = yield* synthesizerBefore([head, ...Array.from({ length: 400 }, () => piece), "end"])
      let isFirst = true
      yield* Stream.runForEach(Stream.take(speak(utterance()), 2), () =>
        Effect.gen(function*() {
          if (!isFirst) return
          isFirst = false
          let previousCount = -1
          for (let still = 0; still < 200;) {
            yield* macroTask
            const now = server.requests[0]?.sent() ?? 0
            still = now === previousCount ? still + 1 : 0
            previousCount = now
          }
          assert.isBelow(previousCount, 200 * 64 * 1024)
        }))
    }))
})

describe("the layer", () => {
  it.effect("provides a synthesizer", () =>
    Effect.map(Synthesizer, ({ ability }) => assert.strictEqual(ability.engine, "chatterbox")).pipe(
      Effect.provide(SynthesizerOpenAi.layer({
        baseUrl: "http://127.0.0.1:4123/v1",
        dialect: SpeechDialects.chatterbox()
      }))
    ))
})
