/** An amount in millionths of a currency, such as `USD 0.0123`. */
export const moneyText = (micros: number | null, currency: string | null): string => {
  if (micros === null || currency === null) return "unknown"
  const digits = micros % 10_000 === 0 ? 2 : 6
  return `${currency} ${(micros / 1_000_000).toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: digits })}`
}
