import { assert, describe, it } from "@effect/vitest"
import { type Audio, durationOf, readWav } from "@trunkline/audio"
import { formOf, type Seen, type Step } from "@trunkline/http-client/testing"
import { macroTask } from "@trunkline/kernel"
import { Transcriber } from "@trunkline/speech"
import { TranscriberOpenAi } from "@trunkline/speech-openai"
import { LanguageCode } from "@trunkline/spoken-text"
import { Effect, Either, Fiber, Logger, LogLevel, Redacted } from "effect"
import { answering, saying, transcriberBefore } from "./Listening.js"

const tone = (seconds: number, rate: number): Audio => ({
  rate,
  samples: Float32Array.from({ length: seconds * rate }, (_, at) => 0.5 * Math.sin(2 * Math.PI * 440 * at / rate))
})

const hum = tone(0.5, 16_000)
const hindi = { language: "hi-IN" } as const

/** The fields of a form, without its file. */
const fieldsOf = (request: Seen) =>
  Effect.map(
    Effect.promise(() => formOf(request)),
    (form) => Object.fromEntries(Array.from(form).filter(([name]) => name !== "file"))
  )

const fileOf = (request: Seen | undefined) =>
  Effect.promise(async () => {
    const file = request === undefined ? null : (await formOf(request)).get("file")
    return file instanceof File
      ? { name: file.name, type: file.type, bytes: new Uint8Array(await file.arrayBuffer()) }
      : assert.fail("there is no file")
  })

describe("a transcriber", () => {
  it.scoped("uploads audio with its language, and returns the transcript", () =>
    Effect.gen(function*() {
      const { available, server, transcribe } = yield* transcriberBefore(saying("नमस्ते, आप कैसे हैं?"), {
        apiKey: Redacted.make("sk-1"),
        prompt: "Asha, Ravi"
      })
      assert.isTrue(available)
      assert.strictEqual(yield* transcribe(hum, hindi), "नमस्ते, आप कैसे हैं?")
      const [request] = server.requests
      assert.deepStrictEqual(
        [request?.method, request?.path, request?.headers.authorization],
        ["POST", "/v1/audio/transcriptions", "Bearer sk-1"]
      )
      assert.deepStrictEqual(request && (yield* fieldsOf(request)), {
        model: "whisper-1",
        response_format: "json",
        temperature: "0",
        language: "hi",
        prompt: "Asha, Ravi"
      })
    }))

  it.scoped("uploads a WAV file of 16 kHz, 16 bit, mono, at any input rate", () =>
    Effect.gen(function*() {
      for (const rate of [8_000, 16_000, 24_000, 44_100]) {
        const { server, transcribe } = yield* transcriberBefore(saying("hm"))
        yield* transcribe(tone(1.25, rate), hindi)
        const { bytes, name, type } = yield* fileOf(server.requests[0])
        assert.deepStrictEqual([name, type], ["speech.wav", "audio/wav"])
        const view = new DataView(bytes.buffer)
        assert.deepStrictEqual([20, 22, 34].map((at) => view.getUint16(at, true)), [1, 1, 16])
        assert.strictEqual(view.getUint32(40, true), bytes.length - 44, "its length is true")
        const audio = Either.getOrThrow(readWav(bytes, { seconds: 60 }))
        assert.strictEqual(audio.rate, 16_000)
        assert.closeTo(durationOf(audio), 1.25, 0.001)
        const expected = tone(1.25, 16_000).samples
        const error = audio.samples.subarray(1_000, 19_000).reduce(
          (most, sample, at) => Math.max(most, Math.abs(sample - (expected[at + 1_000] ?? 0))),
          0
        )
        assert.isBelow(error, 0.01, `from ${rate}`)
      }
    }))

  it.scoped("yields to the event loop while it encodes long audio", () =>
    Effect.gen(function*() {
      const { transcribe } = yield* transcriberBefore(saying("hm"))
      let turns = 0
      const others = yield* Effect.fork(Effect.forever(Effect.zipRight(macroTask, Effect.sync(() => turns++))))
      yield* transcribe(tone(120, 24_000), hindi)
      yield* Fiber.interrupt(others)
      assert.isAbove(turns, 80)
    }))

  it.scoped("names each language by its ISO 639-1 code", () =>
    Effect.gen(function*() {
      const { server, transcribe } = yield* transcriberBefore(saying("hm"))
      for (const language of LanguageCode.literals) yield* transcribe(hum, { language })
      const fields = yield* Effect.forEach(server.requests, fieldsOf)
      assert.deepStrictEqual(
        fields.map(({ language }) => language),
        ["as", "bn", "en", "gu", "hi", "kn", "ml", "mr", "or", "pa", "ta", "te"]
      )
    }))

  it.scoped("leaves out a language that is unknown or unsupported", () =>
    Effect.gen(function*() {
      const { server, transcribe } = yield* transcriberBefore(saying("hm"), { languageNames: { "od-IN": null } })
      yield* transcribe(hum, { language: null })
      yield* transcribe(hum, { language: "od-IN" })
      for (const fields of yield* Effect.forEach(server.requests, fieldsOf)) assert.notProperty(fields, "language")
    }))

  it.scoped("works with whisper.cpp's own server", () =>
    Effect.gen(function*() {
      const { server, transcribe } = yield* transcriberBefore(saying(" Good morning.\n And good night.\n"), {
        path: "/inference",
        unknownLanguage: "auto"
      })
      assert.strictEqual(yield* transcribe(hum, { language: null }), "Good morning. And good night.")
      const [request] = server.requests
      assert.strictEqual(request?.path, "/v1/inference")
      assert.deepInclude(request && (yield* fieldsOf(request)), { language: "auto" })
    }))

  it.scoped("accepts every response format", () =>
    Effect.gen(function*() {
      const verbose = JSON.stringify({
        task: "transcribe",
        duration: 0.5,
        text: "Good morning.",
        segments: [{ id: 0 }]
      })
      const answers = [
        ["verbose_json", "application/json", verbose],
        ["json", "text/plain", verbose],
        ["text", "text/plain; charset=utf-8", "Good morning.\n"],
        ["text", "application/json", verbose]
      ] as const
      for (const [responseFormat, type, body] of answers) {
        const { transcribe } = yield* transcriberBefore(answering(type, body), { responseFormat })
        assert.strictEqual(yield* transcribe(hum, hindi), "Good morning.", responseFormat)
      }
    }))

  it.scoped("returns an empty text for silence", () =>
    Effect.gen(function*() {
      const { server, transcribe } = yield* transcriberBefore(saying(" \n"))
      assert.strictEqual(yield* transcribe(hum, hindi), "")
      assert.strictEqual(yield* transcribe({ rate: 16_000, samples: new Float32Array(0) }, hindi), "")
      assert.lengthOf(server.requests, 1, "empty audio is not uploaded")
    }))

  it.effect("is provided by a layer", () =>
    Effect.map(Transcriber, ({ available }) => assert.isTrue(available)).pipe(
      Effect.provide(TranscriberOpenAi.layer({ baseUrl: "http://127.0.0.1:8080" }))
    ))
})

