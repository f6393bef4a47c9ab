import { fieldOf, numberOf, stringOf } from "@trunkline/kernel"
import type { JsonSchema, PatternMatcher } from "@trunkline/models"
import { childHash, draw } from "./Draws.js"
import { formatOfName, makeFormatted, snakeCase, wordFor } from "./Formats.js"
import { textFor, type WritingOptions } from "./PatternText.js"
import type { SynthesisContext, ValueSlot } from "./SynthesisContext.js"

/** Longest text that is made, in characters. */
export const maxTextLength = 5_000

/** Characters per unit of work. */
const perStep = 5

const lengthOf = (text: string) => [...text].length

interface Lengths {
  readonly min: number
  readonly max: number
}

const lengthsOf = (schema: JsonSchema): Lengths => {
  const min = Math.max(0, Math.ceil(numberOf(fieldOf(schema, "minLength")) ?? 0))
  return {
    min: Math.min(maxTextLength, min),
    max: Math.floor(numberOf(fieldOf(schema, "maxLength")) ?? maxTextLength)
  }
}

const fits = (text: string, { min, max }: Lengths) => {
  const length = lengthOf(text)
  return length >= min && length <= max
}

/** Attempts to match a pattern; every other one prepends texts for lookaheads. */
const attempts = 8

const ofPattern = (
  matcher: PatternMatcher,
  lengths: Lengths,
  slot: ValueSlot,
  take: SynthesisContext["take"]
): string => {
  const { tree } = matcher
  if (tree === null) return plain(lengths, slot)
  const write = (options: WritingOptions) => {
    const { parts, text } = textFor(tree, options)
    take((parts + text.length) / perStep)
    return text
  }
  let first: string | undefined
  for (let attempt = 0; attempt < attempts && take(1); attempt++) {
    const hash = childHash(childHash(slot.hash, "pattern"), attempt + slot.turn * attempts)
    const options = { place: hash, isAhead: attempt % 2 === 1 }
    const bare = write({ ...options, missingLength: 0 })
    first ??= bare
    const shortage = Math.max(0, lengths.min - lengthOf(bare))
    const spare = Math.max(0, Math.min(lengths.max - lengthOf(bare), Math.floor(draw(hash) * 4)))
    for (const missingLength of new Set([Math.max(shortage, spare), shortage])) {
      const text = missingLength === 0 ? bare : write({ ...options, missingLength })
      const long = text + "a".repeat(Math.max(0, lengths.min - lengthOf(text)))
      const candidate = [text, long].find((one) => fits(one, lengths) && matcher.test(one) !== false)
      if (candidate !== undefined) return candidate
    }
  }
  return first ?? ""
}

/** Writes plain words of the required length. */
const plain = (lengths: Lengths, slot: ValueSlot): string => {
  let text = wordFor(slot.hash, slot.turn, lengths.max)
  if (slot.turn > 0) text += String(slot.turn)
  for (let count = 0; text.length < lengths.min; count++) text += ` ${wordFor(childHash(slot.hash, count))}`
  if (text.length <= lengths.max && lengths.min <= text.length) return text
  return text.slice(0, Math.max(0, lengths.max)).replace(/ $/, "s")
}

/** Makes a text within `minLength`, `maxLength`, `pattern` and `format`. */
export const stringFor = (schema: JsonSchema, slot: ValueSlot, { matcher, take }: SynthesisContext): string => {
  const lengths = lengthsOf(schema)
  if (!take(lengths.min / perStep)) return ""
  const source = stringOf(fieldOf(schema, "pattern"))
  const pattern = source === undefined ? undefined : matcher(source)
  const format = stringOf(fieldOf(schema, "format"))
  const hash = childHash(slot.hash, slot.turn)
  const inFormat = format === undefined ? undefined : makeFormatted(format, hash)
  const isRight = (text: string) => fits(text, lengths) && (pattern === undefined || pattern.test(text) !== false)
  if (inFormat !== undefined && isRight(inFormat)) return inFormat
  if (pattern !== undefined) return ofPattern(pattern, lengths, slot, take)
  if (inFormat !== undefined) return inFormat
  const spokenText = makeFormatted(formatOfName(snakeCase(slot.name)) ?? "", hash)
  return spokenText !== undefined && fits(spokenText, lengths) ? spokenText : plain(lengths, slot)
}
