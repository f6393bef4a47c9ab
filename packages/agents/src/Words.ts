/** The zeros of the decimal digits of the Indic scripts; the nine other digits of a script follow its zero. */
const zeros = [0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66]

const westernDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0
  const zero = zeros.find((zero) => code >= zero && code < zero + 10)
  return zero === undefined ? digit : String(code - zero)
}

/** A spoken text made comparable: lower case, composed, Western digits, single spaces for everything but words. */
export const wordsOf = (text: string): string =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replace(/\p{Nd}/gu, westernDigit)
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim()

/** Whether whole words of a text, in this order and next to one another, are the phrase. An empty phrase never is. */
export const saysPhrase = (text: string, phrase: string): boolean => {
  const words = wordsOf(phrase)
  return words !== "" && ` ${wordsOf(text)} `.includes(` ${words} `)
}

/** All digits of a text in one string, in Western digits. */
export const digitsOf = (text: string): string => wordsOf(text).replace(/\D/g, "")
