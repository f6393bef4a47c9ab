import { type Script, scriptOf } from "./Fonts.js"
import { malayalamPieces } from "./MalayalamRa.js"

/**
 * A piece of a text that is drawn as one: a syllable of an Indian script, or a character of another. A `hiddenBase` that
 * it begins with takes no place.
 */
export interface Piece {
  readonly text: string
  readonly script: Script
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/** Ends with the sign that takes the vowel away and ties a consonant to the next. */
const tied = /[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D]\u200D?$/

/** The characters and syllables of a text, which together are the text. Consonants that are tied together are in one. */
const wholePieces = (text: string): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = []
  for (const { segment } of graphemes.segment(text)) {
    const script = scriptOf(segment.codePointAt(0) ?? 0)
    const last = pieces.at(-1)
    if (last !== undefined && script !== null && last.script === script && tied.test(last.text) && isLetter(segment)) {
      pieces[pieces.length - 1] = { text: last.text + segment, script }
    } else {
      pieces.push({ text: segment, script })
    }
  }
  return pieces
}

/** A text cut where readers would: into characters, and syllables of Indian scripts. Together they are the text. */
export const syllablesOf = (text: string): ReadonlyArray<string> => wholePieces(text).map((piece) => piece.text)

/** The pieces of a text. A syllable is one, which its font may draw as one sign, or those that resvg draws right. */
export const piecesOf = (text: string): ReadonlyArray<Piece> =>
  wholePieces(text).flatMap(({ script, text }): ReadonlyArray<Piece> =>
    script === "Malayalam" ? malayalamPieces(text).map((each) => ({ text: each, script })) : [{ text, script }]
  )

const isLetter = (text: string): boolean => /^\p{L}/u.test(text)

/** The scripts of a text that have a font of their own. */
export const scriptsOf = (text: string): ReadonlySet<Script> =>
  new Set([...text].map((character) => scriptOf(character.codePointAt(0) ?? 0)).filter((script) => script !== null))
