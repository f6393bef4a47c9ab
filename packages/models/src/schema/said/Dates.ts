import { found, type Item } from "./Item.js"

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const monthName =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"

const padded = (value: number) => String(value).padStart(2, "0")

const isoDate = (year: number, month: number, day: number): string | undefined => {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= days
  return isDate ? `${year}-${padded(month)}-${padded(day)}` : undefined
}

const monthOf = (name = "") => months.indexOf(name.slice(0, 3).toLowerCase()) + 1

/** The dates in a text, in ISO 8601: as such, day before month with slashes or dots, and with the month's English name. */
export const datesIn = (text: string): ReadonlyArray<Item> => [
  ...found(
    text,
    /\b(\d{4})-(\d\d)-(\d\d)(?!\d)/g,
    ([, year, month, day]) => isoDate(Number(year), Number(month), Number(day))
  ),
  ...found(
    text,
    /\b(\d\d?)[/.](\d\d?)[/.](\d{4})\b/g,
    ([, day, month, year]) => isoDate(Number(year), Number(month), Number(day))
  ),
  ...found(
    text,
    new RegExp(`\\b(\\d\\d?)(?:st|nd|rd|th)? (?:of )?${monthName},? (\\d{4})\\b`, "gi"),
    ([, day, month, year]) => isoDate(Number(year), monthOf(month), Number(day))
  ),
  ...found(
    text,
    new RegExp(`\\b${monthName} (\\d\\d?)(?:st|nd|rd|th)?,? (\\d{4})\\b`, "gi"),
    ([, month, day, year]) => isoDate(Number(year), monthOf(month), Number(day))
  )
]

const isoTime = (hour: number, minute: number, half = ""): string | undefined => {
  const isAfternoon = half.toLowerCase().startsWith("p")
  const hours = half === "" ? hour : (hour % 12) + (isAfternoon ? 12 : 0)
  return hours < 24 && minute < 60 ? `${padded(hours)}:${padded(minute)}` : undefined
}

/** The times of day in a text, as hours and minutes. */
export const timesIn = (text: string): ReadonlyArray<Item> => [
  ...found(
    text,
    /(?<![\d:])(\d\d?):(\d\d)(?::\d\d)?(?!\d)(?: ?([ap])\.?m\b)?/gi,
    ([, hour, minute, half]) => isoTime(Number(hour), Number(minute), half)
  ),
  ...found(text, /(?<![\d:])(\d\d?) ?([ap])\.?m\b/gi, ([, hour, half]) => isoTime(Number(hour), 0, half))
]

/** The moments in a text, in ISO 8601: as such, or the first date with the first time, or at midnight; all in UTC. */
export const momentsIn = (text: string): ReadonlyArray<Item> => {
  const told = found(
    text,
    /\b\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)/g,
    ([moment]) => moment
  )
  if (told.length > 0) return told
  const [time] = timesIn(text)
  return datesIn(text).map((date) => ({ ...date, value: `${date.value}T${time?.value ?? "00:00"}:00Z` }))
}
