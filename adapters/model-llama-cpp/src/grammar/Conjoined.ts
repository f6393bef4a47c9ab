/** A JSON Schema that is no boolean. */
export type Keywords = Readonly<Record<string, unknown>>

/** Whether something is an object with keys. */
export const isKeywords = (value: unknown): value is Keywords =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A list of anything; empty where there is none. */
export const listOf = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

/** The types that a schema names; none where it names none. */
export const typesOf = ({ type }: Keywords): ReadonlyArray<unknown> => type === undefined ? [] : [type].flat()

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const both = (one: unknown, other: unknown): unknown =>
  one === true ? other : other === true ? one : one === false || other === false ? false : { allOf: [one, other] }

const bothOfEach = (one: unknown, other: unknown): unknown => {
  if (!isKeywords(one) || !isKeywords(other)) return undefined
  return Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => [
      name,
      Object.hasOwn(one, name) && Object.hasOwn(other, name)
        ? both(one[name], other[name])
        : Object.hasOwn(one, name)
        ? one[name]
        : other[name]
    ])
  )
}

const greater = (one: unknown, other: unknown) => Math.max(Number(one), Number(other))
const lesser = (one: unknown, other: unknown) => Math.min(Number(one), Number(other))

const isOf = (type: unknown, types: ReadonlyArray<unknown>) =>
  types.includes(type) || (type === "integer" && types.includes("number"))

const commonTypes = (one: unknown, other: unknown): unknown => {
  const [left, right] = [typesOf({ type: one }), typesOf({ type: other })]
  return [...new Set([...left.filter((type) => isOf(type, right)), ...right.filter((type) => isOf(type, left))])]
}

const together: Readonly<Record<string, (one: unknown, other: unknown) => unknown>> = {
  type: commonTypes,
  properties: bothOfEach,
  additionalProperties: both,
  items: both,
  required: (one, other) => [...new Set([...listOf(one), ...listOf(other)])],
  enum: (one, other) => {
    const known = new Set(listOf(other).map((value) => JSON.stringify(value)))
    return listOf(one).filter((value) => known.has(JSON.stringify(value)))
  },
  minimum: greater,
  exclusiveMinimum: greater,
  minLength: greater,
  minItems: greater,
  minProperties: greater,
  maximum: lesser,
  exclusiveMaximum: lesser,
  maxLength: lesser,
  maxItems: lesser,
  maxProperties: lesser
}

/** One schema for what obeys both; `unkept` hears of a keyword of which only the first one's is kept. */
export const conjoined = (one: Keywords, other: Keywords, unkept: (keyword: string) => void): Keywords =>
  Object.entries(other).reduce<Keywords>((sum, [keyword, value]) => {
    if (!Object.hasOwn(sum, keyword)) return { ...sum, [keyword]: value }
    if (same(sum[keyword], value)) return sum
    const merge = Object.hasOwn(together, keyword) ? together[keyword] : undefined
    if (merge !== undefined) return { ...sum, [keyword]: merge(sum[keyword], value) }
    unkept(keyword)
    return sum
  }, one)
