import { type Audio, concatSamples, fromPcm16, toLinear16, wavHeader } from "@trunkline/audio"
import { fakeServer, type ResponseScript, type Step } from "@trunkline/http-client/testing"
import { macroTask } from "@trunkline/kernel"
import type { Reference, SpeechFailure, SynthesisInput } from "@trunkline/speech"
import { SpeechDialects, SynthesizerOpenAi } from "@trunkline/speech-openai"
import { Chunk, Effect, Stream } from "effect"

/** A tone with 16 bit sample values, so that it survives encoding unchanged. */
export const tone = (seconds: number, rate = 24_000): Audio => ({
  rate,
  samples: fromPcm16(
    Int16Array.from(
      { length: Math.round(seconds * rate) },
      (_, at) => Math.round(Math.sin(2 * Math.PI * 440 * at / rate) * 12_000)
    )
  )
})

/** A WAV file of audio; `sizes` replaces the sizes in its header. */
export const wavOf = (
  { rate, samples }: Audio,
  sizes?: { readonly file: number; readonly data: number }
): Uint8Array => {
  const header = wavHeader({ rate, samples: samples.length })
  if (sizes !== undefined) {
    const view = new DataView(header.buffer)
    view.setUint32(4, sizes.file, true)
    view.setUint32(40, sizes.data, true)
  }
  return Buffer.concat([header, toLinear16(samples)])
}

/** A reference clip with its transcript. */
export const reference: Reference = {
  audio: tone(1),
  seconds: 1,
  text: "This is how I sound.",
  language: null,
  voice_id: null
}

/** An utterance with a clip of its own, with changes to its defaults. */
export const utterance = (changes: Partial<SynthesisInput> = {}): SynthesisInput => ({
  text: "Good morning.",
  language: "en-IN",
  pace: 1,
  reference: { ...reference, audio: tone(1) },
  take: 0,
  ...changes
})

/** A scripted speech server, and a synthesizer that uses it. */
export const synthesizerBefore = (
  script: ResponseScript,
  options: Partial<SynthesizerOpenAi.SynthesizerOptions> = {}
) =>
  Effect.gen(function*() {
    const server = yield* fakeServer(script)
    const { ability, speak } = yield* SynthesizerOpenAi.make({
      baseUrl: `${server.origin}/v1`,
      dialect: SpeechDialects.openAi(),
      model: "tts-1",
      ...options
    })
    return { ability, server, speak }
  })

/** All samples of a stream. */
export const samplesOf = (
  recording: Stream.Stream<Float32Array, SpeechFailure>
): Effect.Effect<Float32Array, SpeechFailure> =>
  Effect.map(Stream.runCollect(recording), (pieces) => concatSamples(Chunk.toReadonlyArray(pieces)))

/** A response in chunks. */
export const answering = (type: string | null, ...pieces: ReadonlyArray<Uint8Array | string>): ReadonlyArray<Step> => [
  { status: 200, ...(type !== null && { headers: { "content-type": type } }) },
  ...pieces.map((write) => ({ write })),
  "end"
]

/** Polls a condition in every turn of the event loop. */
export const until = (holds: () => boolean) =>
  Effect.iterate(0, { while: () => !holds(), body: () => Effect.as(macroTask, 0) })
