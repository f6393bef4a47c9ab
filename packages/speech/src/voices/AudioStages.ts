import {
  type Audio,
  type AudioProcessor,
  concatSamples,
  durationOf,
  makeResampler,
  makeStretcher,
  padSilence
} from "@trunkline/audio"
import { macroTask } from "@trunkline/kernel"
import { Effect, Stream } from "effect"

/** Samples processed before yielding to the event loop: some milliseconds of work for every kind of processor. */
const sliceLength = 8_192

const slicesOf = (samples: Float32Array, length = sliceLength): ReadonlyArray<Float32Array> =>
  Array.from(
    { length: Math.ceil(samples.length / length) },
    (_, index) => samples.subarray(index * length, (index + 1) * length)
  )

/** Cuts the chunks of a stream into slices of at most 8192 samples, and yields to the event loop between them. */
export const inSlices = <E>(audio: Stream.Stream<Float32Array, E>): Stream.Stream<Float32Array, E> =>
  audio.pipe(
    Stream.mapConcat((samples) => slicesOf(samples)),
    Stream.rechunk(1),
    Stream.tap(() => macroTask)
  )

/** Pipes a stream of samples through a new processor, and flushes the processor at the end. */
export const pipeThrough = (make: () => AudioProcessor) => <E>(audio: Stream.Stream<Float32Array, E>) =>
  Stream.suspend(() => {
    const processor = make()
    return Stream.map(audio, processor.push).pipe(
      Stream.concat(Stream.sync(processor.end)),
      Stream.filter((samples) => samples.length > 0)
    )
  })

/** Processes all samples in slices. `growth` is the number of output samples per input sample. Default: 1. */
const processAll = (
  samples: Float32Array,
  make: () => AudioProcessor,
  growth = 1
): Effect.Effect<Float32Array> =>
  Effect.gen(function*() {
    const processor = make()
    const output: Array<Float32Array> = []
    for (const slice of slicesOf(samples, Math.ceil(sliceLength / Math.max(1, growth)))) {
      output.push(processor.push(slice))
      yield* macroTask
    }
    output.push(processor.end())
    return concatSamples(output)
  })

/** Converts audio to another sample rate. */
export const resample = ({ rate, samples }: Audio, to: number): Effect.Effect<Audio> =>
  rate === to
    ? Effect.succeed({ rate, samples })
    : Effect.map(
      processAll(samples, () => makeResampler({ from: rate, to }), to / rate),
      (samples) => ({ rate: to, samples })
    )

/** Speeds audio that is longer than `seconds` up to that length at the same pitch; null is no limit. */
export const shortenTo = (audio: Audio, seconds: number | null): Effect.Effect<Audio> => {
  const factor = seconds === null ? 1 : seconds / durationOf(audio)
  if (factor >= 1) return Effect.succeed(audio)
  const { rate, samples } = audio
  return Effect.map(processAll(samples, () => makeStretcher({ rate, factor })), (samples) => ({ rate, samples }))
}

/** Appends silence to audio that is shorter than `seconds`. */
export const padTo = (audio: Audio, seconds: number | null): Audio =>
  seconds === null ? audio : padSilence(audio, Math.ceil(seconds * audio.rate))

/** Drops the samples beyond `seconds`: resampling can leave a fraction of a sample too many. */
export const truncateTo = ({ rate, samples }: Audio, seconds: number | null): Audio => ({
  rate,
  samples: seconds === null ? samples : samples.subarray(0, Math.floor(seconds * rate))
})
