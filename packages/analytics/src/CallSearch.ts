import type { AppId, Scope, SortOrder } from "@trunkline/kernel"
import { DateTime, Order } from "effect"
import type { CallQuery } from "./CallQuery.js"
import type { CallRecord } from "./CallRecord.js"
import { type Field, type FieldName, fields } from "./Fields.js"
import { matches } from "./FilterConditions.js"

/** List to search: all attempts, or those with a conversation. */
export type CallKind = "attempts" | "interactions"

/** Search among the calls of an agent. */
export interface CallSearch {
  readonly scope: Scope
  readonly app_id: AppId
  readonly kind: CallKind
  readonly query: CallQuery
}

/** A page of a list, with the total number of items. */
export interface ListResult<Item> {
  readonly items: ReadonlyArray<Item>
  readonly total: number
}

/** True if a call belongs to an agent of a workspace. */
export const belongsTo = (record: CallRecord, { app_id, scope }: Pick<CallSearch, "app_id" | "scope">): boolean =>
  record.org_id === scope.org_id && record.workspace_id === scope.workspace_id && record.app_id === app_id

/** Field for the time range of each list: time of dialling or arrival, or start of the conversation. */
export const momentField = { attempts: "attempted_at", interactions: "start_datetime" } as const

/** Sort field of a search: the requested one, or the time of the call. */
export const sortField = ({ kind, query }: CallSearch): FieldName => query.sort_by ?? momentField[kind]

/** True if a call matches a search. A call without a conversation is in no range of interactions. */
export const matchesSearch = ({ app_id, kind, query, scope }: CallSearch, record: CallRecord): boolean => {
  const moment = fields[momentField[kind]].of(record)
  return belongsTo(record, { scope, app_id }) && moment !== null &&
    moment >= DateTime.toEpochMillis(query.start_datetime) && moment < DateTime.toEpochMillis(query.end_datetime) &&
    matches(record, query.filter_conditions)
}

const nullsLast = <A>(order: Order.Order<A>, direction: SortOrder): Order.Order<A | null> => (left, right) =>
  left === null || right === null
    ? Order.boolean(left === null, right === null)
    : direction === "asc"
    ? order(left, right)
    : order(right, left)

const byField = (field: Field, direction: SortOrder): Order.Order<CallRecord> =>
  field.kind === "string"
    ? Order.mapInput(nullsLast(Order.string, direction), field.of)
    : Order.mapInput(nullsLast(Order.number, direction), field.of)

/** Order of search results: by the sort field, calls without a value last in both directions, then by ascending attempt id. */
export const searchOrder = (search: CallSearch): Order.Order<CallRecord> =>
  Order.combine(
    byField(fields[sortField(search)], search.query.sort_order),
    Order.mapInput(Order.string, (record: CallRecord) => record.attempt_id)
  )