describe("a response that is not a transcript is a failure", () => {
  const answers: Readonly<
    Record<
      string,
      readonly [
        type: string,
        body: string | Uint8Array,
        format?: TranscriberOpenAi.TranscriberOptions["responseFormat"]
      ]
    >
  > = {
    "nothing": ["application/json", ""],
    "no JSON": ["application/json", "Good morning."],
    "JSON without words": ["application/json", "{\"error\":\"my mother's maiden name\"}"],
    "words that are no text": ["application/json", "{\"text\":1}"],
    "a list": ["application/json", "[\"Good morning.\"]"],
    "a page": ["text/html", "<html>"],
    "a page for text": ["text/html", "<html>", "text"],
    "bytes that are no text": ["text/plain", Uint8Array.of(0xC3, 0x28), "text"]
  }
  for (const [name, [type, body, responseFormat = "json"]] of Object.entries(answers)) {
    it.scoped(name, () =>
      Effect.gen(function*() {
        const { transcribe } = yield* transcriberBefore(answering(type, body), { responseFormat })
        const failure = yield* Effect.flip(transcribe(hum, hindi))
        assert.deepStrictEqual([failure._tag, failure.message], [
          "ModelFailed",
          "The transcription server gave an answer that makes no sense. Try again."
        ])
      }))
  }

  it.scoped("more than a megabyte", () =>
    Effect.gen(function*() {
      const { server, transcribe } = yield* transcriberBefore([
        ...Array.from({ length: 40 }, () => ({ write: " ".repeat(64 * 1024) })),
        "hang"
      ])
      const failure = yield* Effect.flip(transcribe(hum, hindi))
      assert.strictEqual(failure.message, "The transcription server's answer is too large")
      yield* Effect.promise(async () => server.requests[0]?.closed)
    }))
})

