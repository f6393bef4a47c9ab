import { type AudioProcessor, concatSamples } from "@trunkline/audio"
import { FastCheck } from "effect"

/** Output of a processor for whole audio. */
export const process = (processor: AudioProcessor, samples: Float32Array): Float32Array =>
  concatSamples([processor.push(samples), processor.end()])

/** Output of a processor for audio divided at the given positions, passed in a reused buffer. */
export const processChunks = (
  processor: AudioProcessor,
  { cuts, samples }: { readonly samples: Float32Array; readonly cuts: ReadonlyArray<number> }
): Float32Array => {
  const positions = [0, ...cuts.map((cut) => Math.min(cut, samples.length)).toSorted((one, other) => one - other)]
  const buffer = new Float32Array(samples.length)
  const done = positions.map((position, index) => {
    const chunk = samples.subarray(position, positions[index + 1] ?? samples.length)
    buffer.set(chunk)
    return processor.push(buffer.subarray(0, chunk.length))
  })
  buffer.fill(0)
  return concatSamples([...done, processor.end()])
}

/** Positions at which to divide audio of a length, many of them close together. */
export const cutsWithin = (length: number): FastCheck.Arbitrary<ReadonlyArray<number>> =>
  FastCheck.array(FastCheck.tuple(FastCheck.nat(length), FastCheck.nat(20)), { maxLength: 12 }).map((places) =>
    places.flatMap(([place, further]) => [place, place + further])
  )
