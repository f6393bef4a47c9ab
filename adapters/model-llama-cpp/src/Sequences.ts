import { Effect } from "effect"
import type { Sequence, Token } from "./LlamaModule.js"

/** The places in which answers are written. */
export interface Sequences {
  /** Takes the free one that has read most of a prompt already; waits for one, first come first served. */
  readonly take: (prompt: ReadonlyArray<Token>) => Effect.Effect<Sequence>
  /** Gives one back, once nothing is being written in it. */
  readonly give: (sequence: Sequence) => void
}

/** Places for answers, all of them free. */
export const makeSequences = (all: ReadonlyArray<Sequence>): Sequences => {
  const free = new Set(all)
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
    let got: Sequence | undefined
    const go = (sequence: Sequence) => {
      got = sequence
      resume(Effect.succeed(sequence))
    }
    waiting.add(go)
    return Effect.sync(() => {
      waiting.delete(go)
      if (got !== undefined) give(got)
    })
  })

  return {
    take: (prompt) =>
      Effect.suspend(() => {
        const read = (sequence: Sequence) => sequence.compareContextTokens(prompt).firstDifferentIndex
        const [best] = [...free].map((sequence) => ({ sequence, read: read(sequence) })).sort((a, b) => b.read - a.read)
        if (best === undefined) return wait
        free.delete(best.sequence)
        return Effect.succeed(best.sequence)
      }),
    give
  }
}
