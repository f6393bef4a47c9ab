import type { Stream } from "effect"
import type { HeardWords } from "./Connection.js"
import { makePartialWords } from "./PartialWords.js"
import { makeTurnWords } from "./TurnWords.js"

/** Words of the caller's turn, and the flush that ends it; positions count the samples of the listening. */
export interface Turn {
  /** The words so far, as they change; never empty. */
  readonly partials: Stream.Stream<string>
  /** Position up to which nothing more is expected: that sound need not be sent again. */
  readonly doneUntil: () => number
  /** Position that is waited for; null when there is none. */
  readonly awaited: () => number | null
  /** Adds words of the server; those of a turn that was taken already are ignored. */
  readonly hear: (words: HeardWords) => void
  /** Calls back once with the final words of the sound up to a position. */
  readonly await: (position: number, done: (words: string) => void) => void
  /** Ends the turn at a position, whatever the server still says about it, and returns its words so far. */
  readonly take: (position: number) => string
  /** Ends the partial words. */
  readonly end: () => void
}

/** Makes the first turn of a listening. */
export const makeTurn = (): Turn => {
  const words = makeTurnWords()
  const partials = makePartialWords()
  let doneUntil = 0
  let takenUntil = 0
  let wait: { readonly position: number; readonly done: (words: string) => void } | null = null

  const take = (position: number): string => {
    wait = null
    takenUntil = Math.max(takenUntil, position)
    doneUntil = Math.max(doneUntil, position)
    return words.take()
  }

  return {
    partials: partials.stream,
    doneUntil: () => doneUntil,
    awaited: () => wait?.position ?? null,
    hear: ({ isDelta = false, isFinal, isFlushed, text, until }) => {
      const isStale = until !== null && until <= takenUntil
      if (!isStale && words.add({ text, isFinal, isDelta }) && words.text() !== "") partials.publish(words.text())
      if (isFinal && until !== null) doneUntil = Math.max(doneUntil, until)
      if (wait === null || (until === null ? !isFlushed : until < wait.position)) return
      const { done, position } = wait
      if (isFinal || isFlushed) done(take(position))
    },
    await: (position, done) => {
      wait = { position, done }
    },
    take,
    end: partials.end
  }
}
