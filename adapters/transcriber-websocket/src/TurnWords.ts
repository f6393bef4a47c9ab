/** A part of what is said in a turn. */
export interface TurnSegment {
  readonly text: string
  readonly isFinal: boolean
  /** True for words that follow those of the segment that is not final, instead of replacing them. */
  readonly isDelta?: boolean
}

/** The words of the turn so far. */
export interface TurnWords {
  /** Adds a segment; the one before is replaced if it was not final. Returns true when the words changed. */
  readonly add: (segment: TurnSegment) => boolean
  /** All words so far, with white space collapsed. */
  readonly text: () => string
  /** Returns all words so far and begins a turn. */
  readonly take: () => string
}

const joinWords = (segments: ReadonlyArray<string>): string => segments.join(" ").replace(/\s+/gu, " ").trim()

/** Makes an empty turn. */
export const makeTurnWords = (): TurnWords => {
  let final = ""
  let partial = ""
  const text = () => joinWords([final, partial])
  return {
    add: (segment) => {
      const before = text()
      if (segment.isFinal) final = joinWords([final, segment.text])
      partial = segment.isFinal ? "" : segment.isDelta === true ? partial + segment.text : segment.text
      return text() !== before
    },
    text,
    take: () => {
      const words = text()
      final = ""
      partial = ""
      return words
    }
  }
}
