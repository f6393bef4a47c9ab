import { joined, makeResampler, type Sound, type SoundProcessor } from "@trunkline/audio"
import { macroTask } from "@trunkline/kernel"
import { Effect, Stream } from "effect"

/** Samples that are worked on without a pause: some milliseconds' worth, whatever is done to them. */
const atOnce = 8_192

const slicesOf = (samples: Float32Array, length = atOnce): ReadonlyArray<Float32Array> =>
  Array.from(
    { length: Math.ceil(samples.length / length) },
    (_, index) => samples.subarray(index * length, (index + 1) * length)
  )

/** The pieces of a stream, none longer than what may be worked on without a pause, and others get their turn between. */
export const inSlices = <E>(sound: Stream.Stream<Float32Array, E>): Stream.Stream<Float32Array, E> =>
  sound.pipe(
    Stream.mapConcat((samples) => slicesOf(samples)),
    Stream.rechunk(1),
    Stream.tap(() => macroTask)
  )

const isSome = (samples: Float32Array): boolean => samples.length > 0

/** A stream of sound as a processor changes it. */
export const streamThrough = (make: () => SoundProcessor) => <E>(sound: Stream.Stream<Float32Array, E>) =>
  Stream.suspend(() => {
    const processor = make()
    return Stream.map(sound, processor.push).pipe(
      Stream.concat(Stream.sync(processor.end)),
      Stream.filter(isSome)
    )
  })

/** A whole sound as a processor changes it, which makes `growth` samples of each: 1 unless told. */
export const wholeThrough = (
  samples: Float32Array,
  make: () => SoundProcessor,
  growth = 1
): Effect.Effect<Float32Array> =>
  Effect.gen(function*() {
    const processor = make()
    const done: Array<Float32Array> = []
    for (const slice of slicesOf(samples, Math.ceil(atOnce / Math.max(1, growth)))) {
      done.push(processor.push(slice))
      yield* macroTask
    }
    done.push(processor.end())
    return joined(done)
  })

/** A whole sound at another rate. */
export const resampled = ({ rate, samples }: Sound, to: number): Effect.Effect<Sound> =>
  rate === to
    ? Effect.succeed({ rate, samples })
    : Effect.map(
      wholeThrough(samples, () => makeResampler({ from: rate, to }), to / rate),
      (samples) => ({ rate: to, samples })
    )
