import type { Synthesizer } from "@trunkline/speech"
import { Effect, Layer } from "effect"
import { describeEspeak, type EspeakDescription, findEspeak } from "./engine/FindEspeak.js"
import { espeakSynthesizer } from "./EspeakSynthesizer.js"
import type { SpeechEspeakOptions } from "./SpeechEspeakOptions.js"

const foundBy = ({ binary = "espeak-ng" }: SpeechEspeakOptions) => findEspeak(binary)

/**
 * espeak-ng with the pitch and the speaking rate of a voice. It does not sound like the speaker, and is not called
 * cloning (decisions 14).
 *
 * It is the program `espeak-ng` in a child process for each utterance; where that is missing, the optional peer
 * `@echogarden/espeak-ng-emscripten`, WebAssembly in worker threads; and where that is missing too, every utterance fails
 * with `ModelUnavailable`, whose message says what to install. Both are under the GPL: this package contains neither.
 */
export const SpeechEspeak = {
  /** A `Synthesizer` by the espeak that is there when the layer is built. */
  layer: (options: SpeechEspeakOptions = {}): Layer.Layer<Synthesizer> =>
    Layer.unwrapEffect(Effect.map(foundBy(options), (found) => espeakSynthesizer(found, options))),
  /** Which espeak there is, for start-up lines. */
  describe: (options: SpeechEspeakOptions = {}): Effect.Effect<EspeakDescription> =>
    Effect.map(foundBy(options), describeEspeak)
}
