import { assert, describe, it } from "@effect/vitest"
import type { SpeechFailure } from "@trunkline/speech"
import { SynthesizerOpenAi, type VoiceProviderName, voiceProviderNames, voiceProviders } from "@trunkline/speech-openai"
import { doubleKeys, unknownVoice, voiceDouble } from "@trunkline/speech-openai/testing"
import { Deferred, Duration, Effect, Redacted, Stream } from "effect"
import { samplesOf, until, utterance } from "../Speaking.js"

interface Asked {
  readonly key?: string
  readonly voice?: string
  readonly text?: string
}

const ask = (name: VoiceProviderName, { key = doubleKeys.good, text = "Good morning.", voice }: Asked) =>
  Effect.gen(function*() {
    const provider = voiceProviders[name]
    const double = yield* voiceDouble(name)
    const { speak } = yield* SynthesizerOpenAi.make({
      baseUrl: double.origin,
      dialect: provider.dialect(provider.model ?? ""),
      who: `${provider.label} speech server`,
      model: provider.model ?? "",
      voice: voice ?? provider.voice ?? "asha",
      apiKey: Redacted.make(key)
    })
    const failure = yield* Effect.flip(samplesOf(speak(utterance({ text, reference: null }))))
    return { failure, requests: double.requests.length }
  })

/** The parts of a failure that tell what to do. */
const shape = (failure: SpeechFailure) => ({
  tag: failure._tag,
  message: failure.message.replace(/^.*speech server /, ""),
  ...("lasting" in failure && { lasting: failure.lasting }),
  ...("retryAfter" in failure && failure.retryAfter !== undefined && { wait: Duration.toSeconds(failure.retryAfter) })
})

const hosted = voiceProviderNames.filter((name) => voiceProviders[name].keyVariable !== null)

const lasting = (message: string) => ({ tag: "ModelUnavailable" as const, message, lasting: true })

describe("a refusal of a hosted voice", () => {
  for (const name of hosted) {
    it.scoped(`is a clear reason: ${name}`, () =>
      Effect.gen(function*() {
        const badKey = yield* ask(name, { key: "sk-bad" })
        assert.deepStrictEqual(
          shape(badKey.failure),
          lasting("refused our key; check that it is complete and was not revoked")
        )
        const usedUp = yield* ask(name, { key: doubleKeys.usedUp })
        assert.deepStrictEqual(shape(usedUp.failure), lasting("is used up: add credit, or raise its limit"))
        assert.strictEqual(usedUp.requests, 1, "asks a used up account once")
        const limited = yield* ask(name, { key: doubleKeys.limited })
        assert.deepStrictEqual(
          shape(limited.failure),
          { tag: "ModelRateLimited", message: "has had enough requests for now", wait: 30 }
        )
        const tooLong = yield* ask(name, { text: "Long. ".repeat(100) })
        assert.deepStrictEqual(
          shape(tooLong.failure),
          { tag: "ModelFailed", message: "does not accept this request: it is too large" }
        )
      }))
  }

  for (const name of hosted.filter((name) => name !== "sarvam")) {
    it.scoped(`names a voice that does not exist: ${name}`, () =>
      Effect.gen(function*() {
        const { failure } = yield* ask(name, { voice: unknownVoice })
        assert.deepStrictEqual(
          shape(failure),
          lasting("does not have this voice: check its id, and that the account may use it")
        )
      }))
  }

  it.scopedLive("is overcome by another attempt where the service may come back", () =>
    Effect.gen(function*() {
      for (const [name, attempts] of [["elevenlabs", 2], ["cartesia", 1]] as const) {
        const { failure, requests } = yield* ask(name, { key: doubleKeys.down })
        assert.include(["ModelUnavailable", "ModelFailed"], failure._tag)
        assert.strictEqual(requests, attempts)
      }
    }))

  it.scoped("repeats neither key nor message of the provider", () =>
    Effect.gen(function*() {
      for (const name of hosted) {
        for (const key of ["sk-bad", doubleKeys.usedUp, doubleKeys.limited]) {
          const { failure } = yield* ask(name, { key })
          assert.notInclude(`${JSON.stringify(failure)} ${failure.stack ?? ""}`, "sk-")
        }
      }
    }))
})

describe("a hosted voice", () => {
  it.scoped("refuses a language that it does not speak, without asking", () =>
    Effect.gen(function*() {
      const double = yield* voiceDouble("elevenlabs")
      const { speak } = yield* SynthesizerOpenAi.make({
        baseUrl: double.origin,
        dialect: voiceProviders.elevenlabs.dialect("eleven_flash_v2_5"),
        voice: "asha"
      })
      const failure = yield* Effect.flip(samplesOf(speak(utterance({ language: "te-IN", reference: null }))))
      assert.strictEqual(failure._tag, "BadRequest")
      assert.lengthOf(double.requests, 0)
    }))

  it.scoped("is waited for while its first byte is slow, and passed on while it still speaks", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      const double = yield* voiceDouble("cartesia", { before: [{ until: Effect.runPromise(Deferred.await(gate)) }] })
      const { speak } = yield* SynthesizerOpenAi.make({
        baseUrl: double.origin,
        dialect: voiceProviders.cartesia.dialect("sonic-3.5"),
        voice: "asha",
        apiKey: Redacted.make(doubleKeys.good)
      })
      const first = yield* Effect.fork(Stream.runHead(speak(utterance({ reference: null }))))
      yield* until(() => double.atWork() === 1)
      assert.isNull(first.unsafePoll())
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual((yield* first)._tag, "Some")
    }))

  it.scoped("fails when its sound breaks off", () =>
    Effect.gen(function*() {
      const double = yield* voiceDouble("elevenlabs", { ending: "cut" })
      const { speak } = yield* SynthesizerOpenAi.make({
        baseUrl: double.origin,
        dialect: voiceProviders.elevenlabs.dialect("eleven_flash_v2_5"),
        who: "ElevenLabs speech server",
        voice: "asha",
        apiKey: Redacted.make(doubleKeys.good)
      })
      const failure = yield* Effect.flip(samplesOf(speak(utterance({ reference: null }))))
      assert.strictEqual(failure.message, "The ElevenLabs speech server's answer broke off. Try again.")
    }))

  it("has languages, a price or the knowledge that it is unknown, and a page for it", () => {
    for (const name of voiceProviderNames) {
      const { languagesOf, model, prices } = voiceProviders[name]
      assert.isNotEmpty(languagesOf(model ?? ""))
      assert.isNotEmpty(prices)
      for (const { amount, page, provider, readOn } of prices) {
        assert.strictEqual(provider, name)
        assert.isTrue(amount === 0 || (page?.startsWith("https://") === true && readOn !== null))
      }
    }
  })
})
