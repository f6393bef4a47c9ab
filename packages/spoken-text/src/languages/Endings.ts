/** How ordinals and other endings are written behind figures, such as `21वीं`, `5th`, `10-க்கு`. */
export interface Ordinals {
  /** Endings that follow the figures at once or after a hyphen, the longest first where one begins another. */
  readonly endings: ReadonlyArray<string>
  /** Those of them that may also stand apart: `21 वीं`. */
  readonly apart: ReadonlyArray<string>
  /** Words for certain figures with certain endings, keyed as written: `1ला`. */
  readonly own: Readonly<Record<string, string>>
  /** The endings of first, second and so on, and that of the ordinals after these: what `1st` and `25th` stand for. */
  readonly usual: readonly [first: ReadonlyArray<string>, other: string]
  /** The number's words with the ending. */
  readonly join: (words: string, ending: string) => string
}

/** Endings that are put behind the words as they are. */
export const plainJoin = (words: string, ending: string): string => `${words}${ending}`

/** Ordinals of the first ten numbers in Bengali, Assamese and Odia, with one ending each: `১ম`, `২য়`. */
export const firstOrdinals = (endings: ReadonlyArray<string>, words: ReadonlyArray<string>): Record<string, string> =>
  Object.fromEntries(endings.map((ending, index) => [`${index + 1}${ending}`, words[index] ?? ""]))
