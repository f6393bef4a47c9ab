import { sha256 } from "@trunkline/kernel"
import { Array, Encoding, Option } from "effect"
import type { Filter, FilterDecl } from "./Filter.js"

/** Most states of filters that a board remembers. */
const maxReplaced = 100

/** Attributes of a filter that clients can set. */
type FilterState = Omit<Filter, "id" | "is_required">

/** Digest of a state, which takes less space than its options. */
const digestOf = ({ default_value, display_label, filter_type, internal_name, options }: FilterState): string =>
  Encoding.encodeBase64Url(sha256(JSON.stringify([internal_name, filter_type, display_label, default_value, options])))

/**
 * Adds the states of filters that a change replaced to the remembered ones, newest first. States are remembered as
 * digests, at most 100.
 */
export const rememberReplaced = (
  rememberedNames: ReadonlyArray<string>,
  before: ReadonlyArray<Filter>,
  after: ReadonlyArray<Filter>
): ReadonlyArray<string> => {
  const replacedFilters = before.filter((filter) =>
    after.some((other) => other.id === filter.id && digestOf(other) !== digestOf(filter))
  )
  return Array.take(Array.dedupe([...replacedFilters.map(digestOf), ...rememberedNames]), maxReplaced)
}

/** State that a declaration describes completely, as a filter that was read does. */
const completeState = ({ default_value, display_label, options, ...fields }: FilterDecl): Option.Option<FilterState> =>
  default_value === undefined || display_label == null || options == null
    ? Option.none()
    : Option.some({ ...fields, default_value, display_label, options })

/** Leaves out declarations that repeat a replaced state: they were read before the filter changed. */
export const withoutStale = (
  declarations: ReadonlyArray<FilterDecl>,
  rememberedNames: ReadonlyArray<string>
): ReadonlyArray<FilterDecl> =>
  declarations.filter((one) => !Option.exists(completeState(one), (state) => rememberedNames.includes(digestOf(state))))
