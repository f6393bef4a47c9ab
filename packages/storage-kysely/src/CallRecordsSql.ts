import {
  CallRecord,
  CallRecords,
  type CallSearch,
  fields,
  momentField,
  sortField,
  Transcript
} from "@trunkline/analytics"
import { DateTime, Effect, Layer, Record } from "effect"
import type { Kysely } from "kysely"
import { columnOf, conditionSql } from "./CallConditions.js"
import type { Database } from "./Database.js"
import { bodyOf, columnsOf } from "./Rows.js"
import { Sql } from "./Sql.js"

const records = bodyOf(CallRecord)
const transcripts = bodyOf(Transcript)

const rowOf = (record: CallRecord) => {
  const variables = Object.entries(record.conversation?.agent_variables ?? {}).filter(([, value]) => value !== null)
  return {
    ...columnsOf(record),
    ...Record.map(fields, ({ of }) => of(record)),
    variables: JSON.stringify(Object.fromEntries(variables.map(([name, value]) => [name, String(value)]))),
    body: records.encode(record)
  }
}

/** The calls that a search finds: as the domain's `finds`. */
const found = (db: Kysely<Database>, { app_id, kind, query, scope }: CallSearch) =>
  query.filter_conditions.reduce(
    (calls, condition) => calls.where(conditionSql(condition)),
    db.selectFrom("calls")
      .where((is) => is.and({ ...columnsOf(scope), app_id }))
      .where(momentField[kind], ">=", DateTime.toEpochMillis(query.start_datetime))
      .where(momentField[kind], "<", DateTime.toEpochMillis(query.end_datetime))
  )

/** `CallRecords` in SQL. */
export const CallRecordsSql = {
  layer: Layer.effect(
    CallRecords,
    Effect.gen(function*() {
      const { query, transaction } = yield* Sql
      return CallRecords.of({
        record: (record, transcript) =>
          transaction(query(async (db) => {
            const { attempt_id } = record
            await db.deleteFrom("calls").where("attempt_id", "=", attempt_id).execute()
            await db.insertInto("calls").values(rowOf(record)).execute()
            if (transcript === null) return
            const { interaction_id } = transcript
            const body = transcripts.encode(transcript)
            await db.insertInto("call_transcripts").values({ attempt_id, interaction_id, body }).execute()
          })),
        query: (search) =>
          query(async (db) => {
            const { limit, offset, sort_order } = search.query
            const calls = found(db, search)
            const { total } = await calls.select((of) => of.fn.countAll<number>().as("total")).executeTakeFirstOrThrow()
            const page = await calls.select("body")
              .orderBy(columnOf(sortField(search)), (by) => by[sort_order]().nullsLast())
              .orderBy("attempt_id")
              .limit(limit)
              .offset(offset)
              .execute()
            return { items: page.map(({ body }) => records.decode(body)), total }
          }),
        transcript: ({ app_id, interaction_id, scope }) =>
          query((db) =>
            db.selectFrom("call_transcripts")
              .innerJoin("calls", "calls.attempt_id", "call_transcripts.attempt_id")
              .select("call_transcripts.body")
              .where("call_transcripts.interaction_id", "=", interaction_id)
              .where((is) => is.and({ ...columnsOf(scope), app_id }))
              .executeTakeFirst()
          ).pipe(Effect.map(transcripts.read))
      })
    })
  )
}
