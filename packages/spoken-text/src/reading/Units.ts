import type { MeasureUnit } from "../languages/Language.js"
import { anyOf, matchAt, skipStop } from "./Reader.js"

/** Unit symbols, the same in every language. */
const units: ReadonlyMap<string, MeasureUnit> = new Map<string, MeasureUnit>([
  ["%", "percent"],
  ["percent", "percent"],
  ["per cent", "percent"],
  ["kg", "kilogram"],
  ["kgs", "kilogram"],
  ["Kg", "kilogram"],
  ["KG", "kilogram"],
  ["g", "gram"],
  ["gm", "gram"],
  ["gms", "gram"],
  ["mg", "milligram"],
  ["km", "kilometre"],
  ["kms", "kilometre"],
  ["KM", "kilometre"],
  ["m", "metre"],
  ["cm", "centimetre"],
  ["cms", "centimetre"],
  ["mm", "millimetre"],
  ["l", "litre"],
  ["L", "litre"],
  ["ltr", "litre"],
  ["ml", "millilitre"],
  ["mL", "millilitre"],
  ["°C", "celsius"],
  ["℃", "celsius"],
  ["°F", "fahrenheit"],
  ["℉", "fahrenheit"],
  ["°", "degree"],
  ["km/h", "kilometresPerHour"],
  ["km/hr", "kilometresPerHour"],
  ["kmph", "kilometresPerHour"],
  ["sq ft", "squareFoot"],
  ["sq. ft", "squareFoot"],
  ["sq.ft", "squareFoot"],
  ["sqft", "squareFoot"],
  ["sq m", "squareMetre"],
  ["sq. m", "squareMetre"],
  ["sq.m", "squareMetre"],
  ["sqm", "squareMetre"],
  ["ft", "foot"],
  ["KB", "kilobyte"],
  ["MB", "megabyte"],
  ["GB", "gigabyte"],
  ["TB", "terabyte"],
  ["Mbps", "megabitsPerSecond"],
  ["mbps", "megabitsPerSecond"],
  ["W", "watt"],
  ["kW", "kilowatt"],
  ["KW", "kilowatt"],
  ["kWh", "kilowattHour"],
  ["KWh", "kilowattHour"],
  ["V", "volt"],
  ["hr", "hour"],
  ["hrs", "hour"],
  ["min", "minute"],
  ["mins", "minute"],
  ["sec", "second"],
  ["secs", "second"]
])

const marks = ["%", "°", "℃", "℉"]

const words = anyOf([...units.keys()].filter((form) => !marks.includes(form)), "(?![\\p{L}\\p{M}\\d/])")

const signs = anyOf(marks)

/** Unit after a number that ends at `at`, with at most one space between. */
export const unitAt = (text: string, at: number): { readonly unit: MeasureUnit; readonly end: number } | undefined => {
  const start = text[at] === " " || text[at] === "\u00a0" ? at + 1 : at
  const match = matchAt(words, text, start) ?? matchAt(signs, text, start)
  const unit = units.get(match?.[1] ?? "")
  return match === null || unit === undefined ? undefined : { unit, end: skipStop(text, start + match[0].length) }
}
