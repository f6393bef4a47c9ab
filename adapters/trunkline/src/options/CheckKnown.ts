import { unknownField } from "@trunkline/errors"
import type { Fields } from "../KnownFields.js"
import { InvalidOption } from "./InvalidOption.js"

/** Throws `InvalidOption` for the first option that does not exist, with the nearest one. `at` is the path of the options. */
export const checkKnown = <A>(given: object, fields: Fields<A>, at: string): void => {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(fields, name))
  if (unknown === undefined) return
  throw new InvalidOption(at === "" ? unknown : `${at}.${unknown}`, unknownField(unknown, Object.keys(fields)).msg)
}
