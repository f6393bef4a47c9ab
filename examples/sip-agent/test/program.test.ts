import { assert, describe, it } from "@effect/vitest"
import { concatSamples, makeResampler, readWav } from "@trunkline/audio"
import { freePort, hasTools, startBaresip, startPeer } from "@trunkline/carrier-sip/testing"
import { modemTranscriber, modemVoice, Synthesizer, Transcriber } from "@trunkline/speech"
import { Effect, Either, Layer, Stream } from "effect"
import { tmpdir } from "node:os"
import { bundled } from "../../../test/programs/Programs.js"

const program = await bundled("examples/sip-agent/src/main.ts")

const rate = 8_000

const silence = (seconds: number) => new Float32Array(seconds * rate)

/** Sound of words, at the rate of the telephone. */
const soundOf = (words: string) =>
  Effect.gen(function*() {
    const { ability, speak } = yield* Synthesizer
    const pieces = yield* Stream.runCollect(
      speak({ text: words, language: "en-IN", pace: 1, reference: null, take: 0 })
    )
    return concatSamples([makeResampler({ from: ability.nativeRate, to: rate }).push(concatSamples([...pieces]))])
  })

const wordsIn = (wav: Uint8Array | undefined) =>
  Effect.gen(function*() {
    const { transcribe } = yield* Transcriber
    const { rate, samples } = Either.getOrThrow(readWav(wav ?? new Uint8Array(), { seconds: 600 }))
    return yield* transcribe({ rate, samples }, { language: null })
  })

/** Waits until something holds, for at most so many seconds. */
const until = (seconds: number, holds: () => boolean): Effect.Effect<void> =>
  holds() || seconds <= 0 ? Effect.void : Effect.suspend(() => Effect.delay(until(seconds - 0.05, holds), "50 millis"))

describe.skipIf(!hasTools("baresip"))("the example of an agent that a softphone calls", () => {
  it.scopedLive("is called by baresip, understood, interrupted and hung up", () =>
    Effect.gen(function*() {
      const port = yield* freePort()
      const agent = yield* startPeer(process.execPath, [program], {
        cwd: tmpdir(),
        env: { SIP_PORT: String(port), TONES: "1" }
      })
      const said = () => agent.output().split("\n").filter((line) => /^(?:Agent|Caller|The call)/.test(line))
      const phone = yield* startBaresip({
        sound: concatSamples([
          silence(4),
          yield* soundOf("When are you open?"),
          silence(5),
          yield* soundOf("Thank you, that is all."),
          silence(120)
        ])
      })
      yield* until(60, () => agent.output().includes("sip:desk"))
      yield* phone.dial(`sip:desk@127.0.0.1:${port}`)
      yield* until(60, () => said().some((line) => line.includes("that is all")))
      yield* Effect.sleep("500 millis")
      yield* phone.command("hangup")
      yield* until(20, () => said().includes("The call has ended."))
      const [greeting, question, answer = "", thanks] = said()
      assert.strictEqual(greeting, "Agent: Hello, this is the library. How can I help you?")
      assert.strictEqual(question, "Caller: When are you open?")
      assert.isTrue(answer.startsWith("Agent: We are open"), answer)
      assert.notInclude(answer, "anything else")
      assert.strictEqual(thanks, "Caller: Thank you, that is all.")
      assert.include(said(), "The call has ended.")
      const heard = yield* wordsIn(phone.heard())
      // baresip begins to record a moment after the call was answered.
      assert.include(heard, "How can I help you? We are open")
      assert.isTrue((yield* wordsIn(phone.said())).startsWith("When are you open?"))
    }).pipe(Effect.provide(Layer.merge(modemVoice(), modemTranscriber))))
})
