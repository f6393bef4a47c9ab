import { assert, describe, it } from "@effect/vitest"
import { toLinear16 } from "@trunkline/audio"
import { fakeServer, jsonOf } from "@trunkline/http-client/testing"
import { type SpeechDialect, SpeechDialects, SynthesizerOpenAi } from "@trunkline/speech-openai"
import { LanguageCode } from "@trunkline/spoken-text"
import { Effect, Either, Redacted } from "effect"
import { audio, read, wav } from "./DialectFixtures.js"
import { answering, reference, samplesOf, synthesizerBefore, utterance, wavOf } from "./Speaking.js"

const pcm = answering("audio/pcm", toLinear16(audio.samples))

describe("the dialect of OpenAI", () => {
  it.scoped("sends a text and a voice", () =>
    Effect.gen(function*() {
      const { ability, server, speak } = yield* synthesizerBefore(pcm, {
        apiKey: Redacted.make("sk-1"),
        voice: "alloy"
      })
      assert.deepStrictEqual(yield* samplesOf(speak(utterance({ text: "नमस्ते", language: "hi-IN" }))), audio.samples)
      const [request] = server.requests
      assert.deepStrictEqual([request?.method, request?.path, request?.headers.authorization], [
        "POST",
        "/v1/audio/speech",
        "Bearer sk-1"
      ])
      assert.deepStrictEqual(request && jsonOf(request), {
        model: "tts-1",
        input: "नमस्ते",
        voice: "alloy",
        response_format: "pcm"
      })
      assert.deepStrictEqual(ability, {
        engine: "openai",
        cloning: "none",
        languages: LanguageCode.literals,
        nativeRate: 24_000,
        controls: ["pace"]
      })
    }))

  it.scoped("has a voice for each language or none, and sends a pace other than 1", () =>
    Effect.gen(function*() {
      const { server, speak } = yield* synthesizerBefore(wav, { responseFormat: "wav", voice: { "hi-IN": "asha" } })
      yield* samplesOf(speak(utterance({ language: "hi-IN", pace: 1.25 })))
      yield* samplesOf(speak(utterance()))
      assert.deepStrictEqual(server.requests.map(jsonOf), [
        { model: "tts-1", input: "Good morning.", voice: "asha", response_format: "wav", speed: 1.25 },
        { model: "tts-1", input: "Good morning.", response_format: "wav" }
      ])
    }))

  it.scoped("omits the model if none is configured", () =>
    Effect.gen(function*() {
      const server = yield* fakeServer(pcm)
      const { speak } = yield* SynthesizerOpenAi.make({ baseUrl: server.origin, dialect: SpeechDialects.openAi() })
      yield* samplesOf(speak(utterance()))
      assert.deepStrictEqual(server.requests.map(jsonOf), [{ input: "Good morning.", response_format: "pcm" }])
    }))

  it.scoped("accepts additional fields that replace none of its own", () =>
    Effect.gen(function*() {
      const dialect = SpeechDialects.openAi({ extra: { input: "else", stream_format: "audio" } })
      const { server, speak } = yield* synthesizerBefore(pcm, { dialect })
      yield* samplesOf(speak(utterance()))
      assert.deepStrictEqual(server.requests.map(jsonOf), [
        { stream_format: "audio", model: "tts-1", input: "Good morning.", response_format: "pcm" }
      ])
    }))
})

describe("a dialect with the clip in the body", () => {
  it.scoped("of F5 sends it in Base64 with its transcript", () =>
    Effect.gen(function*() {
      const { ability, server, speak } = yield* synthesizerBefore(pcm, { dialect: SpeechDialects.f5() })
      yield* samplesOf(speak(utterance()))
      assert.deepStrictEqual(server.requests.map(jsonOf), [{
        model: "tts-1",
        input: "Good morning.",
        voice: { clone: { audio: Buffer.from(wavOf(reference.audio)).toString("base64"), transcript: reference.text } },
        response_format: "pcm"
      }])
      assert.deepStrictEqual([ability.cloning, ability.languages], ["zero-shot", ["en-IN"]])
    }))

  it.scoped("of F5 rejects a clip without a transcript before a request", () =>
    Effect.gen(function*() {
      const { server, speak } = yield* synthesizerBefore(pcm, { dialect: SpeechDialects.f5() })
      for (const text of [null, ""]) {
        const failure = yield* Effect.flip(samplesOf(speak(utterance({ reference: { ...reference, text } }))))
        assert.deepInclude(failure, {
          _tag: "BadRequest",
          message: "This speech engine needs ref_text or a transcriber",
          param: "ref_text"
        })
      }
      assert.lengthOf(server.requests, 0)
    }))

  it.scoped("of F5 puts it into the configured fields", () =>
    Effect.gen(function*() {
      const dialect = SpeechDialects.f5({ reference: ({ transcript }) => ({ ref: { said: transcript } }) })
      const { server, speak } = yield* synthesizerBefore(pcm, { dialect })
      yield* samplesOf(speak(utterance()))
      assert.deepInclude(server.requests.map(jsonOf)[0], { ref: { said: reference.text } })
    }))

  it.scoped("of vLLM-Omni sends it as a data URL, with its transcript if there is one", () =>
    Effect.gen(function*() {
      const { server, speak } = yield* synthesizerBefore(pcm, {
        dialect: SpeechDialects.vllmOmni({ needsTranscript: false })
      })
      yield* samplesOf(speak(utterance()))
      yield* samplesOf(speak(utterance({ reference: { ...reference, text: null } })))
      const fields = {
        model: "tts-1",
        input: "Good morning.",
        response_format: "pcm",
        stream_format: "audio",
        language: "English",
        ref_audio: `data:audio/wav;base64,${Buffer.from(wavOf(reference.audio)).toString("base64")}`
      }
      assert.deepStrictEqual(server.requests.map(jsonOf), [{ ...fields, ref_text: reference.text }, fields])
    }))
})

