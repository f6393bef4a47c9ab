import type { JsonSchema } from "../ModelRequest.js"
import { drawn, under } from "./Draws.js"
import { formatNamed, formatted, wordFor } from "./Formats.js"
import { fieldOf, numberOf, textOf } from "./Json.js"
import type { Place } from "./Making.js"
import { snakeCase } from "./Names.js"
import { matcherOf } from "./PatternCost.js"
import { textFor } from "./Patterns.js"
import { patternTree } from "./PatternTree.js"

/** The longest text that is made, in characters, whatever a schema asks for. */
const longest = 5_000

const lengthOf = (text: string) => [...text].length

interface Lengths {
  readonly least: number
  readonly most: number
}

const lengthsOf = (schema: JsonSchema): Lengths => {
  const least = Math.max(0, Math.ceil(numberOf(fieldOf(schema, "minLength")) ?? 0))
  return { least: Math.min(longest, least), most: Math.floor(numberOf(fieldOf(schema, "maxLength")) ?? longest) }
}

const fits = (text: string, { least, most }: Lengths) => {
  const length = lengthOf(text)
  return length >= least && length <= most
}

/** How a text that a pattern matches is looked for, attempt by attempt. */
const attempts = 8

const ofPattern = (pattern: string, lengths: Lengths, place: Place): string => {
  const tree = patternTree(pattern)
  if (tree === null) return plain(lengths, place)
  const matcher = matcherOf(pattern)
  let first: string | undefined
  for (let attempt = 0; attempt < attempts; attempt++) {
    const hash = under(under(place.hash, "pattern"), attempt + place.turn * attempts)
    const isAhead = attempt % 2 === 1
    const bare = textFor(tree, { place: hash, missing: 0, isAhead })
    const shortage = lengths.least - lengthOf(bare)
    const spare = Math.max(0, Math.min(lengths.most - lengthOf(bare), Math.floor(drawn(hash) * 4)))
    for (const missing of [Math.max(shortage, spare), Math.max(shortage, 0)]) {
      const text = textFor(tree, { place: hash, missing, isAhead })
      const long = text + "a".repeat(Math.max(0, lengths.least - lengthOf(text)))
      for (const written of [text, long]) {
        if (fits(written, lengths) && matcher.test(written) !== false) return written
      }
      first ??= text
    }
  }
  return first ?? ""
}

/** Plain words of the wanted length. */
const plain = (lengths: Lengths, place: Place): string => {
  let text = wordFor(place.hash, place.turn)
  if (place.turn > 0) text += String(place.turn)
  for (let count = 0; text.length < lengths.least; count++) text += ` ${wordFor(under(place.hash, count))}`
  if (text.length <= lengths.most && lengths.least <= text.length) return text
  return text.slice(0, Math.max(0, lengths.most)).replace(/ $/, "s")
}

/** A text within `minLength`, `maxLength`, `pattern` and `format`. */
export const stringFor = (schema: JsonSchema, place: Place): string => {
  const lengths = lengthsOf(schema)
  const pattern = textOf(fieldOf(schema, "pattern"))
  const format = textOf(fieldOf(schema, "format"))
  const hash = under(place.hash, place.turn)
  const inFormat = format === undefined ? undefined : formatted(format, hash)
  const isRight = (text: string) =>
    fits(text, lengths) && (pattern === undefined || matcherOf(pattern).test(text) !== false)
  if (inFormat !== undefined && isRight(inFormat)) return inFormat
  if (pattern !== undefined) return ofPattern(pattern, lengths, place)
  if (inFormat !== undefined) return inFormat
  const spoken = formatted(formatNamed(snakeCase(place.name)) ?? "", hash)
  return spoken !== undefined && fits(spoken, lengths) ? spoken : plain(lengths, place)
}
