import { ModelFailed } from "@trunkline/errors"
import { type SpeechFailure, type SynthesisInput, Synthesizer } from "@trunkline/speech"
import { LanguageCode } from "@trunkline/spoken-text"
import { Effect, Layer, Stream } from "effect"
import { gate, report } from "./Reporting.js"

const nativeRate = 24_000

/** Half a second of a tone. */
const tone = Float32Array.from({ length: nativeRate / 2 }, (_, index) => 0.3 * Math.sin(index / 10))

let spoken = 0

/** Number of chunks of endless speech that were consumed. */
export const spokenChunks = (): number => spoken

const endless = Stream.repeatEffect(Effect.sync(() => {
  spoken += 1
  return tone
}))

const begun = Stream.fromEffect(Effect.as(report("voice begun"), tone))

const failed = Stream.fail(new ModelFailed({ message: "The engine broke" }))

const audio = ({ text }: SynthesisInput): Stream.Stream<Float32Array, SpeechFailure> => {
  switch (text) {
    case "say nothing":
      return Stream.concat(Stream.drain(begun), Stream.never)
    case "break at once":
      return failed
    case "break":
      return Stream.concat(begun, Stream.concat(Stream.drain(Stream.fromEffect(gate("voice"))), failed))
    case "go on":
      return endless
    case "wait":
      return Stream.concat(begun, Stream.fromEffect(Effect.as(gate("voice"), tone)))
    default:
      return Stream.make(tone)
  }
}

/** Synthesizer that follows the instructions in the text, waits at the gate `voice`, and reports when it is stopped. */
export const probedVoice = Layer.succeed(Synthesizer, {
  ability: { engine: "probed", cloning: "zero-shot", languages: LanguageCode.literals, nativeRate, controls: [] },
  speak: (utterance) => Stream.ensuring(audio(utterance), report("voice stopped"))
})
