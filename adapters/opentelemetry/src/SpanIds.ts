/** Hexadecimal text of a random number. Up to 13 digits: a number holds no more of them exactly. */
const randomHex = (digits: number): string =>
  Math.floor(Math.random() * 16 ** digits).toString(16).padStart(digits, "0")

/** Makes the id of a trace, of 32 hexadecimal digits. Its last 13 ones decide about sampling, and come from one number. */
export const makeTraceId = (): string => randomHex(10) + randomHex(9) + randomHex(13)

/** Makes the id of a span, of 16 hexadecimal digits. */
export const makeSpanId = (): string => randomHex(8) + randomHex(8)
