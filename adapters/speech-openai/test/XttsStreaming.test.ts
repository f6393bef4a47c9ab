import { assert, describe, it } from "@effect/vitest"
import { jsonOf, type Seen } from "@trunkline/http-client/testing"
import { SpeechDialects } from "@trunkline/speech-openai"
import { Effect, Either, TestClock } from "effect"
import { audio, read, wav } from "./DialectFixtures.js"
import { answering, reference, samplesOf, synthesizerBefore, tone, utterance } from "./Speaking.js"

describe("the dialect of XTTS's streaming server", () => {
  const voice = { gpt_cond_latent: [[0.5, 1]], speaker_embedding: [0.25] }
  const script = ({ path }: Seen) =>
    path.endsWith("/clone_speaker") ? answering("application/json", JSON.stringify({ ...voice, more: 1 })) : wav
  const paths = (requests: ReadonlyArray<Seen>) => requests.map(({ path }) => path.slice("/v1".length))
  const saved = utterance({ reference: { ...reference, voice_id: "svc-1" } })
  const dialect = SpeechDialects.xttsStreaming()

  it.scoped("creates the voice first, and speaks with it", () =>
    Effect.gen(function*() {
      const { server, speak } = yield* synthesizerBefore(script, { dialect })
      assert.deepStrictEqual(yield* samplesOf(speak(saved)), audio.samples)
      assert.deepStrictEqual(paths(server.requests), ["/clone_speaker", "/tts_stream"])
      assert.deepStrictEqual(yield* read(server.requests[0]), { wav_file: Either.right(reference.audio) })
      assert.deepStrictEqual(server.requests[1] && jsonOf(server.requests[1]), {
        ...voice,
        text: "Good morning.",
        language: "en",
        add_wav_header: true
      })
    }))

  it.scoped("speaks in the configured voice without a reference, or not at all", () =>
    Effect.gen(function*() {
      const { server, speak } = yield* synthesizerBefore(script, { dialect, reference })
      assert.deepStrictEqual(yield* samplesOf(speak(utterance({ reference: null }))), audio.samples)
      assert.deepStrictEqual(yield* read(server.requests[0]), { wav_file: Either.right(reference.audio) })
      const { server: untouched, speak: refuse } = yield* synthesizerBefore(script, { dialect })
      const failure = yield* Effect.flip(samplesOf(refuse(utterance({ reference: null }))))
      assert.deepInclude(failure, { _tag: "BadRequest", param: "voice_id" })
      assert.lengthOf(untouched.requests, 0)
    }))

  it.scoped("caches a voice for ten minutes", () =>
    Effect.gen(function*() {
      const { server, speak } = yield* synthesizerBefore(script, { dialect })
      yield* samplesOf(speak(saved))
      yield* TestClock.adjust("9 minutes")
      yield* samplesOf(speak({ ...saved, reference: { ...reference, voice_id: "svc-1" } }))
      yield* TestClock.adjust("1 minute")
      yield* samplesOf(speak(saved))
      assert.deepStrictEqual(paths(server.requests), [
        "/clone_speaker",
        "/tts_stream",
        "/tts_stream",
        "/clone_speaker",
        "/tts_stream"
      ])
    }))

  it.scoped("uses the voice of a clip for its request only", () =>
    Effect.gen(function*() {
      const { server, speak } = yield* synthesizerBefore(script, { dialect })
      const [one, other] = [utterance(), utterance({ reference: { ...reference, audio: tone(1) } })]
      for (const request of [one, one, other]) yield* samplesOf(speak(request))
      assert.lengthOf(paths(server.requests).filter((path) => path === "/clone_speaker"), 2)
    }))

  it.scoped("caches the newest sixteen voices", () =>
    Effect.gen(function*() {
      const { server, speak } = yield* synthesizerBefore(script, { dialect })
      const names = Array.from({ length: 17 }, (_, at) => `svc-${at}`)
      for (const voice_id of [...names, "svc-16", "svc-0"]) {
        yield* samplesOf(speak(utterance({ reference: { ...reference, voice_id } })))
      }
      assert.lengthOf(paths(server.requests).filter((path) => path === "/clone_speaker"), 18)
    }))

  it.scoped("keeps saved voices cached for any number of clips", () =>
    Effect.gen(function*() {
      const { server, speak } = yield* synthesizerBefore(script, { dialect })
      const clips = Array.from({ length: 17 }, () => utterance())
      for (const request of [saved, ...clips, saved]) yield* samplesOf(speak(request))
      assert.lengthOf(paths(server.requests).filter((path) => path === "/clone_speaker"), 18)
    }))

  it.scoped("fails if the server cannot create the voice, and caches nothing", () =>
    Effect.gen(function*() {
      const { server, speak } = yield* synthesizerBefore(answering("application/json", "{}"), { dialect })
      for (const body of ["{}", "null", "<html>", ""]) {
        server.answer(answering("application/json", body))
        assert.strictEqual((yield* Effect.flip(samplesOf(speak(saved))))._tag, "ModelFailed", body)
      }
      server.answer(answering("application/json", JSON.stringify({ x: "x".repeat(5_000_000) })))
      assert.strictEqual(
        (yield* Effect.flip(samplesOf(speak(saved)))).message,
        "The speech server's answer is too large"
      )
      server.answer([{ status: 401 }, "end"])
      assert.strictEqual((yield* Effect.flip(samplesOf(speak(saved))))._tag, "ModelUnavailable")
      server.answer(script)
      yield* samplesOf(speak(saved))
    }))
})
