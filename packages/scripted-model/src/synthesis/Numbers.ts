import { fieldOf, numberOf } from "@trunkline/kernel"
import type { JsonSchema } from "@trunkline/models"
import { draw } from "./Draws.js"
import type { ValueSlot } from "./SynthesisContext.js"

/** Default span of numbers. */
const usual = 100

/** A decimal as an integer and a power of ten. */
interface Step {
  readonly whole: number
  readonly power: number
}

const stepOf = (value: number): Step => {
  const [digits = "", exponent = "0"] = String(value).split("e")
  const point = digits.indexOf(".")
  const fraction = point === -1 ? 0 : digits.length - point - 1
  return { whole: Number(digits.replace(".", "")), power: Number(exponent) - fraction }
}

/** Multiplies a step exactly. */
const times = (count: number, { power, whole }: Step): number => {
  const product = count * whole
  return Number.isSafeInteger(product) && Math.abs(power) < 300 ? Number(`${product}e${power}`) : product * 10 ** power
}

interface Bounds {
  readonly lowest: number
  readonly max: number
  readonly above: number
  readonly below: number
}

const boundsOf = (schema: JsonSchema): Bounds => {
  const lowest = numberOf(fieldOf(schema, "minimum"))
  const highest = numberOf(fieldOf(schema, "maximum"))
  const above = numberOf(fieldOf(schema, "exclusiveMinimum")) ?? -Infinity
  const below = numberOf(fieldOf(schema, "exclusiveMaximum")) ?? Infinity
  const floor = Math.max(lowest ?? -Infinity, above)
  const maximum = Math.min(highest ?? Infinity, below)
  if (floor === -Infinity && maximum === Infinity) return { lowest: 1, max: usual, above, below }
  return {
    lowest: floor === -Infinity ? maximum - usual : floor,
    max: maximum === Infinity ? floor + usual : maximum,
    above,
    below
  }
}

/** Draws a multiple of a step within bounds. */
const drawMultiple = (step: number, { above, below, max, lowest }: Bounds, slot: ValueSlot): number => {
  const exact = stepOf(step)
  let first = Math.ceil(lowest / step)
  if (times(first, exact) <= above || times(first, exact) < lowest) first++
  let last = Math.max(first, Math.floor(max / step))
  if (last > first && (times(last, exact) >= below || times(last, exact) > max)) last--
  const span = last - first + 1
  return times(first + (Math.floor(draw(slot.hash) * span) + slot.turn) % span, exact) + 0
}

/** Draws a number within bounds, with few decimals if possible. */
const between = ({ above, below, max, lowest }: Bounds, slot: ValueSlot): number => {
  const share = (draw(slot.hash) + slot.turn * 0.618_033_988_75) % 1
  const exact = lowest + (max - lowest) * share
  const fits = (value: number) => value >= lowest && value <= max && value > above && value < below
  const roundNumber = [0, 2, 6].map((digits) => Number(exact.toFixed(digits))).find(fits)
  return roundNumber ?? [exact, lowest + (max - lowest) / 2, max, lowest].find(fits) ?? lowest
}

/** Makes a number within `minimum`, `maximum`, their exclusive variants and `multipleOf`. */
export const numberFor = (schema: JsonSchema, isInteger: boolean, slot: ValueSlot): number => {
  const bounds = boundsOf(schema)
  const multiple = numberOf(fieldOf(schema, "multipleOf"))
  if (multiple === undefined || multiple <= 0) return isInteger ? drawMultiple(1, bounds, slot) : between(bounds, slot)
  const exact = stepOf(multiple)
  const step = isInteger && exact.power < 0 ? wholeMultiple(exact) : multiple
  const widenedBounds = bounds.max - bounds.lowest === usual ? widen(bounds, schema, step) : bounds
  return drawMultiple(step, widenedBounds, slot)
}

/** Computes the smallest integer that is a multiple of a step. */
const wholeMultiple = ({ power, whole }: Step): number => {
  const scale = 10 ** Math.min(15, -power)
  let [a, b] = [Math.abs(whole), scale]
  while (b !== 0) [a, b] = [b, a % b]
  return whole / a
}

/** Widens default bounds for large steps. */
const widen = (bounds: Bounds, schema: JsonSchema, step: number): Bounds => {
  const isBoundAbove = fieldOf(schema, "maximum") !== undefined || fieldOf(schema, "exclusiveMaximum") !== undefined
  const isBoundBelow = fieldOf(schema, "minimum") !== undefined || fieldOf(schema, "exclusiveMinimum") !== undefined
  return {
    ...bounds,
    lowest: isBoundAbove && !isBoundBelow ? bounds.lowest - 2 * step : bounds.lowest,
    max: isBoundAbove ? bounds.max : bounds.max + 2 * step
  }
}
