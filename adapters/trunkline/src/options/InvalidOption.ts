import { unknownField } from "@trunkline/errors"
import type { Fields } from "../errors/Fields.js"
import { shownStack } from "../errors/ShownStack.js"

/** An option of `createTrunkline`, or of `testAgent`, is missing, unknown or invalid. The message names it, and the next step. */
export class InvalidOption extends Error {
  override readonly name = "InvalidOption"
  /** Distinguishes this error from failures of operations. */
  readonly _tag = "InvalidOption"

  constructor(
    /** Path of the option, such as `lines.0.provider`. */
    readonly option: string,
    reason: string,
    /** Function whose option it is. */
    owner = "createTrunkline"
  ) {
    super(`${owner}: ${option}: ${reason}`)
    shownStack["node-do-not-add-exception-line"](this)
  }
}

/** Throws `InvalidOption` for the first option that does not exist, with the nearest one. `at` is the path of the options. */
export const checkKnown = <A>(options: object, fields: Fields<A>, at: string): void => {
  const unknownName = Object.keys(options).find((name) => !Object.hasOwn(fields, name))
  if (unknownName === undefined) return
  throw new InvalidOption(
    at === "" ? unknownName : `${at}.${unknownName}`,
    unknownField(unknownName, Object.keys(fields)).msg
  )
}

/** Throws `InvalidOption` for options of a provider that has none. */
export const checkNone = (
  options: object = {},
  { at, provider }: { readonly at: string; readonly provider: string }
): void => {
  const [unknownName] = Object.keys(options)
  if (unknownName !== undefined) throw new InvalidOption(`${at}.${unknownName}`, `${provider}() takes no options`)
}
