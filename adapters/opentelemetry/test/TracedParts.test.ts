import { assert, describe, it } from "@effect/vitest"
import { ModelFailed } from "@trunkline/errors"
import { LanguageModel, type Model, type ModelRequest } from "@trunkline/models"
import { listenerLayer, modelLayer, synthesizerLayer, transcriberLayer } from "@trunkline/opentelemetry"
import { Listener, modemTranscriber, modemVoice, soundOf, Synthesizer, Transcriber } from "@trunkline/speech"
import { Effect, Layer, Stream } from "effect"
import { collectSpans, pathOf } from "../../../test/setup/CollectedSpans.js"

const request: ModelRequest = {
  model: "small",
  messages: [{ role: "system", content: "Be brief." }, { role: "user", content: "Hello" }],
  sampling: { temperature: 0.5 },
  limits: { maxOutputTokens: 50 }
}

const usage = { inputTokens: 12, cachedTokens: 4, outputTokens: 3, reasoningTokens: 1 }

const answering: Model = {
  generate: () =>
    Effect.succeed({
      text: "Good day.",
      reasoning: "",
      refusal: null,
      toolRequests: [],
      finish: "stop",
      usage,
      logprobs: []
    }),
  stream: () =>
    Stream.make(
      { _tag: "Text" as const, text: "Good day." },
      { _tag: "Usage" as const, usage },
      { _tag: "Finish" as const, reason: "stop" as const }
    )
}

const failing: Model = {
  generate: () => new ModelFailed({ message: "no" }),
  stream: () => Stream.fail(new ModelFailed({ message: "no" }))
}

/** Runs a program with a model that has spans; returns them by their attributes. */
const spansOf = (model: Model, use: (model: Model) => Effect.Effect<unknown, unknown>, hasTexts = false) =>
  Effect.gen(function*() {
    const { layer, spans } = yield* collectSpans(hasTexts)
    const traced = modelLayer(Layer.succeed(LanguageModel, model), "openai")
    yield* Effect.flatMap(LanguageModel, use).pipe(
      Effect.exit,
      Effect.withSpan("turn"),
      Effect.provide(Layer.merge(traced, layer))
    )
    return spans.filter(({ name }) => name !== "turn")
  })

const ways = [
  ["generate", (model: Model) => model.generate(request)],
  ["stream", (model: Model) => Stream.runDrain(model.stream(request))]
] as const

describe("the spans of a model", () => {
  for (const [way, use] of ways) {
    it.effect(`have the request and the usage: ${way}`, () =>
      Effect.gen(function*() {
        const [span] = yield* spansOf(answering, use)
        assert.deepStrictEqual(pathOf(span ?? assert.fail("no span")), ["turn", "chat small"])
        assert.strictEqual(span?.kind, "client")
        const { "gen_ai.response.time_to_first_chunk": first, ...attributes } = Object.fromEntries(
          span?.attributes ?? []
        )
        assert.deepStrictEqual(attributes, {
          "gen_ai.operation.name": "chat",
          "gen_ai.provider.name": "openai",
          "gen_ai.request.model": "small",
          ...(way === "stream" && { "gen_ai.request.stream": true }),
          "gen_ai.request.max_tokens": 50,
          "gen_ai.request.temperature": 0.5,
          "gen_ai.response.finish_reasons": ["stop"],
          "gen_ai.usage.input_tokens": 12,
          "gen_ai.usage.output_tokens": 3,
          "gen_ai.usage.cache_read.input_tokens": 4,
          "gen_ai.usage.reasoning.output_tokens": 1
        })
        assert.strictEqual(typeof first, way === "stream" ? "number" : "undefined")
      }))

    it.effect(`have texts where they are asked for: ${way}`, () =>
      Effect.gen(function*() {
        const [span] = yield* spansOf(answering, use, true)
        const attributes = Object.fromEntries(span?.attributes ?? [])
        assert.deepStrictEqual(JSON.parse(String(attributes["gen_ai.system_instructions"])), [
          { type: "text", content: "Be brief." }
        ])
        assert.deepStrictEqual(JSON.parse(String(attributes["gen_ai.input.messages"])), [
          { role: "user", parts: [{ type: "text", content: "Hello" }] }
        ])
        assert.deepStrictEqual(JSON.parse(String(attributes["gen_ai.output.messages"])), [
          { role: "assistant", parts: [{ type: "text", content: "Good day." }], finish_reason: "stop" }
        ])
      }))

    it.effect(`end with the failure of the model: ${way}`, () =>
      Effect.gen(function*() {
        const [span] = yield* spansOf(failing, use)
        assert.isTrue(span?.status._tag === "Ended" && span.status.exit._tag === "Failure")
      }))
  }

  it.effect("end when their stream is left", () =>
    Effect.gen(function*() {
      const endless: Model = { ...answering, stream: () => Stream.concat(answering.stream(request), Stream.never) }
      const [span] = yield* spansOf(endless, (model) => Stream.runDrain(Stream.take(model.stream(request), 1)))
      assert.strictEqual(span?.status._tag, "Ended")
    }))

  it.effect("change no answer, whether something reads them or not", () =>
    Effect.gen(function*() {
      const traced = modelLayer(Layer.succeed(LanguageModel, answering), "openai")
      const { layer } = yield* collectSpans()
      const answers = Effect.flatMap(LanguageModel, (model) =>
        Effect.zip(model.generate(request), Stream.runCollect(model.stream(request)))).pipe(Effect.provide(traced))
      const plain = yield* Effect.zip(answering.generate(request), Stream.runCollect(answering.stream(request)))
      assert.deepStrictEqual(yield* answers, plain)
      assert.deepStrictEqual(yield* Effect.provide(answers, layer), plain)
    }))
})

