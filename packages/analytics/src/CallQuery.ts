import { issueType } from "@trunkline/errors"
import { emptyIs, emptyIsAbsent, MAX_PAGE_LIMIT, QueryInt, SortOrder, Timestamp } from "@trunkline/kernel"
import { DateTime, Schema } from "effect"
import { fieldNames } from "./Fields.js"
import { FilterConditions } from "./FilterConditions.js"

/** How many calls a page has when the query does not say (specification, Limits). */
export const defaultCallLimit = 20

/**
 * The query parameters of both call lists (specification, Call analytics).
 *
 * The range has its start in it and its end not. `sort_by` is any field of the catalog and by default the moment of
 * the call; `sort_order` is `desc` by default. An empty text counts as absent where it may be. Decoding reports every
 * issue at once, except that the end is compared with the start only when nothing else is wrong.
 */
export const CallQuery = Schema.Struct({
  start_datetime: Timestamp,
  end_datetime: Timestamp,
  limit: Schema.optionalWith(
    QueryInt.pipe(Schema.greaterThanOrEqualTo(1), Schema.lessThanOrEqualTo(MAX_PAGE_LIMIT)),
    { exact: true, default: () => defaultCallLimit }
  ),
  offset: Schema.optionalWith(QueryInt.pipe(Schema.greaterThanOrEqualTo(0)), { exact: true, default: () => 0 }),
  sort_by: emptyIsAbsent(Schema.Literal(...fieldNames)),
  sort_order: emptyIs(SortOrder, "desc"),
  filter_conditions: emptyIs(FilterConditions, [])
}).pipe(
  Schema.filter(
    ({ end_datetime, start_datetime }) =>
      DateTime.greaterThan(end_datetime, start_datetime) ||
      { path: ["end_datetime"], message: "Must be after start_datetime" },
    issueType("value_error")
  )
).annotations({ parseOptions: { errors: "all" } })
export type CallQuery = typeof CallQuery.Type

/** Fields that attempts have and interactions do not (shapes 6.1, 6.2). */
const ofAttemptsOnly: ReadonlyArray<string> = [
  "completion_status",
  "connectivity_status",
  "next_action_status",
  "correlation_id",
  "attempted_at"
]

const notThere = "Interactions have no such field"

/** The query parameters of the interactions list: those of `CallQuery`, over the fields that an interaction has. */
export const InteractionQuery = CallQuery.pipe(
  Schema.filter(
    ({ filter_conditions, sort_by }) => [
      ...(sort_by !== undefined && ofAttemptsOnly.includes(sort_by) ? [{ path: ["sort_by"], message: notThere }] : []),
      ...filter_conditions.flatMap(({ field }, index) =>
        ofAttemptsOnly.includes(field) ? [{ path: ["filter_conditions", index, "field"], message: notThere }] : []
      )
    ],
    issueType("enum")
  )
).annotations({ parseOptions: { errors: "all" } })
