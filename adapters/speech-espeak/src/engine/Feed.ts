import { ModelTimedOut } from "@trunkline/errors"
import type { SpeechFailure } from "@trunkline/speech"
import { Duration, Effect, Option, Stream } from "effect"

/** What is known of a feed's reader. */
export interface FeedOptions {
  /** How long the reader waits for sound before it is too long, in milliseconds by the wall. */
  readonly limit: number
  /** Called when the reader has taken a piece. */
  readonly onTaken: () => void
}

/** Sound on its way from one maker to one reader. */
export interface Feed {
  readonly push: (samples: Float32Array) => void
  /** No more comes, since it is whole (null) or has failed. Only the first end counts. */
  readonly end: (failure: SpeechFailure | null) => void
  /** How many samples wait for the reader. */
  readonly waiting: () => number
  /** The sound, to be read once. It fails with `ModelTimedOut` when there is none for too long. */
  readonly sound: Stream.Stream<Float32Array, SpeechFailure>
}

type Taken = Effect.Effect<Float32Array, Option.Option<SpeechFailure>>

/** A feed with nothing in it. */
export const makeFeed = ({ limit, onTaken }: FeedOptions): Feed => {
  const pieces: Array<Float32Array> = []
  let waiting = 0
  let ending: Taken | null = null
  /** The reader, where one waits. */
  let settle: ((taken: Taken) => void) | null = null

  const next = (): Taken | null => {
    const piece = pieces.shift()
    if (piece === undefined) return ending
    waiting -= piece.length
    onTaken()
    return Effect.succeed(piece)
  }

  const serve = () => {
    const taken = settle === null ? null : next()
    if (taken !== null) settle?.(taken)
  }

  const end = (failure: SpeechFailure | null) => {
    ending ??= Effect.fail(Option.fromNullable(failure))
    serve()
  }

  const take: Taken = Effect.async((resume) => {
    // A process that was busy itself reads what has arrived meanwhile before it finds that nothing came.
    const timer = setTimeout(() => {
      late = setImmediate(() => end(tooLong(limit)))
    }, limit)
    let late: NodeJS.Immediate | undefined
    const leave = () => {
      clearTimeout(timer)
      clearImmediate(late)
      settle = null
    }
    settle = (taken) => {
      leave()
      resume(taken)
    }
    serve()
    return Effect.sync(leave)
  })

  return {
    push: (samples) => {
      pieces.push(samples)
      waiting += samples.length
      serve()
    },
    end,
    waiting: () => waiting,
    sound: Stream.repeatEffectOption(Effect.suspend(() => next() ?? take))
  }
}

const tooLong = (limit: number) =>
  new ModelTimedOut({ message: `espeak-ng gave no sound within ${Duration.format(Duration.millis(limit))}` })
