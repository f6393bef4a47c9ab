import { concatSamples } from "@trunkline/audio"
import { modemVoice, Synthesizer } from "@trunkline/speech"
import { sampleReference } from "@trunkline/speech/testing"
import { Chunk, Effect, Stream } from "effect"

/** Speaks a text with the modem voice. */
export const say = (text: string, rate: number) =>
  Synthesizer.pipe(
    Effect.flatMap(({ speak }) =>
      Stream.runCollect(speak({ text, language: "en-IN", pace: 1, reference: sampleReference, take: 0 }))
    ),
    Effect.map((pieces) => ({ rate, samples: concatSamples(Chunk.toReadonlyArray(pieces)) })),
    Effect.provide(modemVoice({ nativeRate: rate }))
  )
