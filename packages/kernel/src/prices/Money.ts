/** Millionths in one unit of a currency: amounts are whole numbers of them, so that sums are exact. */
const microsPerUnit = 1_000_000n

/** A decimal number without rounding: `digits` divided by a power of ten. */
interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

/** The shortest decimal of a number, which is what was written in a table or in JSON. */
const decimalOf = (value: number): Decimal => {
  const [mantissa = "0", exponent = "0"] = String(value).split("e")
  const [whole = "0", fraction = ""] = mantissa.split(".")
  const scale = fraction.length - Number(exponent)
  const digits = BigInt(`${whole}${fraction}`)
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

/** Divides, and rounds half up; neither is negative. */
const divide = (numerator: bigint, denominator: bigint): number =>
  Number((2n * numerator + denominator) / (2n * denominator))

/** The product of numbers from 0, divided by another one, in millionths, half rounded up. */
const micros = (factors: ReadonlyArray<number>, divisor: number): number => {
  const decimals = factors.map(decimalOf)
  const per = decimalOf(divisor)
  const numerator = decimals.reduce((product, { digits }) => product * digits, microsPerUnit)
  const scale = decimals.reduce((sum, decimal) => sum + decimal.scale, 0)
  return divide(numerator * 10n ** BigInt(per.scale), per.digits * 10n ** BigInt(scale))
}

/** Millionths of a currency for an amount of it, such as 12.5. */
export const toMicros = (amount: number): number => micros([amount], 1)

/** The price of a quantity in millionths of its currency, where `price` is that of `per` units; rounded half up. */
export const priceInMicros = (quantity: number, price: number, per: number): number => micros([quantity, price], per)

/** Millionths of one currency in another one, of which a unit of the first is worth `rate`; rounded half up. */
export const convertMicros = (amount: number, rate: number): number => micros([amount, rate], 1_000_000)

/** An amount in millionths as a decimal with at least two places, such as `12.50`. */
export const moneyText = (amount: number): string => {
  const digits = String(amount).padStart(7, "0")
  const fraction = digits.slice(-6).replace(/0{1,4}$/, "")
  return `${digits.slice(0, -6)}.${fraction}`
}
