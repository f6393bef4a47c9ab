import { assert, describe, it } from "@effect/vitest"
import { Listener, modemVoice, Synthesizer } from "@trunkline/speech"
import { deepgramServer, speechServer, voskServer } from "@trunkline/transcriber-websocket/testing"
import { Context, Effect, Layer, Stream } from "effect"
import { recognizerOf } from "../../src/server/speech/Speech.js"

const words = "Yes, please."

const utterance = { text: words, language: "en-IN", pace: 1, reference: null, take: 0 } as const

describe("the streaming transcriber of a configuration file", () => {
  const protocols = { deepgram: deepgramServer, vosk: voskServer }
  for (const dialect of ["deepgram", "vosk"] as const) {
    it.scopedLive(`hears callers live: ${dialect}`, () =>
      Effect.gen(function*() {
        const { peers, url } = yield* speechServer(protocols[dialect]())
        const { listener } = recognizerOf({ kind: "streaming", dialect, url, sample_rate: 8_000 })
        const { open } = Context.get(yield* Layer.build(listener ?? Listener.layerNone), Listener)
        const { ability, speak } = yield* Effect.provide(Synthesizer, modemVoice())
        const { flush, push } = yield* open({ rate: ability.nativeRate, language: "en-IN" })
        yield* Stream.runForEach(speak(utterance), (samples) => Effect.sync(() => push(samples)))
        assert.strictEqual(yield* flush, words)
        assert.isUndefined(peers[0]?.request.headers.authorization)
      }))
  }

  it("is none by default, or a transcriber that hears callers turn by turn", () => {
    assert.deepStrictEqual(recognizerOf(null), {})
    const whole = recognizerOf({ kind: "openai-compatible", base_url: "http://127.0.0.1:9000", model: "whisper-1" })
    assert.deepStrictEqual(Object.keys(whole), ["transcriber"])
  })
})
