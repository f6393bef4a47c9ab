import { childHash, draw, rotate } from "./Draws.js"

/** Longest part of a property's name that is read, in UTF-16 units. */
const max = 60

/** Converts a property's name to snake case. */
export const snakeCase = (name: string): string =>
  name.slice(0, max).replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1_$2").toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, "_")

/** Splits a property's name into words, in lower case. */
export const wordsOf = (name: string): ReadonlyArray<string> => snakeCase(name).split("_").filter((word) => word !== "")

const words = [
  "amber",
  "basil",
  "cedar",
  "delta",
  "ember",
  "fern",
  "grove",
  "harbour",
  "indigo",
  "jasmine",
  "kite",
  "lotus",
  "maple",
  "nectar",
  "orchid",
  "pearl",
  "quartz",
  "river",
  "saffron",
  "tulip"
]

const maxWordLength = Math.max(...words.map(({ length }) => length))

/** Draws a word, of at most so many letters if there is one. */
export const wordFor = (place: number, turn = 0, maxLength = Infinity): string => {
  const short = maxLength < maxWordLength ? words.filter(({ length }) => length <= maxLength) : words
  return rotate(short.length > 0 ? short : words, place, turn)[0] ?? ""
}

const whole = (place: number, step: string, from: number, to: number) =>
  from + Math.floor(draw(childHash(place, step)) * (to - from + 1))

const pad = (value: number, digits = 2) => String(value).padStart(digits, "0")

const hex = (place: number, step: string, digits: number) =>
  Array.from({ length: digits }, (_, index) => whole(childHash(place, step), String(index), 0, 15).toString(16)).join(
    ""
  )

const date = (place: number) =>
  `${whole(place, "year", 2020, 2029)}-${pad(whole(place, "month", 1, 12))}-${pad(whole(place, "day", 1, 28))}`

const time = (place: number) =>
  `${pad(whole(place, "hour", 0, 23))}:${pad(whole(place, "minute", 0, 59))}:${pad(whole(place, "second", 0, 59))}Z`

const uuid = (place: number) =>
  [
    hex(place, "a", 8),
    hex(place, "b", 4),
    `4${hex(place, "c", 3)}`,
    `${whole(place, "variant", 8, 11).toString(16)}${hex(place, "d", 3)}`,
    hex(place, "e", 12)
  ].join("-")

const host = (place: number) => `${wordFor(place)}.example.com`
const path = (place: number) => `/${wordFor(childHash(place, "path"))}`

const makers: Readonly<Record<string, (place: number) => string>> = {
  date,
  time,
  "date-time": (place) => `${date(place)}T${time(place)}`,
  duration: (place) => `P${whole(place, "days", 1, 30)}D`,
  email: (place) => `${wordFor(place)}@example.com`,
  "idn-email": (place) => `${wordFor(place)}@example.com`,
  hostname: host,
  "idn-hostname": host,
  ipv4: (place) => `192.0.2.${whole(place, "host", 1, 254)}`,
  ipv6: (place) => `2001:db8::${whole(place, "host", 1, 0xffff).toString(16)}`,
  uri: (place) => `https://${host(place)}${path(place)}`,
  url: (place) => `https://${host(place)}${path(place)}`,
  iri: (place) => `https://${host(place)}${path(place)}`,
  "uri-reference": path,
  "iri-reference": path,
  "uri-template": (place) => `${path(place)}/{id}`,
  uuid,
  regex: (place) => `^${wordFor(place)}$`,
  "json-pointer": path,
  "json-pointer-uri-fragment": (place) => `#${path(place)}`,
  "relative-json-pointer": (place) => `${whole(place, "up", 0, 3)}${path(place)}`,
  phone: (place) => `+9198${pad(whole(place, "number", 0, 99_999_999), 8)}`,
  name: (place) => {
    const [first = "", ...rest] = wordFor(place)
    return first.toUpperCase() + rest.join("")
  },
  byte: (place) => `${hex(place, "byte", 7)}=`
}

/** Checks whether texts can be made in a format. */
const isFormat = (format: string): boolean => Object.hasOwn(makers, format)

/** Makes a text in a format (such as RFC 3339, 5321, 3986, 4122 and 4291; hosts are those of RFC 2606 and 5737). */
export const makeFormatted = (format: string, place: number): string | undefined =>
  isFormat(format) ? makers[format]?.(place) : undefined

/** Formats implied by property names. */
const nameFormats: ReadonlyArray<readonly [RegExp, string]> = [
  [/e_?mail/, "email"],
  [/phone|mobile/, "phone"],
  [/(?:^|_)(?:url|link|website)(?:$|_)/, "uri"],
  [/(?:^|_)date(?:$|_)/, "date"],
  [/(?:^|_)(?:timestamp|datetime)(?:$|_)/, "date-time"],
  [/(?:^|_)(?:uuid|guid)(?:$|_)/, "uuid"],
  [/(?:^|_)(?:name|city|town|country)(?:$|_)/, "name"]
]

/** Returns the format that a property's name in snake case implies; undefined if there is none. */
export const formatOfName = (name: string): string | undefined =>
  nameFormats.find(([pattern]) => pattern.test(name))?.[1]
