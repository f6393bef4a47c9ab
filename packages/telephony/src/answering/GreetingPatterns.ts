import { containsPhrase, partsOf } from "../announcements/Phrases.js"

/** A phrase as it is looked for: at the beginning of the call only, or anywhere. */
interface GreetingPattern {
  readonly parts: ReadonlyArray<string>
  readonly isFirst: boolean
}

const choice = /\(([^()]*)\)/

/** All wordings of a phrase with choices: `(a|b) c` is "a c" and "b c". */
const wordingsOf = (phrase: string): ReadonlyArray<string> => {
  const [wholeText, inner] = choice.exec(phrase) ?? []
  if (wholeText === undefined || inner === undefined) return [phrase]
  return inner.split("|").flatMap((one) => wordingsOf(phrase.replace(wholeText, () => one)))
}

const patternOf = (wording: string): GreetingPattern => ({ parts: partsOf(wording), isFirst: wording.startsWith("^") })

/** Letters of a word, with the space before it, by which patterns are looked up. */
const keyLength = 3

/**
 * Makes a function that tells whether words have one of the phrases: `words` with a space around each, and `restAt`, the place of the
 * space before the first one after the salutation. Patterns are looked up by their first letters, since there are thousands.
 */
export const makePhraseMatcher = (phrases: ReadonlyArray<string>): (words: string, restAt: number) => boolean => {
  const table = new Map<string, Array<GreetingPattern>>()
  for (const pattern of phrases.flatMap(wordingsOf).map(patternOf)) {
    const key = (pattern.parts[0] ?? "").slice(0, keyLength)
    const those = table.get(key)
    if (those === undefined) table.set(key, [pattern])
    else those.push(pattern)
  }

  return (words, restAt) => {
    for (let at = 0; at >= 0; at = words.indexOf(" ", at + 1)) {
      const holds = table.get(words.slice(at, at + keyLength))?.some(({ isFirst, parts }) =>
        (!isFirst || at === 0 || at === restAt) && words.startsWith(parts[0] ?? "", at) &&
        (parts.length === 1 || containsPhrase(words.slice(at), parts))
      )
      if (holds === true) return true
    }
    return false
  }
}
