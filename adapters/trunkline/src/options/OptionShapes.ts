import { issuesOf, unknownField } from "@trunkline/errors"
import { Either, Schema } from "effect"

/** True for objects and arrays. */
export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** True for functions, also those of classes. */
export const isFunction = (value: unknown): boolean => typeof value === "function"

/** True for an object that is written as such; an instance of a class has further fields, which are its own affair. */
const isPlain = (value: object): boolean => [Object.prototype, null].includes(Object.getPrototypeOf(value))

/** A value that a predicate accepts, and the message about another one. */
export const matching = (isValid: (value: unknown) => boolean, message: string) =>
  Schema.Unknown.pipe(Schema.filter(isValid, { message: () => message }))

/** A value of a schema that a predicate accepts, and the message about any other one. */
export const checked = <A>(schema: Schema.Schema<A>, isValid: (value: A) => boolean, message: string) =>
  schema.pipe(Schema.filter(isValid, { message: () => ({ message, override: true }) }))

/** Fields of an object of the host, which may be an instance of a class. */
interface ObjectFields {
  readonly required: ReadonlyArray<string>
  readonly optional?: ReadonlyArray<string>
  /** Fields that are no methods. A plain object has none but these and the methods; any are fine where they are not given. */
  readonly others?: ReadonlyArray<string>
}

/** An object with methods of these names: all of them, where they are not optional. */
export const withMethods = (noun: string, { optional = [], others, required }: ObjectFields) =>
  Schema.Unknown.pipe(Schema.filter((value) => {
    if (!isObject(value)) return `${noun} is an object`
    const names = [...required, ...optional, ...others ?? []]
    const unknownName = others !== undefined && isPlain(value)
      ? Object.keys(value).find((name) => !names.includes(name))
      : undefined
    if (unknownName !== undefined) return { path: [unknownName], message: unknownField(unknownName, names).msg }
    const missing = required.find((name) => !isFunction(Reflect.get(value, name)))
    if (missing !== undefined) return `${noun} needs the method ${missing}`
    const wrong = optional.find((name) =>
      Reflect.get(value, name) !== undefined && !isFunction(Reflect.get(value, name))
    )
    return wrong === undefined ? undefined : `${wrong} of ${noun} is a method`
  }))

/** A result of `openai`, `espeak` and the like, or an object with methods. */
export const providedOr = (plain: Schema.Schema<unknown>) => {
  const check = Schema.validateEither(plain)
  const names = ["provider", "options"]
  return Schema.Unknown.pipe(Schema.filter((value) => {
    if (isObject(value) && "provider" in value) {
      const unknownName = Object.keys(value).find((name) => !names.includes(name))
      return unknownName === undefined
        ? undefined
        : { path: [unknownName], message: unknownField(unknownName, names).msg }
    }
    return Either.match(check(value), {
      onLeft: (error) => {
        const [{ loc, msg }] = issuesOf(error, "body")
        return { path: loc.slice(1), message: msg }
      },
      onRight: () => undefined
    })
  }))
}

/** Checks for the URL of a Redis server. */
export const isRedisUrl = (url: string): boolean => /^rediss?:\/\/./.test(url) && URL.canParse(url)
