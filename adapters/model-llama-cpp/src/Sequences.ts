import { Effect } from "effect"
import type { LlamaToken, Sequence } from "./LlamaModule.js"

/** A pool of context sequences, each of which holds one answer at a time. */
export interface SequencePool {
  /** Takes the free sequence that shares the longest prefix with a prompt; waits for one, first come first served. */
  readonly acquire: (prompt: ReadonlyArray<LlamaToken>) => Effect.Effect<Sequence>
  /** Returns a sequence that is no longer in use. */
  readonly release: (sequence: Sequence) => void
}

/** Makes a pool in which all sequences are free. */
export const makeSequencePool = (sequences: ReadonlyArray<Sequence>): SequencePool => {
  const free = new Set(sequences)
  const waiting = new Set<(sequence: Sequence) => void>()

  const give = (sequence: Sequence) => {
    const [next] = waiting
    if (next === undefined) free.add(sequence)
    else {
      waiting.delete(next)
      next(sequence)
    }
  }

  const wait = Effect.async<Sequence>((resume) => {
    let grant: Sequence | undefined
    const go = (sequence: Sequence) => {
      grant = sequence
      resume(Effect.succeed(sequence))
    }
    waiting.add(go)
    return Effect.sync(() => {
      waiting.delete(go)
      if (grant !== undefined) give(grant)
    })
  })

  return {
    acquire: (prompt) =>
      Effect.suspend(() => {
        const read = (sequence: Sequence) => sequence.compareContextTokens(prompt).firstDifferentIndex
        const [best] = [...free].map((sequence) => ({ sequence, read: read(sequence) })).sort((a, b) => b.read - a.read)
        if (best === undefined) return wait
        free.delete(best.sequence)
        return Effect.succeed(best.sequence)
      }),
    release: give
  }
}
