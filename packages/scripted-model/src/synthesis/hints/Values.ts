/** A possible value in a text. */
export interface ValueSpan {
  readonly value: unknown
  /** Offset in UTF-16 units; `end` is exclusive. */
  readonly start: number
  readonly end: number
}

/** Checks whether two spans overlap. */
export const overlaps = (a: ValueSpan, b: ValueSpan): boolean => a.start < b.end && b.start < a.end

/** Finds all matches of a pattern that have a value. */
export const matchSpans = (
  text: string,
  pattern: RegExp,
  valueOf: (match: RegExpMatchArray) => unknown
): ReadonlyArray<ValueSpan> =>
  [...text.matchAll(pattern)].flatMap((match) => {
    const value = valueOf(match)
    return value === undefined ? [] : [{ value, start: match.index, end: match.index + match[0].length }]
  })

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const monthName =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"

const pad = (value: number) => String(value).padStart(2, "0")

const isoDate = (year: number, month: number, day: number): string | undefined => {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= days
  return isDate ? `${year}-${pad(month)}-${pad(day)}` : undefined
}

const monthOf = (name = "") => months.indexOf(name.slice(0, 3).toLowerCase()) + 1

/** Finds dates, as ISO 8601: written so, day before month with slashes or dots, or with the English month name. */
export const datesIn = (text: string): ReadonlyArray<ValueSpan> => [
  ...matchSpans(
    text,
    /\b(\d{4})-(\d\d)-(\d\d)(?!\d)/g,
    ([, year, month, day]) => isoDate(Number(year), Number(month), Number(day))
  ),
  ...matchSpans(
    text,
    /\b(\d\d?)[/.](\d\d?)[/.](\d{4})\b/g,
    ([, day, month, year]) => isoDate(Number(year), Number(month), Number(day))
  ),
  ...matchSpans(
    text,
    new RegExp(`\\b(\\d\\d?)(?:st|nd|rd|th)? (?:of )?${monthName},? (\\d{4})\\b`, "gi"),
    ([, day, month, year]) => isoDate(Number(year), monthOf(month), Number(day))
  ),
  ...matchSpans(
    text,
    new RegExp(`\\b${monthName} (\\d\\d?)(?:st|nd|rd|th)?,? (\\d{4})\\b`, "gi"),
    ([, month, day, year]) => isoDate(Number(year), monthOf(month), Number(day))
  )
]

const isoTime = (hour: number, minute: number, half = ""): string | undefined => {
  const isAfternoon = half.toLowerCase().startsWith("p")
  const hours = half === "" ? hour : (hour % 12) + (isAfternoon ? 12 : 0)
  return hours < 24 && minute < 60 ? `${pad(hours)}:${pad(minute)}` : undefined
}

/** Finds times of day, as hours and minutes. */
export const timesIn = (text: string): ReadonlyArray<ValueSpan> => [
  ...matchSpans(
    text,
    /(?<![\d:])(\d\d?):(\d\d)(?::\d\d)?(?!\d)(?: ?([ap])\.?m\b)?/gi,
    ([, hour, minute, half]) => isoTime(Number(hour), Number(minute), half)
  ),
  ...matchSpans(text, /(?<![\d:])(\d\d?) ?([ap])\.?m\b/gi, ([, hour, half]) => isoTime(Number(hour), 0, half))
]

/** Finds timestamps, as ISO 8601 in UTC: written so, or dates with the first time of day or midnight. */
export const momentsIn = (text: string): ReadonlyArray<ValueSpan> => {
  const timestamps = matchSpans(
    text,
    /\b\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)/g,
    ([moment]) => moment
  )
  if (timestamps.length > 0) return timestamps
  const [time] = timesIn(text)
  return datesIn(text).map((date) => ({ ...date, value: `${date.value}T${time?.value ?? "00:00"}:00Z` }))
}

const scales: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1_000,
  k: 1_000,
  lakh: 100_000,
  lakhs: 100_000,
  million: 1_000_000,
  crore: 10_000_000,
  crores: 10_000_000
}

const words: ReadonlyArray<ReadonlyArray<string>> = [
  ["one", "एक"],
  ["two", "दो"],
  ["three", "तीन"],
  ["four", "चार"],
  ["five", "पाँच", "पांच"],
  ["six", "छह"],
  ["seven", "सात"],
  ["eight", "आठ"],
  ["nine", "नौ"],
  ["ten", "दस"],
  ["eleven", "ग्यारह"],
  ["twelve", "बारह"]
]

const wordValues = new Map(words.flatMap((names, index) => names.map((name) => [name, index + 1])))

/** Finds numbers: digits with or without commas and an English scale, or words up to twelve. */
export const numbersIn = (text: string): ReadonlyArray<ValueSpan> => [
  ...matchSpans(
    text,
    /(?<![\p{L}\p{N}.,])(?:(?<=(?:^|\s))-)?\d{1,15}(?:,\d{2,3}){0,5}(?:\.\d{1,15})?(?: ?(hundred|thousand|k|lakhs?|million|crores?)\b)?/giu,
    ([digits, scale]) =>
      Number(digits.replaceAll(",", "").replace(/ ?[a-z]+$/i, "")) * (scales[scale?.toLowerCase() ?? ""] ?? 1)
  ),
  ...matchSpans(text, /[\p{L}\p{M}]+/gu, ([word]) => wordValues.get(word.toLowerCase()))
]
