import { issueType } from "@trunkline/errors"
import { emptyAsAbsent, emptyAsDefault, maxPageLimit, QueryInt, SortOrder, Timestamp } from "@trunkline/kernel"
import { DateTime, Schema } from "effect"
import { fieldNames } from "./Fields.js"
import { FilterConditions } from "./FilterConditions.js"

/** Default page size. */
const defaultCallLimit = 20

/**
 * Query parameters of both call lists.
 *
 * The range includes its start and excludes its end. `sort_by` is any catalogued field, by default the time of the call;
 * `sort_order` defaults to `desc`. Empty text counts as absent in optional parameters. Decoding reports all issues at
 * once, but compares the end with the start only if there are no other issues.
 */
export const CallQuery = Schema.Struct({
  start_datetime: Timestamp,
  end_datetime: Timestamp,
  limit: Schema.optionalWith(
    QueryInt.pipe(Schema.greaterThanOrEqualTo(1), Schema.lessThanOrEqualTo(maxPageLimit)),
    { exact: true, default: () => defaultCallLimit }
  ),
  offset: Schema.optionalWith(QueryInt.pipe(Schema.greaterThanOrEqualTo(0)), { exact: true, default: () => 0 }),
  sort_by: emptyAsAbsent(Schema.Literal(...fieldNames)),
  sort_order: emptyAsDefault(SortOrder, "desc"),
  filter_conditions: emptyAsDefault(FilterConditions, [])
}).pipe(
  Schema.filter(
    ({ end_datetime, start_datetime }) =>
      DateTime.greaterThan(end_datetime, start_datetime) ||
      { path: ["end_datetime"], message: "Must be after start_datetime" },
    issueType("value_error")
  )
).annotations({ parseOptions: { errors: "all" } })
export type CallQuery = typeof CallQuery.Type

/** Fields of attempts that interactions do not have. */
const attemptOnlyFields: ReadonlyArray<string> = [
  "completion_status",
  "connectivity_status",
  "next_action_status",
  "correlation_id",
  "attempted_at"
]

const notAnInteractionField = "Interactions have no such field"

/** Query parameters of the interactions list: those of `CallQuery`, restricted to fields of interactions. */
export const InteractionQuery = CallQuery.pipe(
  Schema.filter(
    ({ filter_conditions, sort_by }) => [
      ...(sort_by !== undefined && attemptOnlyFields.includes(sort_by)
        ? [{ path: ["sort_by"], message: notAnInteractionField }]
        : []),
      ...filter_conditions.flatMap(({ field }, index) =>
        attemptOnlyFields.includes(field)
          ? [{ path: ["filter_conditions", index, "field"], message: notAnInteractionField }]
          : []
      )
    ],
    issueType("enum")
  )
).annotations({ parseOptions: { errors: "all" } })
