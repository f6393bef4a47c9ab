const alone = /\p{Surrogate}/gu

/** A text in which every half of a UTF-16 pair has its other half; one that has none becomes U+FFFD. */
export const wellFormed = (text: string): string => text.replace(alone, "\uFFFD")

/** Hands on a text that comes in pieces, with no pair of UTF-16 halves cut in two. */
export interface PairKeeper {
  /** What may be handed on once this piece has come in. */
  readonly push: (piece: string) => string
  /** What was held back, once nothing more comes: a half without its other one. */
  readonly flush: () => string
}

/** A keeper for one text. */
export const makePairKeeper = (): PairKeeper => {
  let half = ""
  return {
    push: (piece) => {
      if (piece === "") return ""
      const text = half + piece
      const last = text.charCodeAt(text.length - 1)
      half = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : ""
      return wellFormed(half === "" ? text : text.slice(0, -1))
    },
    flush: () => {
      const left = wellFormed(half)
      half = ""
      return left
    }
  }
}
