/**
 * Writes a number that a provider writes in its own way in E.164: with or without a plus, and as it is dialled in a country, with
 * a zero before it or not.
 */
export const toE164 = (text: string, country: string): string => {
  const digits = text.replaceAll(/\D/g, "")
  if (text.trim().startsWith("+")) return `+${digits}`
  if (digits.startsWith("00")) return `+${digits.slice(2)}`
  if (digits.startsWith("0")) return `+${country}${digits.slice(1)}`
  return digits.length <= 10 ? `+${country}${digits}` : `+${digits}`
}

/** Writes a number in E.164 as it is dialled within its country, with a zero; others stay as they are. */
export const toNational = (number: string, country: string): string =>
  number.startsWith(`+${country}`) ? `0${number.slice(country.length + 1)}` : number
