import { modemTranscriber, Transcriber } from "@trunkline/speech"
import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"

/** Most sounds that are known at once. */
const maxSounds = 10_000

/** The samples from the first to the last that is not zero. */
const withoutZeros = (samples: Float32Array): Float32Array => {
  let [from, to] = [0, samples.length]
  while (from < to && samples[from] === 0) from += 1
  while (to > from && samples[to - 1] === 0) to -= 1
  return samples.subarray(from, to)
}

/** Two hashes of samples, by FNV-1a over their bits, forwards and backwards. */
const hashOf = (samples: Float32Array): string => {
  const bits = new Uint32Array(samples.slice().buffer)
  let [forwards, backwards] = [0x81_1C_9D_C5, 0x81_1C_9D_C5]
  for (let at = 0; at < bits.length; at++) {
    forwards = Math.imul(forwards ^ (bits[at] ?? 0), 0x01_00_01_93)
    backwards = Math.imul(backwards ^ (bits[bits.length - 1 - at] ?? 0), 0x01_00_01_93)
  }
  return `${bits.length} ${forwards} ${backwards}`
}

/**
 * The exact transcriber of `modemVoice`, which reads each sound once: the same words are said in each call of a test, and reading
 * them took most of the time of a call.
 */
export const knownSounds: Layer.Layer<Transcriber> = Layer.map(modemTranscriber, (context) => {
  const { transcribe, ...others } = Context.get(context, Transcriber)
  const sentences = new LRUCache<string, string>({ max: maxSounds })
  return Context.make(Transcriber, {
    ...others,
    transcribe: (audio, options) =>
      Effect.suspend(() => {
        const key = `${audio.rate} ${hashOf(withoutZeros(audio.samples))}`
        const text = sentences.get(key)
        if (text !== undefined) return Effect.succeed(text)
        return Effect.tap(transcribe(audio, options), (text) => void sentences.set(key, text))
      })
  })
})