describe("the spans of voices and transcripts", () => {
  const words = "I would like to book a table."

  /** Speaks words, and hears them whole and live. */
  const speakAndHear = (voiceConventions: boolean) =>
    Effect.gen(function*() {
      const { layer, spans } = yield* collectSpans()
      const names = { voiceConventions }
      const parts = Layer.mergeAll(
        synthesizerLayer(modemVoice(), names),
        transcriberLayer(modemTranscriber, names),
        listenerLayer(Layer.provide(Listener.layerOfTranscriber, modemTranscriber), names)
      )
      const heard = yield* Effect.gen(function*() {
        const samples = yield* soundOf(words)
        const whole = yield* (yield* Transcriber).transcribe({ rate: 8_000, samples }, { language: "en-IN" })
        const listening = yield* (yield* Listener).open({ rate: 8_000, language: "en-IN" })
        listening.push(samples)
        yield* (yield* Synthesizer).speak({ text: words, language: "en-IN", pace: 1, reference: null, take: 0 }).pipe(
          Stream.runDrain
        )
        return [whole, yield* listening.flush]
      }).pipe(Effect.scoped, Effect.provide(Layer.merge(parts, layer)))
      assert.deepStrictEqual(heard, [words, words])
      return spans
    })

  it.effect("have sizes and times, and no words", () =>
    Effect.gen(function*() {
      const spans = yield* speakAndHear(false)
      assert.deepStrictEqual([...new Set(spans.map(({ name }) => name))].sort(), ["transcript", "voice"])
      const voice = Object.fromEntries(spans.find(({ name }) => name === "voice")?.attributes ?? [])
      assert.strictEqual(voice["trunkline.voice.characters"], words.length)
      assert.isNumber(voice["trunkline.voice.first_sound_ms"])
      const transcript = Object.fromEntries(spans.find(({ name }) => name === "transcript")?.attributes ?? [])
      assert.strictEqual(transcript["trunkline.transcript.characters"], words.length)
      const shown = JSON.stringify(spans.map(({ attributes }) => [...attributes]))
      assert.notMatch(shown, /table|gen_ai/)
      assert.isTrue(spans.every(({ status }) => status._tag === "Ended"))
    }))

  it.effect("follow the open conventions for voice where they are asked for", () =>
    Effect.gen(function*() {
      const spans = yield* speakAndHear(true)
      const operations = spans.map(({ attributes }) => attributes.get("gen_ai.operation.name"))
      assert.deepStrictEqual([...new Set(operations)].sort(), ["speech_to_text", "text_to_speech"])
      const heard = spans.find(({ name }) => name === "speech_to_text")
      assert.strictEqual(heard?.attributes.get("gen_ai.speech.input.language"), "en-IN")
    }))
})
