/** UTF-16 units after which a piece ends before the next space: some milliseconds of counting, 20 for hostile text. */
const wanted = 2_048

/** UTF-16 units after which a piece ends wherever it can. */
const most = wanted + 512

/**
 * Code points without a blank, or blanks, that stand together in a piece. The time that a vocabulary takes for such a
 * run grows with its square. Words are not as long; in scripts without spaces a cut makes a token more at the most.
 */
const longestRun = 128

/** Blanks as regular expressions have them (`\s`), by which vocabularies part words. */
const isBlank = (code: number): boolean => {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  if (code < 0x1680) return code === 0xa0
  return code === 0x1680 || (code >= 0x2000 && code <= 0x200a) || code === 0x2028 || code === 0x2029 ||
    code === 0x202f || code === 0x205f || code === 0x3000 || code === 0xfeff
}

/**
 * Where a piece of a text ends that begins at `from`, in UTF-16 units. Pieces that end before a space are counted apart
 * as they are together, because every word begins with the space before it.
 */
export const endOfPiece = (text: string, from: number): number => {
  let run = 0
  let inBlanks = false
  let at = from
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0
    const blank = isBlank(code)
    if (blank !== inBlanks) {
      if (code === 0x20 && at - from >= wanted) return at
      run = 0
      inBlanks = blank
    }
    if (run === longestRun || at - from >= most) return at
    run += 1
    at += code > 0xffff ? 2 : 1
  }
  return text.length
}
