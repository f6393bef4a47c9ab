import { datesIn, matchSpans, momentsIn, numbersIn, overlaps, timesIn, type ValueSpan } from "./Values.js"

/** Longest text that is searched, in UTF-16 units. */
const max = 1_000

/** Entities in a text by kind, in the order of the text. */
export interface Entities {
  readonly text: string
  readonly words: ReadonlyArray<ValueSpan & { readonly value: string }>
  readonly email: ReadonlyArray<ValueSpan>
  readonly phone: ReadonlyArray<ValueSpan>
  readonly link: ReadonlyArray<ValueSpan>
  readonly date: ReadonlyArray<ValueSpan>
  readonly time: ReadonlyArray<ValueSpan>
  readonly moment: ReadonlyArray<ValueSpan>
  readonly number: ReadonlyArray<ValueSpan>
  /** Texts in quotation marks. */
  readonly quotations: ReadonlyArray<ValueSpan>
  /** Capitalized words, except the first of a sentence. */
  readonly names: ReadonlyArray<ValueSpan>
}

const inOrder = (items: ReadonlyArray<ValueSpan>): ReadonlyArray<ValueSpan> =>
  items.toSorted((a, b) => a.start - b.start)

const apartFrom = (
  items: ReadonlyArray<ValueSpan>,
  ...others: ReadonlyArray<ReadonlyArray<ValueSpan>>
): ReadonlyArray<ValueSpan> =>
  inOrder(items.filter((item) => !others.some((other) => other.some((one) => overlaps(item, one)))))

/** Checks whether a sentence begins at an offset. */
const begins = (text: string, at: number) => /(?:^|[.!?।]\s*|\n)$/.test(text.slice(Math.max(0, at - 3), at).trimStart())

const capitalWords = /\p{Lu}[\p{L}\p{M}\p{N}'’&-]*(?: (?:\p{Lu}[\p{L}\p{M}\p{N}'’&-]*|\d{1,4}\b))*/gu

/** Finds capitalized names, without the first word of a sentence unless a comma follows it. */
const namesIn = (text: string): ReadonlyArray<ValueSpan> =>
  matchSpans(text, capitalWords, ([name]) => name).flatMap((item) => {
    const name = String(item.value)
    const isAll = name === text.replace(/[.!?।]$/, "")
    const isListed = text[item.end] === "," && !name.includes(" ")
    if (isAll || isListed || !begins(text, item.start)) return /^I(?:['’]\p{L}+)?$/u.test(name) ? [] : [item]
    const second = name.indexOf(" ")
    return second === -1 ? [] : [{ ...item, value: name.slice(second + 1), start: item.start + second + 1 }]
  })

/** Extracts the entities of a text, or of the first 1,000 UTF-16 units of a long one. */
export const extractEntities = (words: string): Entities => {
  const text = words.slice(0, max).replace(/[\ud800-\udbff]$/, "").trim()
  const email = matchSpans(text, /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g, ([address]) => address)
  const link = apartFrom(
    matchSpans(text, /https?:\/\/[^\s"'<>]{1,500}[^\s"'<>.,;:!?)]/g, ([address]) => address),
    email
  )
  const moment = inOrder(momentsIn(text))
  const date = inOrder(datesIn(text))
  const time = apartFrom(timesIn(text), link)
  const phone = apartFrom(
    matchSpans(text, /(?<![\w.,])\+?\d(?:[ -]?\d){7,14}(?![\w-])/g, ([number]) => number.replace(/[ -]/g, "")),
    date,
    link,
    moment
  )
  const number = apartFrom(
    numbersIn(text),
    email,
    link,
    date,
    moment,
    time,
    phone.filter(({ value }) => String(value).startsWith("+"))
  )
  const quotedValueSpans = matchSpans(
    text,
    /"([^"]{1,300})"|“([^”]{1,300})”|(?<!\p{L})'([^']{1,300})'(?!\p{L})/gu,
    ([, ...texts]) => texts.find((one) => one !== undefined)
  )
  return {
    text,
    words: matchSpans(text, /[\p{L}\p{M}\p{N}]+/gu, ([word]) => word.toLowerCase())
      .map((item) => ({ ...item, value: String(item.value) })),
    email,
    phone,
    link,
    date,
    time,
    moment,
    number,
    quotations: quotedValueSpans,
    names: apartFrom(namesIn(text), quotedValueSpans, email, link, date)
  }
}

/** Upper bound of enum members that are searched for. */
const maxMembers = 1_000

const plain = (text: string) => text.toLowerCase().replace(/[_-]/g, " ")

const isWord = (unit: string | undefined) => unit !== undefined && /[\p{L}\p{M}\p{N}]/u.test(unit)

/** Finds a phrase as whole words, ignoring case and hyphens. */
const placeOf = (text: string, words: string): number => {
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    if (!isWord(text[at - 1]) && !isWord(text[at + words.length])) return at
  }
  return -1
}

/** Finds the enum members that a text mentions, in the order of the text, the longest first at each offset. */
export const findMentions = (members: ReadonlyArray<unknown>, entities: Entities): ReadonlyArray<ValueSpan> => {
  const text = plain(entities.text)
  const mentions = members.slice(0, maxMembers).flatMap((value): ReadonlyArray<ValueSpan> => {
    if (typeof value === "number") return entities.number.filter((number) => number.value === value).slice(0, 1)
    if (typeof value !== "string" || value.length < 2 || value.length > text.length) return []
    const start = placeOf(text, plain(value))
    return start === -1 ? [] : [{ value, start, end: start + value.length }]
  })
  return mentions.toSorted((a, b) => a.start - b.start || b.end - a.end)
}
