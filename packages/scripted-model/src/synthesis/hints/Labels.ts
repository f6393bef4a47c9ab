import type { Entities } from "./Entities.js"
import type { Property } from "./Property.js"
import type { ValueSpan } from "./Values.js"

const stem = (word: string): string => word.length > 3 ? word.replace(/(?:es|s)$/, "") : word

/** Prepositions and the like that introduce the value of a property with such a name. */
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

/** Text between a label and its value, and between a number and its unit. */
const behindLabel =
  /^[\s:=,"'“(₹$€£-]*(?:(?:is|are|was|as|of|to|at|for|in|on|about|around|rs|inr|usd)\b[\s.:="'“(₹$€£-]*){0,2}$/i
const beforeCounted = /^[\s-]*(?:\p{L}{1,12} )?$/u

/** Longest gap between a label and its value, in UTF-16 units. */
const maxGap = 30

const gap = (text: string, from: number, to: number): string | undefined =>
  to >= from && to - from <= maxGap ? text.slice(from, to) : undefined

const isBetween = (pattern: RegExp, between: string | undefined) => between !== undefined && pattern.test(between)

/** Detects names of countable things: their number stands before them. */
const isCounted = (label: string) => /(?:[^s]s|people|children|percent)$/.test(label)

/** Positions in a text of the words for a property. */
export interface Labels {
  /** Words of its name. */
  readonly ownWords: ReadonlyArray<ValueSpan & { readonly value: string }>
  /** Words that introduce its value. */
  readonly leadWords: ReadonlyArray<ValueSpan & { readonly value: string }>
}

/** Finds where a text mentions a property. */
export const labelsOf = (property: Property, { words }: Entities): Labels => {
  const stems = new Set(property.labels.map(stem))
  const leads = new Set(leadingTo(property))
  return {
    ownWords: words.filter(({ value }) => stems.has(stem(value))),
    leadWords: words.filter(({ value }) => leads.has(value))
  }
}

/** Scores how closely a value belongs to the mention of its property; 0 for not at all. */
export const nearness = (item: ValueSpan, labels: Labels, { text }: { readonly text: string }): number => {
  const isBehind = (label: ValueSpan) => isBetween(behindLabel, gap(text, label.end, item.start))
  const best = labels.ownWords.map((label) => {
    const counts = isBetween(beforeCounted, gap(text, item.end, label.start))
    const isFirst = isCounted(label.value)
    if (typeof item.value === "number" && counts) return isFirst ? 4 : 2
    return isBehind(label) ? 3 : 0
  })
  return Math.max(0, ...best, labels.leadWords.some(isBehind) ? 1 : 0)
}

const small: ReadonlySet<string> = new Set(
  [
    ..."a an and are as at be but by can do for from has have how i if in is it me my no not of on or please so that the"
      .split(" "),
    ..."then there this to was we what when where which who why will with would you your".split(" ")
  ]
)

/** Finds the first significant word after the mention of a property. */
export const wordBehind = (labels: Labels, entities: Entities): ValueSpan | undefined => {
  for (const label of [...labels.ownWords, ...labels.leadWords]) {
    const next = entities.words.find((word) => !small.has(word.value) && word.start >= label.end)
    if (next !== undefined && isBetween(behindLabel, gap(entities.text, label.end, next.start))) {
      return { ...next, value: entities.text.slice(next.start, next.end) }
    }
  }
  return undefined
}
