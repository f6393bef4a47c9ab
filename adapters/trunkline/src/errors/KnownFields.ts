import { Invalid, unknownField } from "@trunkline/errors"
import { Array, Effect } from "effect"
import type { Fields } from "./Fields.js"

/** Fails with `Invalid`, with every field that does not exist, for callers without a compiler. */
export const knownFields = <A>(
  value: object,
  fields: Fields<A>,
  at: ReadonlyArray<string>
): Effect.Effect<void, Invalid> => {
  const names = Object.keys(fields)
  const issues = Object.keys(value)
    .filter((name) => !Object.hasOwn(fields, name))
    .map((name) => ({ loc: [...at, name], ...unknownField(name, names) }))
  return Array.isNonEmptyReadonlyArray(issues) ? Effect.fail(new Invalid({ issues })) : Effect.void
}
