import { ModelTimedOut } from "@trunkline/errors"
import type { SpeechFailure } from "@trunkline/speech"
import { Duration, Effect, Option, Stream } from "effect"

/** Options of a feed. */
export interface AudioFeedOptions {
  /** Time that the reader waits for audio, in milliseconds of real time. */
  readonly timeoutMillis: number
  /** Called when the reader has taken a chunk. */
  readonly onTaken: () => void
}

/** Audio on its way from one producer to one reader. */
export interface AudioFeed {
  readonly push: (samples: Float32Array) => void
  /** Ends the audio, completely (null) or with a failure. Only the first call counts. */
  readonly end: (failure: SpeechFailure | null) => void
  /** Number of samples that wait for the reader. */
  readonly waiting: () => number
  /** The audio, to be read once. It fails with `ModelTimedOut` when there is none for too long. */
  readonly audio: Stream.Stream<Float32Array, SpeechFailure>
}

type Taken = Effect.Effect<Float32Array, Option.Option<SpeechFailure>>

/** Makes an empty feed. */
export const makeAudioFeed = ({ onTaken, timeoutMillis }: AudioFeedOptions): AudioFeed => {
  const chunks: Array<Float32Array> = []
  let waiting = 0
  let ending: Taken | null = null
  /** Callback of the waiting reader. */
  let settle: ((chunk: Taken) => void) | null = null

  const next = (): Taken | null => {
    const chunk = chunks.shift()
    if (chunk === undefined) return ending
    waiting -= chunk.length
    onTaken()
    return Effect.succeed(chunk)
  }

  const serve = () => {
    const chunk = settle === null ? null : next()
    if (chunk !== null) settle?.(chunk)
  }

  const end = (failure: SpeechFailure | null) => {
    ending ??= Effect.fail(Option.fromNullable(failure))
    serve()
  }

  const take: Taken = Effect.async((resume) => {
    // If this process was busy, it first reads what has arrived meanwhile.
    const timer = setTimeout(() => {
      late = setImmediate(() => end(timedOut(timeoutMillis)))
    }, timeoutMillis)
    let late: NodeJS.Immediate | undefined
    const leave = () => {
      clearTimeout(timer)
      clearImmediate(late)
      settle = null
    }
    settle = (chunk) => {
      leave()
      resume(chunk)
    }
    serve()
    return Effect.sync(leave)
  })

  return {
    push: (samples) => {
      chunks.push(samples)
      waiting += samples.length
      serve()
    },
    end,
    waiting: () => waiting,
    audio: Stream.repeatEffectOption(Effect.suspend(() => next() ?? take))
  }
}

const timedOut = (millis: number) =>
  new ModelTimedOut({ message: `espeak-ng gave no audio within ${Duration.format(Duration.millis(millis))}` })