describe("a dialect with the clip as a file", () => {
  it.scoped("of Chatterbox uploads it to the streaming route, and reads WAV", () =>
    Effect.gen(function*() {
      const dialect = SpeechDialects.chatterbox({ extra: { exaggeration: 0.7 } })
      const { server, speak } = yield* synthesizerBefore(wav, { dialect })
      assert.deepStrictEqual(yield* samplesOf(speak(utterance())), audio.samples)
      assert.strictEqual(server.requests[0]?.path, "/v1/audio/speech/stream/upload")
      assert.deepStrictEqual(yield* read(server.requests[0]), {
        exaggeration: "0.7",
        input: "Good morning.",
        response_format: "wav",
        voice_file: Either.right(reference.audio)
      })
    }))

  it.scoped("of Chatterbox speaks in the server's own voice without a clip", () =>
    Effect.gen(function*() {
      const { server, speak } = yield* synthesizerBefore(wav, { dialect: SpeechDialects.chatterbox() })
      assert.deepStrictEqual(yield* samplesOf(speak(utterance({ reference: null }))), audio.samples)
      assert.deepStrictEqual(yield* read(server.requests[0]), { input: "Good morning.", response_format: "wav" })
    }))

  it.scoped("of XTTS uploads it with the text and the language", () =>
    Effect.gen(function*() {
      const { server, speak } = yield* synthesizerBefore(wav, { dialect: SpeechDialects.xtts() })
      yield* samplesOf(speak(utterance({ language: "hi-IN" })))
      assert.strictEqual(server.requests[0]?.path, "/v1/tts")
      assert.deepStrictEqual(yield* read(server.requests[0]), {
        text: "Good morning.",
        language: "hi",
        speaker_wav: Either.right(reference.audio)
      })
    }))

  it.scoped("of other servers has configured field names", () =>
    Effect.gen(function*() {
      const dialect = SpeechDialects.multipart({
        name: "cosyvoice",
        languages: LanguageCode.literals,
        path: "/inference_zero_shot",
        file: "prompt_wav",
        fields: ({ languageName, reference, text }) => ({
          tts_text: text,
          prompt_text: reference?.text ?? "",
          language: languageName
        })
      })
      const { server, speak } = yield* synthesizerBefore(pcm, { dialect, languageNames: { "ta-IN": "Tamil" } })
      assert.deepStrictEqual(yield* samplesOf(speak(utterance({ language: "od-IN" }))), audio.samples)
      yield* samplesOf(speak(utterance({ language: "ta-IN" })))
      const [first, second] = server.requests
      assert.deepStrictEqual(yield* read(first), {
        tts_text: "Good morning.",
        prompt_text: "This is how I sound.",
        language: "or",
        prompt_wav: Either.right(reference.audio)
      })
      assert.deepInclude(yield* read(second), { language: "Tamil" })
    }))
})

describe("a custom dialect", () => {
  /** A server that fetches the clip from a URL: it is put where the server finds it, for as long as it is needed. */
  const byUrl = (host: (clip: Uint8Array) => Effect.Effect<URL>): SpeechDialect => ({
    name: "by-url",
    cloning: "zero-shot",
    languages: ["en-IN"],
    controls: [],
    request: ({ clip, reference, text }) =>
      Effect.map(Effect.flatMap(clip, host), (url) => ({
        path: "/generate",
        body: { gen_text: text, ref_audio_url: url.href, ref_text: reference?.text ?? "" }
      }))
  })

  it.scoped("may send other requests first", () =>
    Effect.gen(function*() {
      const hosted: Array<Uint8Array> = []
      const dialect = byUrl((clip) => Effect.sync(() => new URL(`https://clips.example/${hosted.push(clip)}.wav`)))
      const { server, speak } = yield* synthesizerBefore(pcm, { dialect })
      assert.deepStrictEqual(yield* samplesOf(speak(utterance())), audio.samples)
      assert.deepStrictEqual(hosted.map(Buffer.from), [Buffer.from(wavOf(reference.audio))])
      assert.deepStrictEqual(server.requests.map(jsonOf), [{
        gen_text: "Good morning.",
        ref_audio_url: "https://clips.example/1.wav",
        ref_text: reference.text
      }])
    }))
})

describe("the options", () => {
  it.scoped("describe the capabilities of the server", () =>
    Effect.gen(function*() {
      const { ability, server, speak } = yield* synthesizerBefore(pcm, {
        dialect: SpeechDialects.f5(),
        languages: ["ta-IN"],
        nativeRate: 16_000,
        pace: true
      })
      assert.deepStrictEqual(ability, {
        engine: "f5",
        cloning: "zero-shot",
        languages: ["ta-IN"],
        nativeRate: 16_000,
        controls: ["pace"]
      })
      const failure = yield* Effect.flip(samplesOf(speak(utterance({ language: "en-IN" }))))
      assert.deepInclude(failure, {
        _tag: "BadRequest",
        message: "The speech engine does not speak en-IN",
        param: "language_code"
      })
      assert.lengthOf(server.requests, 0)
      const { ability: without } = yield* synthesizerBefore(pcm, { pace: false })
      assert.deepStrictEqual(without.controls, [])
    }))
})
