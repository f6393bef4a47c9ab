import { joined, type SoundProcessor } from "@trunkline/audio"
import { FastCheck } from "effect"

/** What a processor makes of a whole sound. */
export const processed = (processor: SoundProcessor, samples: Float32Array): Float32Array =>
  joined([processor.push(samples), processor.end()])

/** What a processor makes of a sound in pieces that end at some places, and come in a buffer that is used again. */
export const processedInPieces = (
  processor: SoundProcessor,
  { cuts, samples }: { readonly samples: Float32Array; readonly cuts: ReadonlyArray<number> }
): Float32Array => {
  const places = [0, ...cuts.map((cut) => Math.min(cut, samples.length)).toSorted((one, other) => one - other)]
  const buffer = new Float32Array(samples.length)
  const done = places.map((place, index) => {
    const piece = samples.subarray(place, places[index + 1] ?? samples.length)
    buffer.set(piece)
    return processor.push(buffer.subarray(0, piece.length))
  })
  buffer.fill(0)
  return joined([...done, processor.end()])
}

/** Places to cut a sound of so many samples at, many of them close together. */
export const cutsWithin = (length: number): FastCheck.Arbitrary<ReadonlyArray<number>> =>
  FastCheck.array(FastCheck.tuple(FastCheck.nat(length), FastCheck.nat(20)), { maxLength: 12 }).map((places) =>
    places.flatMap(([place, further]) => [place, place + further])
  )
