import { type AudioFormat, CodecsBusy, joined, makeResampler, secondsOf, type Sound } from "@trunkline/audio"
import { macroTask } from "@trunkline/kernel"
import { Duration, Effect } from "effect"
import { opusRates } from "./encode/OpusRates.js"
import { type Outcome, ThreadBroke } from "./thread/CodecThread.js"
import type { CompressedCodec, Writing } from "./thread/Messages.js"
import type { Threads } from "./thread/Threads.js"

/** Samples that are resampled without a pause: some milliseconds' worth. */
const atOnce = 8_192

/** What a rate becomes that Opus does not take. */
const fullRate = 48_000

/** How long writing may take, which on an idle core is a 20th of how long the sound lasts, or less. */
const limitOf = (sound: Sound): Duration.Duration => Duration.seconds(10 + secondsOf(sound))

const resampled = (samples: Float32Array, from: number): Effect.Effect<Float32Array> =>
  Effect.gen(function*() {
    const resampler = makeResampler({ from, to: fullRate })
    const pieces: Array<Float32Array> = []
    for (let at = 0; at < samples.length; at += atOnce) {
      if (at > 0) yield* macroTask
      pieces.push(resampler.push(samples.subarray(at, at + atOnce)))
    }
    return joined([...pieces, resampler.end()])
  })

/** A sound as its encoder takes it. */
const writingOf = (
  { samples }: Sound,
  { bitrate = "128k", codec, rate: asked }: AudioFormat<CompressedCodec>
): Effect.Effect<Writing> =>
  Effect.gen(function*() {
    const rate = codec !== "opus" || opusRates.some((known) => known === asked) ? asked : fullRate
    const taken = rate === asked ? samples : yield* resampled(samples, asked)
    return { codec, bitrate, asked, rate, samples: new Float32Array(taken) }
  })

const bytesOf = (outcome: Outcome): Effect.Effect<Uint8Array> =>
  outcome._tag === "Written"
    ? Effect.succeed(outcome.bytes)
    : Effect.dieMessage("A thread read what it was to write")

/** Writes a whole sound in a thread; dies when that breaks, or takes much longer than it ever should. */
export const writeSound = (
  threads: Threads,
  sound: Sound,
  format: AudioFormat<CompressedCodec>
): Effect.Effect<Uint8Array, CodecsBusy> =>
  threads.use((thread) =>
    Effect.flatMap(writingOf(sound, format), (writing) =>
      Effect.timeoutFail(thread.run({ _tag: "Write", writing }), {
        duration: limitOf(sound),
        onTimeout: () => new ThreadBroke({ kind: "Timeout" })
      }))
  ).pipe(
    Effect.catchTags({
      NoThread: ({ message }) => new CodecsBusy({ message }),
      ThreadBroke: Effect.die
    }),
    Effect.flatMap(bytesOf)
  )
