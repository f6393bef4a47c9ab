/** A transcript with the verdict that is certain from its text. */
export interface LabelledTranscript {
  readonly rubric: string
  /** One line for each turn: `agent:` or `caller:` and the words. */
  readonly transcript: string
  readonly passes: boolean
}

/**
 * Transcripts of a rubric from a text in which one that passes begins with `+`, and one that does not with `-`.
 */
export const rubricOf = (rubric: string, text: string): ReadonlyArray<LabelledTranscript> =>
  text.trim().split(/\n(?=[+-] )/u).map((entry) => ({
    rubric,
    transcript: entry.slice(2).split("\n").map((line) => line.trim()).join("\n"),
    passes: entry.startsWith("+")
  }))
