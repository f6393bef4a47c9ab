import type { AudioEncoder } from "@trunkline/audio"
import { concatBytes, macroTask } from "@trunkline/kernel"
import { Effect, type Scope } from "effect"
import { configureLame, encodeChunk, type Lame, makeLame, mp3ChunkSamples, type Mp3Format } from "./encode/Mp3.js"

/** Encodes MP3 streams, each with its own encoder. */
export interface Mp3Streams {
  readonly encoder: (format: Mp3Format) => Effect.Effect<AudioEncoder, never, Scope.Scope>
}

/** Number of encoders that are kept for later streams, of 0.7 to 0.9 MB each. */
const maxIdle = 8

/**
 * Makes encoders as they are needed. They are reused, as making one takes some milliseconds, unless they broke: a trap may
 * corrupt the memory of WebAssembly.
 */
export const makeMp3Streams = (makeEncoder = makeLame): Mp3Streams => {
  const idle: Array<Lame> = []
  const broken = new WeakSet<Lame>()

  const take = Effect.suspend(() => {
    const lame = idle.pop()
    return lame === undefined ? Effect.promise(makeEncoder) : Effect.succeed(lame)
  })

  const release = (lame: Lame) =>
    Effect.sync(() => {
      if (idle.length < maxIdle && !broken.has(lame)) idle.push(lame)
    })

  /** Runs work with an encoder, and marks it as broken when the work dies. */
  const guard = <A>(lame: Lame, work: Effect.Effect<A>): Effect.Effect<A> =>
    Effect.tapDefect(work, () => Effect.sync(() => broken.add(lame)))

  /** Encodes samples in chunks, so that many of them do not block the event loop. */
  const push = (lame: Lame, samples: Float32Array): Effect.Effect<Uint8Array> =>
    Effect.gen(function*() {
      const chunks: Array<Uint8Array> = []
      for (let at = 0; at < samples.length; at += mp3ChunkSamples) {
        if (at > 0) yield* macroTask
        chunks.push(encodeChunk(lame, samples.subarray(at, at + mp3ChunkSamples)))
      }
      return concatBytes(chunks)
    })

  return {
    encoder: (format) =>
      Effect.gen(function*() {
        const lame = yield* Effect.acquireRelease(take, release)
        yield* guard(lame, Effect.sync(() => configureLame(lame, format)))
        return {
          push: (samples) => guard(lame, push(lame, samples)),
          end: guard(lame, Effect.sync(() => lame.finalize().slice()))
        }
      })
  }
}
