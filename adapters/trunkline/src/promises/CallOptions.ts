import { Invalid } from "@trunkline/errors"
import { Effect, Predicate } from "effect"
import type { Fields } from "../errors/Fields.js"
import { knownFields } from "../errors/KnownFields.js"
import type { CallOptions } from "../Results.js"

/** Fields of the options of every method. */
export const optionFields: Fields<CallOptions> = { signal: true, workspace: true }

/** The signal of options, if it is one. */
export const signalOf = ({ signal }: CallOptions): AbortSignal | undefined =>
  signal instanceof AbortSignal ? signal : undefined

/** Fails with `Invalid` at options of a method that are unknown or of another type. `at` is their path. */
export const checkCallOptions = <A extends CallOptions>(
  options: A,
  { at = ["options"], fields }: { readonly at?: ReadonlyArray<string>; readonly fields: Fields<A> }
): Effect.Effect<void, Invalid> => {
  if (!Predicate.isReadonlyRecord(options)) return Invalid.at(["options"], "object_type", "Must be an object")
  const { signal, workspace }: CallOptions = options
  return Effect.zipRight(
    knownFields(options, fields, at),
    signal !== undefined && signalOf(options) === undefined
      ? Invalid.at([...at, "signal"], "value_error", "Must be an AbortSignal, such as that of an AbortController")
      : workspace !== undefined && typeof workspace !== "string"
      ? Invalid.at([...at, "workspace"], "string_type", "Must be of the form org/workspace")
      : Effect.void
  )
}
