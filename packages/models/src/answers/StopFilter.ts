import { HeldText, type TextPiece } from "./HeldText.js"
import { StopSearch } from "./StopSearch.js"

export type { TextPiece } from "./HeldText.js"

/** Ends a text before the first of its stop sequences, wherever its pieces are cut. */
export interface StopFilter {
  /** What may be shown once this piece has come in; null while it may still be part of a stop sequence. */
  readonly push: (piece: TextPiece) => TextPiece | null
  /** What was held back, once the text is over; null when there is nothing. */
  readonly flush: () => TextPiece | null
  /**
   * Whether a stop sequence was met: nothing comes after that. One that lies within the beginning of another is only met
   * once it is clear that the other does not come, which may be with `flush`.
   */
  readonly stopped: () => boolean
}

/** Sequences with half a character in them stand in no text, and would cut one in two. */
const canStand = (stop: string): boolean => stop !== "" && !/\p{Surrogate}/u.test(stop)

/**
 * A filter for one text. The match that begins first ends the text, and is not shown; what may be the beginning of a
 * match is held back, and so is the first half of a character, but nothing else. Every unit of the text is looked at
 * once for each sequence.
 */
export const makeStopFilter = (stops: ReadonlyArray<string>): StopFilter => {
  const searches = stops.filter(canStand).map((stop) => new StopSearch(stop))
  const held = new HeldText()
  let met = false

  const foundAt = () => Math.min(...searches.map((search) => search.foundAt))

  return {
    push: (piece) => {
      if (met) return null
      held.push(piece)
      for (const search of searches) search.push(piece.text)
      const found = foundAt()
      const clear = Math.min(held.wholeEnd, ...searches.map((search) => search.clearUntil))
      met = found <= clear
      return held.take(met ? found : clear)
    },
    flush: () => {
      if (met) return null
      const found = foundAt()
      met = found < Infinity
      return held.take(found)
    },
    stopped: () => met
  }
}
