import { Invalid } from "@trunkline/errors"
import { Effect } from "effect"

/** Names of the fields of a type, from an object that has them all. */
export type Fields<A> = Readonly<Record<keyof A, true>>

/** Fails with `Invalid` at the first field that does not exist, for callers without a compiler. */
export const knownFields = <A>(
  given: object,
  fields: Fields<A>,
  at: ReadonlyArray<string>
): Effect.Effect<void, Invalid> => {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(fields, name))
  return unknown === undefined
    ? Effect.void
    : Effect.fail(Invalid.at([...at, unknown], "value_error", "Is not a known field"))
}