describe("a transcription that fails", () => {
  it.scopedLive("is retried once after a broken connection", () =>
    Effect.gen(function*() {
      const { server, transcribe } = yield* transcriberBefore((_): ReadonlyArray<Step> =>
        server.requests.length === 1 ? ["cut"] : saying("hm")
      )
      assert.strictEqual(yield* transcribe(hum, hindi), "hm")
      assert.lengthOf(server.requests, 2)
    }))

  it.scoped("is not retried after the first byte", () =>
    Effect.gen(function*() {
      const { server, transcribe } = yield* transcriberBefore([{ write: "{\"text\":" }, "cut"])
      assert.strictEqual(
        (yield* Effect.flip(transcribe(hum, hindi))).message,
        "The transcription server's answer broke off. Try again."
      )
      assert.lengthOf(server.requests, 1)
    }))

  it.scoped("times out before or within the response", () =>
    Effect.gen(function*() {
      for (const steps of [["hang"], [{ write: "{" }, "hang"]] satisfies ReadonlyArray<ReadonlyArray<Step>>) {
        const { server, transcribe } = yield* transcriberBefore(steps, { total: 60 })
        const failure = yield* Effect.flip(transcribe(hum, hindi))
        assert.strictEqual(failure._tag, "ModelTimedOut")
        assert.match(failure.message, /within 60ms$/)
        yield* Effect.promise(async () => server.requests[0]?.closed)
      }
    }))

  it.scoped("closes the connection on interruption", () =>
    Effect.gen(function*() {
      const { server, transcribe } = yield* transcriberBefore(["hang"])
      const waiting = yield* Effect.fork(transcribe(hum, hindi))
      yield* Effect.repeat(macroTask, { until: () => server.requests.length === 1 })
      yield* Fiber.interrupt(waiting)
      yield* Effect.promise(async () => server.requests[0]?.closed)
    }))

  it.scoped("repeats neither the key nor server messages in errors and logs", () =>
    Effect.gen(function*() {
      const key = "sk-secret-0123456789"
      const words = "my mother's maiden name"
      const lines: Array<string> = []
      const logger = Logger.make((entry) =>
        void lines.push(JSON.stringify([entry.message, entry.cause, entry.annotations]))
      )
      const tags: Array<string> = []
      for (const status of [400, 401, 402, 404, 422, 429, 500]) {
        const { transcribe } = yield* transcriberBefore([{ status }, { write: `${words} ${key}` }, "end"], {
          apiKey: Redacted.make(key),
          prompt: words
        })
        const failure = yield* Effect.flip(transcribe(hum, hindi)).pipe(
          Logger.withMinimumLogLevel(LogLevel.All),
          Effect.provide(Logger.replace(Logger.defaultLogger, logger))
        )
        tags.push(failure._tag)
        lines.push(JSON.stringify(failure), String(failure.stack))
      }
      assert.deepStrictEqual(tags, [
        "ModelFailed",
        "ModelUnavailable",
        "ModelUnavailable",
        "ModelUnavailable",
        "ModelFailed",
        "ModelRateLimited",
        "ModelFailed"
      ])
      for (const secret of [key, words]) assert.notInclude(lines.join("\n"), secret)
    }))

  it.scoped("does not happen under concurrent requests", () =>
    Effect.gen(function*() {
      const { server, transcribe } = yield* transcriberBefore(saying("hm"))
      const texts = yield* Effect.all(Array.from({ length: 30 }, () => transcribe(hum, hindi)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(texts, Array.from({ length: 30 }, () => "hm"))
      assert.isAtMost(server.busiest(), 8)
    }))

  it.scoped("happens when the queue is full", () =>
    Effect.gen(function*() {
      const { server, transcribe } = yield* transcriberBefore(["hang"], { concurrency: 1, waiting: 0 })
      const first = yield* Effect.fork(transcribe(hum, hindi))
      yield* Effect.repeat(macroTask, { until: () => server.requests.length === 1 })
      assert.strictEqual((yield* Effect.flip(transcribe(hum, hindi)))._tag, "ModelUnavailable")
      yield* Fiber.interrupt(first)
    }))
})
