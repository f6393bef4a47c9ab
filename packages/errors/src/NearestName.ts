import { Array, Option, Order } from "effect"

/** Longest name that is compared with the known ones, and largest number of known ones that a message lists. */
const maxNames = { compared: 64, listed: 12 }

/** Shortest name that counts as near because another one contains it, and shortest word that may be misspelt. */
const shortest = { part: 3, misspelt: 5 }

/** Smallest share of the characters of a name in the words that it has in common with a near one. */
const minShare = 0.5

/** Share of the characters of two names that may differ when one is a misspelling of the other. */
const misspelt = 0.34

/** A name without letter case and separators: `timeZone`, `time_zone` and `timezone` are the same word. */
const squash = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")

const wordsOf = (name: string): ReadonlyArray<string> =>
  name.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1_$2").toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) =>
    word.length >= shortest.part
  )

/** Number of insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
const editDistance = (one: string, other: string): number => {
  let before: ReadonlyArray<number> = []
  let row: ReadonlyArray<number> = Array.makeBy(other.length + 1, (index) => index)
  for (let line = 1; line <= one.length; line++) {
    const next = [line]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[line - 1] === other[column - 1]
      const isSwap = line > 1 && column > 1 && one[line - 1] === other[column - 2] &&
        one[line - 2] === other[column - 1]
      next.push(Math.min(
        (row[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (row[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      ))
    }
    before = row
    row = next
  }
  return row[other.length] ?? 0
}

/** Distances from which one name is only a part of the other, and from which they only share a word. */
const distances = { part: 1, sharedWord: 2 }

/** True for words of which one begins with the other, or is a misspelling of it. */
const isSameWord = (one: string, other: string): boolean =>
  other.startsWith(one) || one.startsWith(other) ||
  (one.length >= shortest.misspelt && editDistance(one, other) <= misspelt * Math.max(one.length, other.length))

/** Distance of two names, less for nearer ones; infinite for names that have nothing in common. */
const distanceOf = (name: string, candidate: string): number => {
  const [one, other] = [squash(name), squash(candidate)]
  const edits = editDistance(one, other) / Math.max(one.length, other.length, 1)
  if (edits <= misspelt) return edits
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one]
  if (shorter.length >= shortest.part && longer.includes(shorter)) return distances.part + edits
  const words = wordsOf(candidate)
  const common = wordsOf(name).filter((word) => words.some((other) => isSameWord(word, other)))
  return common.join("").length >= one.length * minShare ? distances.sharedWord + edits : Number.POSITIVE_INFINITY
}

/** A name that may be meant, and its distance. */
interface Candidate {
  readonly candidate: string
  readonly distance: number
}

const nearest = (candidates: ReadonlyArray<Candidate>): Option.Option<string> => {
  const near = candidates.filter(({ distance }) => Number.isFinite(distance))
  return Array.isNonEmptyReadonlyArray(near)
    ? Option.some(Array.min(near, Order.mapInput(Order.number, ({ distance }) => distance)).candidate)
    : Option.none()
}

const isComparable = (name: string): boolean => name.length <= maxNames.compared && !/^\d+$/.test(name)

const candidatesOf = (name: string, names: ReadonlyArray<string>): ReadonlyArray<Candidate> =>
  isComparable(name) ? names.map((candidate) => ({ candidate, distance: distanceOf(name, candidate) })) : []

/** Candidates among paths, whose last part is compared: only those of which the name is the last part. */
const candidatesBelow = (name: string, paths: ReadonlyArray<string>): ReadonlyArray<Candidate> =>
  isComparable(name)
    ? paths
      .filter((path) => squash(path.replace(/^.*\./, "")) === squash(name))
      .map((candidate) => ({ candidate, distance: 0 }))
    : []

/**
 * Finds the known name that an unknown one most likely stands for: a misspelling, a part of it, or a name that has
 * most of its words in common with it; or the path below whose last part it is. None for names with nothing in common,
 * for numbers, and for names of more than 64 characters.
 */
const nearestName = (name: string, names: ReadonlyArray<string>, below: ReadonlyArray<string>): Option.Option<string> =>
  nearest([...candidatesOf(name, names), ...candidatesBelow(name, below)])

/** The known name of which a name is a misspelling; undefined where it is of none. */
export const misspeltName = (name: string, names: ReadonlyArray<string>): string | undefined =>
  Option.getOrUndefined(nearest(candidatesOf(name, names).filter(({ distance }) => distance <= misspelt)))

const suggestion = (nearest: string): string => `; did you mean ${nearest}?`

const remedy = (name: string, names: ReadonlyArray<string>, below: ReadonlyArray<string>): string =>
  Option.match(nearestName(name, names, below), {
    onSome: suggestion,
    onNone: () => names.length > 0 && names.length <= maxNames.listed ? `; known are ${names.join(", ")}` : ""
  })

/**
 * Issue for a field that does not exist, which names the nearest known one, or all of them where none is near and they are
 * few. `below` are the paths of fields one level down, for a field that is written one level too high.
 *
 * @example
 * ```ts
 * unknownField("time_zone", ["start", "end", "timezone"]).msg // "is not a known field; did you mean timezone?"
 * ```
 */
export const unknownField = (
  name: string,
  names: ReadonlyArray<string>,
  below: ReadonlyArray<string> = []
): { readonly type: "value_error"; readonly msg: string } => ({
  type: "value_error",
  msg: `is not a known field${remedy(name, names, below)}`
})

/**
 * The question whether the nearest known word was meant, to be added to an issue; empty where the word is neither a
 * misspelling nor a part of one. `around` is the value that holds the word; the word itself unless given.
 */
export const nearestWord = (
  word: string,
  names: ReadonlyArray<string>,
  around: (nearest: string) => unknown = (nearest) => nearest
): string =>
  Option.match(nearest(candidatesOf(word, names).filter(({ distance }) => distance < distances.sharedWord)), {
    onSome: (nearest) => suggestion(JSON.stringify(around(nearest))),
    onNone: () => ""
  })
