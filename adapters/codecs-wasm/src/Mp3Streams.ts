import { type AudioEncoder } from "@trunkline/audio"
import { concatBytes, macroTask } from "@trunkline/kernel"
import { Effect, type Scope } from "effect"
import { type Lame, makeLame, mp3AtOnce, type Mp3Format, pushTo, setUp } from "./encode/Lame.js"

/** Writes MP3s that are still being made, each with an encoder of its own. */
export interface Mp3Streams {
  readonly encoder: (format: Mp3Format) => Effect.Effect<AudioEncoder, never, Scope.Scope>
}

/** Encoders that are kept for the next streams, of 0.7 to 0.9 MB each. */
const mostKept = 8

/**
 * Makes encoders as they are needed. They are used again, as making one takes some milliseconds, unless they broke: what
 * a trap leaves in the memory of WebAssembly would spoil the next streams.
 */
export const makeMp3Streams = (makeEncoder = makeLame): Mp3Streams => {
  const kept: Array<Lame> = []
  const broken = new WeakSet<Lame>()

  const take = Effect.suspend(() => {
    const lame = kept.pop()
    return lame === undefined ? Effect.promise(makeEncoder) : Effect.succeed(lame)
  })

  const giveBack = (lame: Lame) =>
    Effect.sync(() => {
      if (kept.length < mostKept && !broken.has(lame)) kept.push(lame)
    })

  /** Something done with an encoder, which is broken if it dies. */
  const using = <A>(lame: Lame, work: Effect.Effect<A>): Effect.Effect<A> =>
    Effect.tapDefect(work, () => Effect.sync(() => broken.add(lame)))

  /** Some samples after others, so that many of them do not hold up the event loop. */
  const push = (lame: Lame, samples: Float32Array): Effect.Effect<Uint8Array> =>
    Effect.gen(function*() {
      const pieces: Array<Uint8Array> = []
      for (let at = 0; at < samples.length; at += mp3AtOnce) {
        if (at > 0) yield* macroTask
        pieces.push(pushTo(lame, samples.subarray(at, at + mp3AtOnce)))
      }
      return concatBytes(pieces)
    })

  return {
    encoder: (format) =>
      Effect.gen(function*() {
        const lame = yield* Effect.acquireRelease(take, giveBack)
        yield* using(lame, Effect.sync(() => setUp(lame, format)))
        return {
          push: (samples) => using(lame, push(lame, samples)),
          end: using(lame, Effect.sync(() => lame.finalize().slice()))
        }
      })
  }
}
