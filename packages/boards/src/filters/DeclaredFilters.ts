import { Invalid, issueType } from "@trunkline/errors"
import { Effect, Schema } from "effect"
import { type Filter, FilterDecl } from "./Filter.js"

const firstRepeated = (declarations: ReadonlyArray<FilterDecl>): number => {
  const names = declarations.map(({ internal_name }) => internal_name)
  return names.findIndex((name, index) => names.indexOf(name) < index)
}

/** Filter declarations of one widget, each with its own name. */
export const FilterDecls = Schema.Array(FilterDecl).pipe(
  Schema.filter((declarations) => {
    const index = firstRepeated(declarations)
    const name = declarations[index]?.internal_name
    return name === undefined
      ? undefined
      : { path: [index, "internal_name"], message: `The filter ${name} is declared twice in one list` }
  }, issueType("value_error"))
)

/** Attributes that a client can set and that decide whether a filter is a dropdown with options. */
interface DropdownShape {
  readonly filter_type?: Filter["filter_type"] | null | undefined
  readonly options?: ReadonlyArray<string> | null | undefined
}

/** Boards stored before options were required may have dropdowns without them, which stay as they are. */
const lacksOptions = ({ filter_type, options }: DropdownShape, before: Filter | undefined): boolean => {
  if ((filter_type ?? before?.filter_type) !== "dropdown") return false
  const previousOptions = before?.filter_type === "dropdown" ? before.options : null
  return (options ?? previousOptions ?? []).length === 0 && previousOptions?.length !== 0
}

const withoutOptions = (loc: ReadonlyArray<string | number>) =>
  Invalid.at([...loc, "options"], "too_short", "A dropdown needs at least one option")

/** Fails with `Invalid` when a change of a filter leaves a dropdown without options. */
export const checkDropdown = (change: DropdownShape, before: Filter): Effect.Effect<void, Invalid> =>
  lacksOptions(change, before) ? withoutOptions(["body"]) : Effect.void

/**
 * Fails with `Invalid` when a widget declares a dropdown without options, unless the board knows the dropdown already:
 * then its options stay.
 */
export const checkDropdowns = (
  declarations: ReadonlyArray<FilterDecl>,
  existing: ReadonlyArray<Filter>
): Effect.Effect<void, Invalid> => {
  const index = declarations.findIndex((one) =>
    lacksOptions(one, existing.find(({ internal_name }) => internal_name === one.internal_name))
  )
  return index < 0 ? Effect.void : withoutOptions(["body", "filters", index])
}
