import type { Entities } from "./Entities.js"
import type { Property } from "./Property.js"
import type { Span } from "./Values.js"

const stem = (word: string): string => word.length > 3 ? word.replace(/(?:es|s)$/, "") : word

/** Words that lead to what a property of such a name is. */
const leading: ReadonlyArray<readonly [name: RegExp, words: ReadonlyArray<string>]> = [
  [/^(?:from|origin|source|departure|start|begin)$/, ["from", "between"]],
  [/^(?:to|destination|target|arrival|recipient|receiver|end)$/, ["to", "till", "until"]],
  [/^(?:city|location|place|town|area|address|where|country|state|region|venue)$/, ["in", "at", "near", "for", "of"]],
  [/^(?:name|person|customer|contact|guest|caller|patient|author)$/, [
    "am",
    "m",
    "for",
    "with",
    "by",
    "named",
    "called"
  ]],
  [/^(?:at|time|when|date|day)$/, ["at", "on"]]
]

const leadingTo = ({ labels }: Property): ReadonlyArray<string> =>
  leading.filter(([name]) => labels.some((label) => name.test(label))).flatMap(([, words]) => words)

/** Between a label and its value; and between a number and what it counts. */
const behindLabel =
  /^[\s:=,"'“(₹$€£-]*(?:(?:is|are|was|as|of|to|at|for|in|on|about|around|rs|inr|usd)\b[\s.:="'“(₹$€£-]*){0,2}$/i
const beforeCounted = /^[\s-]*(?:\p{L}{1,12} )?$/u

/** The longest gap that is looked at, in UTF-16 units. */
const longestGap = 30

const gap = (text: string, from: number, to: number): string | undefined =>
  to >= from && to - from <= longestGap ? text.slice(from, to) : undefined

const isBetween = (pattern: RegExp, between: string | undefined) => between !== undefined && pattern.test(between)

/** Names of things that are counted: the number stands before them. */
const isCounted = (label: string) => /(?:[^s]s|people|children|percent)$/.test(label)

/** Where in a text the words for a property stand. */
export interface Labels {
  /** Its own words. */
  readonly own: ReadonlyArray<Span & { readonly value: string }>
  /** Words that lead to what it is. */
  readonly leading: ReadonlyArray<Span & { readonly value: string }>
}

/** Where a text speaks of a property. */
export const labelsOf = (property: Property, { words }: Entities): Labels => {
  const stems = new Set(property.labels.map(stem))
  const leads = new Set(leadingTo(property))
  return {
    own: words.filter(({ value }) => stems.has(stem(value))),
    leading: words.filter(({ value }) => leads.has(value))
  }
}

/** How near a value stands to what speaks of its property: 0 means not at all. */
export const nearness = (item: Span, labels: Labels, { text }: { readonly text: string }): number => {
  const isBehind = (label: Span) => isBetween(behindLabel, gap(text, label.end, item.start))
  const best = labels.own.map((label) => {
    const counts = isBetween(beforeCounted, gap(text, item.end, label.start))
    const isFirst = isCounted(label.value)
    if (typeof item.value === "number" && counts) return isFirst ? 4 : 2
    return isBehind(label) ? 3 : 0
  })
  return Math.max(0, ...best, labels.leading.some(isBehind) ? 1 : 0)
}

const small: ReadonlySet<string> = new Set(
  [
    ..."a an and are as at be but by can do for from has have how i if in is it me my no not of on or please so that the"
      .split(" "),
    ..."then there this to was we what when where which who why will with would you your".split(" ")
  ]
)

/** The word behind what speaks of a property, small words apart. */
export const wordBehind = (labels: Labels, said: Entities): Span | undefined => {
  for (const label of [...labels.own, ...labels.leading]) {
    const next = said.words.find((word) => !small.has(word.value) && word.start >= label.end)
    if (next !== undefined && isBetween(behindLabel, gap(said.text, label.end, next.start))) {
      return { ...next, value: said.text.slice(next.start, next.end) }
    }
  }
  return undefined
}
