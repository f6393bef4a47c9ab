/** What a sign without a letter stands on, so that it is drawn without a circle in the letter's place. */
export const hiddenBase = "\u00A0"

/** A letter that is tied to ra, what is before it in its syllable, and the signs that follow. */
const raAndSigns = /^(.*?)(\p{L}\u0D4D\u0D30)(\p{M}+)$/su

/** Ends with a tied ra, which is drawn to the left of its letter. */
export const endsWithRa = (text: string): boolean => text.endsWith("\u0D4D\u0D30")

/** Vowels that are written around a letter, as their two halves. */
const halves: Readonly<Record<string, string>> = {
  "\u0D4A": "\u0D46\u0D3E",
  "\u0D4B": "\u0D47\u0D3E",
  "\u0D4C": "\u0D46\u0D57"
}

const isLeft = (sign: string): boolean => /[\u0D46-\u0D48]/.test(sign)

/** Whether what stands on a hidden base is drawn to the right of it, as all signs are but some vowels. */
export const isRightOfBase = (piece: string): boolean => piece.startsWith(hiddenBase) && !isLeft(piece)

const onBase = (signs: ReadonlyArray<string>): ReadonlyArray<string> =>
  signs.length === 0 ? [] : [hiddenBase + signs.join("")]

/**
 * A Malayalam syllable in the pieces in which resvg 2.6 draws it right: where signs follow a tied ra, it draws the ra
 * once more instead of the first of them, so they stand apart, from left to right, each on a hidden base.
 */
export const malayalamPieces = (syllable: string): ReadonlyArray<string> => {
  const [found, before = "", letter = "", following = ""] = raAndSigns.exec(syllable) ?? []
  if (found === undefined) return [syllable]
  const signs = [...following].flatMap((sign) => [...(halves[sign] ?? sign)])
  const left = onBase(signs.filter(isLeft))
  const right = onBase(signs.filter((sign) => !isLeft(sign)))
  return left.length === 0
    ? [before + letter, ...right]
    : [...(before === "" ? [] : [before]), ...left, letter, ...right]
}
