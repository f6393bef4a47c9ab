import { scriptOf, type WritingScript } from "./Fonts.js"

/** Invisible base of a sign without a letter, so that it is drawn without a dotted circle in place of the letter. */
export const invisibleBase = "\u00A0"

/** Start of a syllable, a letter joined to ra, and the signs that follow. */
const raAndSigns = /^(.*?)(\p{L}\u0D4D\u0D30)(\p{M}+)$/su

/** True for text that ends with a joined ra, which is drawn to the left of its letter. */
export const endsWithRa = (text: string): boolean => text.endsWith("\u0D4D\u0D30")

/** Vowel signs on both sides of a letter, as their two halves. */
const halves: Readonly<Record<string, string>> = {
  "\u0D4A": "\u0D46\u0D3E",
  "\u0D4B": "\u0D47\u0D3E",
  "\u0D4C": "\u0D46\u0D57"
}

const isLeft = (sign: string): boolean => /[\u0D46-\u0D48]/.test(sign)

/** True for an invisible base with signs to its right, as all signs are but some vowels. */
export const isRightOfBase = (text: string): boolean => text.startsWith(invisibleBase) && !isLeft(text)

const onBase = (signs: ReadonlyArray<string>): ReadonlyArray<string> =>
  signs.length === 0 ? [] : [invisibleBase + signs.join("")]

/**
 * Splits a Malayalam syllable so that resvg 2.6 and 2.7.0-alpha.2 draw it correctly: where signs follow a joined ra, resvg
 * draws the ra again instead of the first sign. So the signs become parts, from left to right, each on an invisible base.
 */
const splitMalayalam = (syllable: string): ReadonlyArray<string> => {
  const [match, before = "", letter = "", following = ""] = raAndSigns.exec(syllable) ?? []
  if (match === undefined) return [syllable]
  const signs = [...following].flatMap((sign) => [...(halves[sign] ?? sign)])
  const left = onBase(signs.filter(isLeft))
  const right = onBase(signs.filter((sign) => !isLeft(sign)))
  return left.length === 0
    ? [before + letter, ...right]
    : [...(before === "" ? [] : [before]), ...left, letter, ...right]
}

/**
 * Part of a text that is drawn as a unit: a syllable of an Indian script, or a character of another. An `invisibleBase` at
 * its start takes no space.
 */
export interface TextUnit {
  readonly text: string
  readonly script: WritingScript
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/** Virama at the end of a text, which joins a consonant to the next one. */
const endsWithVirama = /[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D]\u200D?$/

/** Splits a text into characters and syllables. Consonants that are joined by a virama stay together. */
const splitSyllables = (text: string): ReadonlyArray<TextUnit> => {
  const units: Array<TextUnit> = []
  for (const { segment } of graphemes.segment(text)) {
    const script = scriptOf(segment.codePointAt(0) ?? 0)
    const last = units.at(-1)
    if (
      last !== undefined && script !== null && last.script === script && endsWithVirama.test(last.text) &&
      isLetter(segment)
    ) {
      units[units.length - 1] = { text: last.text + segment, script }
    } else {
      units.push({ text: segment, script })
    }
  }
  return units
}

/** Characters of a text as readers see them: syllables of Indian scripts, and graphemes of others. */
export const syllablesOf = (text: string): ReadonlyArray<string> => splitSyllables(text).map((unit) => unit.text)

/** Splits a text into the units that resvg draws correctly. */
export const textUnits = (text: string): ReadonlyArray<TextUnit> =>
  splitSyllables(text).flatMap(({ script, text }): ReadonlyArray<TextUnit> =>
    script === "Malayalam" ? splitMalayalam(text).map((each) => ({ text: each, script })) : [{ text, script }]
  )

const isLetter = (text: string): boolean => /^\p{L}/u.test(text)

/** Scripts of a text that have their own font. */
export const scriptsOf = (text: string): ReadonlySet<WritingScript> =>
  new Set([...text].map((character) => scriptOf(character.codePointAt(0) ?? 0)).filter((script) => script !== null))
