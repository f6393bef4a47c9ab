import { assert, describe, it } from "@effect/vitest"
import { type Audio, concatSamples, readWav, type Span, speechSpans } from "@trunkline/audio"
import { type Baresip, freePort, hasTools, startBaresip, startPeer } from "@trunkline/carrier-sip/testing"
import { modemTranscriber, modemVoice, phraseBook, soundOf, type Synthesizer, Transcriber } from "@trunkline/speech"
import { SpeechEspeak } from "@trunkline/speech-espeak"
import { Console, Effect, Either, Layer, type Scope } from "effect"
import { tmpdir } from "node:os"
import { bundled } from "../../../test/programs/Programs.js"
import { untilOnTime } from "../../../test/setup/OnTime.js"
import { startTranscriptionServer } from "./TranscriptionServer.js"

const program = await bundled("examples/sip-agent/src/main.ts")

const greeting = "Hello, this is the library. How can I help you?"

const silence = (seconds: number) => new Float32Array(seconds * 8_000)

/** Sound of a WAV file that baresip has recorded. */
const soundIn = (wav: Uint8Array | undefined): Audio =>
  Either.getOrThrow(readWav(wav ?? new Uint8Array(), { seconds: 600 }))

const transcribed = (audio: Audio) =>
  Effect.flatMap(Transcriber, ({ transcribe }) => transcribe(audio, { language: null }))

/** Waits until something holds, for at most so many seconds. */
const until = (seconds: number, holds: () => boolean): Effect.Effect<void> =>
  holds() || seconds <= 0 ? Effect.void : Effect.suspend(() => Effect.delay(until(seconds - 0.05, holds), "50 millis"))

/** Output of the agent that was started last. */
let output: () => string = () => ""

/** Figures of the call, as the agent has logged them at its end. */
const pace = Effect.sync(() => {
  const figure = (name: string) => Number(new RegExp(`${name}=(\\d+(?:\\.\\d+)?)`).exec(output())?.[1] ?? 0)
  return { latenessMillis: figure("latenessMillis"), concealedFrames: figure("concealedFrames") }
})

/** A softphone that says something, and the lines that the agent it calls has printed. */
const callFrom = (
  sound: ReadonlyArray<Float32Array>,
  env: Readonly<Record<string, string>>
): Effect.Effect<{ readonly phone: Baresip; readonly said: () => ReadonlyArray<string> }, never, Scope.Scope> =>
  Effect.gen(function*() {
    const port = yield* freePort()
    const agent = yield* startPeer(process.execPath, [program], {
      cwd: tmpdir(),
      env: { SIP_PORT: String(port), DEBUG: "1", ...env }
    })
    output = agent.output
    const phone = yield* startBaresip({ sound: concatSamples(sound) })
    yield* until(60, () => agent.output().includes("sip:desk"))
    yield* phone.dial(`sip:desk@127.0.0.1:${port}`)
    return {
      phone,
      said: () => agent.output().split("\n").filter((line) => /^(?:Agent|Caller|The call)/.test(line))
    }
  })

/** Speech in a recording, in milliseconds; pauses of up to a second are part of it. */
const speechIn = (audio: Audio): ReadonlyArray<Span> => {
  const spans: Array<{ from: number; to: number }> = []
  for (const span of speechSpans(audio)) {
    const [from, to] = [span.from / audio.rate * 1_000, span.to / audio.rate * 1_000]
    const last = spans.at(-1)
    if (last !== undefined && from - last.to <= 1_000) last.to = to
    else spans.push({ from, to })
  }
  return spans
}

describe.skipIf(!hasTools("baresip"))("the example of an agent that a softphone calls", () => {
  it.scopedLive("is called by baresip, understood, interrupted and hung up", (context) =>
    Effect.gen(function*() {
      const { phone, said } = yield* callFrom([
        silence(4),
        yield* soundOf("When are you open?"),
        silence(5),
        yield* soundOf("Thank you, that is all."),
        silence(120)
      ], { TONES: "1" })
      yield* until(60, () => said().some((line) => line.includes("that is all")))
      yield* Effect.sleep("500 millis")
      yield* phone.command("hangup")
      yield* until(20, () => said().includes("The call has ended."))
      const [first, question, answer = "", thanks] = said()
      assert.strictEqual(first, `Agent: ${greeting}`)
      assert.strictEqual(question, "Caller: When are you open?")
      assert.isTrue(answer.startsWith("Agent: We are open"), answer)
      assert.notInclude(answer, "anything else")
      assert.strictEqual(thanks, "Caller: Thank you, that is all.")
      assert.include(said(), "The call has ended.")
      const [heard, spoken] = [soundIn(phone.heardSound()), soundIn(phone.spokenSound())]
      // baresip begins to record a moment after the call was answered.
      assert.include(yield* transcribed(heard), "How can I help you? We are open")
      assert.strictEqual(yield* transcribed(spoken), "When are you open? Thank you, that is all.")

      const [asked, interrupted] = speechIn(spoken)
      const match = speechIn(heard).find(({ from }) => from > (asked?.to ?? Infinity))
      if (asked === undefined || interrupted === undefined || match === undefined) {
        return assert.fail("A recording has no speech")
      }
      // The answer begins after the question, and ends after the interruption has begun and long before its own end.
      assert.isBelow(match.from, interrupted.from)
      assert.isAbove(match.to, interrupted.from)
      assert.isBelow(match.to, interrupted.to + 1_000)
      const millis = (value: number) => `${Math.round(value)} ms`
      yield* Console.info(
        `In the recordings of baresip: gap before the answer ${millis(match.from - asked.to)}, ` +
          `end of the answer ${millis(match.to - interrupted.from)} after the interruption`
      )
    }).pipe(
      Effect.provide(Layer.merge(modemVoice(), modemTranscriber)),
      (test) => untilOnTime(context, test, pace)
    ))

  it.scopedLive.skipIf(!hasTools("espeak-ng"))(
    "is called in a human voice, understands it, and hangs up after a goodbye",
    (context) =>
      Effect.gen(function*() {
        const goodbye = "Goodbye and thanks."
        const farewell = "Goodbye, and enjoy your books."
        const book: Layer.Layer<Transcriber, unknown, Synthesizer> = phraseBook([greeting, goodbye, farewell])
        const inSpeech = yield* Layer.build(book)
        const url = yield* Effect.provide(startTranscriptionServer, inSpeech)
        const { phone, said } = yield* callFrom([silence(8), yield* soundOf(goodbye), silence(120)], {
          TRANSCRIBER_URL: url
        })
        yield* until(60, () => said().includes("The call has ended."))
        assert.deepStrictEqual(said(), [
          `Agent: ${greeting}`,
          `Caller: ${goodbye}`,
          `Agent: ${farewell}`,
          "The call has ended."
        ])
        const phrasesIn = (audio: Audio) =>
          Effect.forEach(speechIn(audio), ({ from, to }) => {
            const [begin, end] = [from - 100, to + 100].map((millis) =>
              Math.max(0, Math.round(millis * audio.rate / 1_000))
            )
            return transcribed({ ...audio, samples: audio.samples.subarray(begin, end) })
          }).pipe(Effect.provide(inSpeech))
        assert.deepStrictEqual(yield* phrasesIn(soundIn(phone.heardSound())), [greeting, farewell])
        assert.deepStrictEqual(yield* phrasesIn(soundIn(phone.spokenSound())), [goodbye])
      }).pipe(Effect.provide(SpeechEspeak.layer()), (test) => untilOnTime(context, test, pace))
  )
})
