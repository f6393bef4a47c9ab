/**
 * A phrase to look for: words that follow each other. A word may be several (`call/phone`), the start of one (`remov~`) or
 * optional (`any?`), and `*` stands for up to four words.
 */
export type Phrase = string

/** Refusals of calls in one language. */
export interface RefusalWords {
  /** Phrases that refuse all further calls, whatever else is in the sentence. */
  readonly always: ReadonlyArray<Phrase>
  /** Phrases that refuse calls unless the sentence says when or where, since then they are about one call. */
  readonly unlessQualified: ReadonlyArray<Phrase>
  /** Words that say when, where or how else. */
  readonly qualifiers: ReadonlyArray<Phrase>
  /** Phrases in sentences that only sound like a refusal. */
  readonly exceptions?: ReadonlyArray<Phrase>
}

/** Most words that a `*` stands for. */
const maxGap = 4

interface Step {
  readonly words: ReadonlySet<string>
  readonly starts: ReadonlyArray<string>
  readonly isOptional: boolean
}

type Steps = ReadonlyArray<Step | "gap">

const readStep = (text: string): Step | "gap" => {
  if (text === "*") return "gap"
  const isOptional = text.endsWith("?")
  const options = (isOptional ? text.slice(0, -1) : text).split("/")
  return {
    words: new Set(options.filter((option) => !option.endsWith("~"))),
    starts: options.flatMap((option) => option.endsWith("~") ? [option.slice(0, -1)] : []),
    isOptional
  }
}

const fits = ({ starts, words }: Step, word: string): boolean =>
  words.has(word) || starts.some((start) => word.startsWith(start))

const matchesAt = (words: ReadonlyArray<string>, at: number, steps: Steps, index: number): boolean => {
  const step = steps[index]
  if (step === undefined) return true
  if (step === "gap") {
    for (let gap = 0; gap <= maxGap; gap++) if (matchesAt(words, at + gap, steps, index + 1)) return true
    return false
  }
  const word = words[at]
  if (word !== undefined && fits(step, word) && matchesAt(words, at + 1, steps, index + 1)) return true
  return step.isOptional && matchesAt(words, at, steps, index + 1)
}

/** Tells if any of the phrases is among the words. The work grows with the words, since phrases are short. */
export type PhraseFinder = (words: ReadonlyArray<string>) => boolean

/** Makes the finder of phrases, in the form that words have after `wordsOf`. */
export const phraseFinder = (phrases: ReadonlyArray<Phrase>): PhraseFinder => {
  const patterns = phrases.map((phrase): Steps => phrase.normalize("NFC").split(" ").map(readStep))
  return (words) => words.some((_, at) => patterns.some((steps) => matchesAt(words, at, steps, 0)))
}
