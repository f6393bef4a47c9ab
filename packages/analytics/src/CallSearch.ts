import type { AppId, Scope, SortOrder } from "@trunkline/kernel"
import { DateTime, Order } from "effect"
import type { CallQuery } from "./CallQuery.js"
import type { CallRecord } from "./CallRecord.js"
import { type Field, type FieldName, fields } from "./Fields.js"
import { matches } from "./FilterConditions.js"

/** Which list is asked for: every attempt, or those in which a conversation took place. */
export type CallKind = "attempts" | "interactions"

/** One question about the calls of an agent. */
export interface CallSearch {
  readonly scope: Scope
  readonly app_id: AppId
  readonly kind: CallKind
  readonly query: CallQuery
}

/** Part of a list, and how long the whole list is. */
export interface Listed<Item> {
  readonly items: ReadonlyArray<Item>
  readonly total: number
}

/** Whether a call belongs to an agent of a workspace. */
export const isOf = (record: CallRecord, { app_id, scope }: Pick<CallSearch, "app_id" | "scope">): boolean =>
  record.org_id === scope.org_id && record.workspace_id === scope.workspace_id && record.app_id === app_id

/** What places a call in time: when it was dialled or arrived, or when its conversation began (shapes 6.3). */
export const momentField = { attempts: "attempted_at", interactions: "start_datetime" } as const

/** What a search sorts by: what was asked for, otherwise the moment. */
export const sortField = ({ kind, query }: CallSearch): FieldName => query.sort_by ?? momentField[kind]

/** Whether a search finds this call. A call without a conversation is in no range of interactions. */
export const finds = ({ app_id, kind, query, scope }: CallSearch, record: CallRecord): boolean => {
  const moment = fields[momentField[kind]].of(record)
  return isOf(record, { scope, app_id }) && moment !== null &&
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

/**
 * The order of a search's results: by its sort field, calls without a value last in either direction, and among
 * equals by attempt id, ascending (shapes 0.4).
 */
export const searchOrder = (search: CallSearch): Order.Order<CallRecord> =>
  Order.combine(
    byField(fields[sortField(search)], search.query.sort_order),
    Order.mapInput(Order.string, (record: CallRecord) => record.attempt_id)
  )
