import type { Item } from "./Item.js"
import type { Said } from "./Said.js"

/** How many members of a list are looked for. */
const most = 1_000

const plain = (text: string) => text.toLowerCase().replace(/[_-]/g, " ")

const isWord = (unit: string | undefined) => unit !== undefined && /[\p{L}\p{M}\p{N}]/u.test(unit)

/** Where a text has another as whole words, in any case of letters and with or without hyphens. */
const placeOf = (text: string, words: string): number => {
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    if (!isWord(text[at - 1]) && !isWord(text[at + words.length])) return at
  }
  return -1
}

/** The members of a list that a text names, in the order in which they stand there; the longest where several begin. */
export const mentionsOf = (members: ReadonlyArray<unknown>, said: Said): ReadonlyArray<Item> => {
  const text = plain(said.text)
  const mentions = members.slice(0, most).flatMap((value): ReadonlyArray<Item> => {
    if (typeof value === "number") return said.number.filter((number) => number.value === value).slice(0, 1)
    if (typeof value !== "string" || value.length < 2 || value.length > text.length) return []
    const start = placeOf(text, plain(value))
    return start === -1 ? [] : [{ value, start, end: start + value.length }]
  })
  return mentions.toSorted((a, b) => a.start - b.start || b.end - a.end)
}
