import type { TokenChoice } from "../answer/Delta.js"

/** A piece of visible text, with the likelihood of its tokens where that was asked for. */
export interface TextPiece {
  readonly text: string
  readonly logprobs?: ReadonlyArray<TokenChoice>
}

/** Ends a text before the first of its stop sequences, wherever its pieces are cut. */
export interface StopFilter {
  /** What may be shown once this piece has come in; null while it may still be part of a stop sequence. */
  readonly push: (piece: TextPiece) => TextPiece | null
  /** What was held back, once the text is over; null when there is nothing. */
  readonly flush: () => TextPiece | null
  /** Whether a stop sequence was met: nothing comes after that. */
  readonly stopped: () => boolean
}

/** A filter for one text. */
export const makeStopFilter = (stops: ReadonlyArray<string>): StopFilter => {
  let held = ""
  let met = false
  return {
    push: ({ text }) => {
      if (met) return null
      held += text
      const found = stops.map((stop) => held.indexOf(stop)).filter((at) => at >= 0)
      if (found.length > 0) {
        met = true
        const shown = held.slice(0, Math.min(...found))
        return shown === "" ? null : { text: shown }
      }
      const keep = Math.max(0, ...stops.map((stop) => stop.length - 1))
      const shown = held.slice(0, Math.max(0, held.length - keep))
      held = held.slice(shown.length)
      return shown === "" ? null : { text: shown }
    },
    flush: () => {
      const shown = met ? "" : held
      held = ""
      return shown === "" ? null : { text: shown }
    },
    stopped: () => met
  }
}
