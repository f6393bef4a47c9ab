import {
  CallRecord,
  CallRecords,
  type CallSearch,
  fields,
  momentField,
  sortField,
  Transcript
} from "@trunkline/analytics"
import { AttemptId, InteractionId } from "@trunkline/kernel"
import { DateTime, Effect, Layer, Schema } from "effect"
import type { Compilable, Kysely } from "kysely"
import { columnOf, conditionSql } from "./CallConditions.js"
import type { Database } from "./Database.js"
import { bodyOf, columnsOf, inBatches, insertText } from "./Rows.js"
import { SlowReads } from "./SlowReads.js"
import { compiler, Sql, type SqlValue } from "./Sql.js"

const records = bodyOf(CallRecord)
const transcripts = bodyOf(Transcript)

const putCall = insertText("calls", ["org_id", "workspace_id", ...Object.keys(fields), "variables", "body"], "replace")
const insertTranscript = insertText("call_transcripts", ["attempt_id", "interaction_id", "body"])

/** What `putCall` takes. */
const valuesOf = (record: CallRecord): ReadonlyArray<SqlValue> => {
  const variables = Object.entries(record.conversation?.agent_variables ?? {}).filter(([, value]) => value !== null)
  return [
    record.org_id,
    record.workspace_id,
    ...Object.values(fields).map(({ of }) => of(record)),
    JSON.stringify(Object.fromEntries(variables.map(([name, value]) => [name, String(value)]))),
    records.encode(record)
  ]
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

/** Rows that are skipped are looked at. */
const manySkipped = 1_000

const isHeavy = (search: CallSearch): boolean =>
  search.query.filter_conditions.length > 0 || search.query.offset > manySkipped ||
  sortField(search) !== momentField[search.kind]

const Reference = Schema.decodeUnknownSync(
  Schema.Struct({ attempt_id: AttemptId, interaction_id: Schema.NullOr(InteractionId) })
)
const Counted = Schema.decodeUnknownSync(Schema.Struct({ total: Schema.Number }))
const Page = Schema.decodeUnknownSync(Schema.Struct({ body: Schema.String }))

/** `CallRecords` in SQL; lists are read by `SlowReads` where there are any. */
export const CallRecordsSql = {
  layer: Layer.effect(
    CallRecords,
    Effect.gen(function*() {
      const { execute, query, transaction } = yield* Sql
      const reads = yield* SlowReads

      /** A plain search is answered from an index; any other may look at every call of the agent. */
      const rows = (search: CallSearch, rows: Compilable) => {
        const compiled = rows.compile()
        return reads === null
          ? Effect.map(query((db) => db.executeQuery(compiled)), ({ rows }): ReadonlyArray<unknown> => rows)
          : reads.rows({ ...compiled, isHeavy: isHeavy(search) })
      }

      return CallRecords.of({
        record: (record, transcript) =>
          transaction(Effect.gen(function*() {
            const { attempt_id } = record
            yield* execute(putCall, valuesOf(record))
            if (transcript === null) return
            yield* execute(insertTranscript, [attempt_id, transcript.interaction_id, transcripts.encode(transcript)])
          })),
        ofUser: (scope, user_identifier) =>
          query((db) =>
            db.selectFrom("calls").select(["attempt_id", "interaction_id"])
              .where((is) => is.and({ ...columnsOf(scope), user_identifier }))
              .execute()
          ).pipe(Effect.map((rows) => rows.map((row) => Reference(row)))),
        erase: (scope, attempt_ids) =>
          transaction(inBatches(attempt_ids, (batch) =>
            query((db) =>
              db.deleteFrom("calls")
                .where("attempt_id", "in", batch)
                .where((is) => is.and(columnsOf(scope)))
                .execute()
            ))).pipe(Effect.asVoid),
        query: (search) =>
          Effect.gen(function*() {
            const { limit, offset, sort_order } = search.query
            const calls = found(compiler, search)
            const counted = yield* rows(search, calls.select((of) => of.fn.countAll<number>().as("total")))
            const total = counted.reduce<number>((sum, row) => sum + Counted(row).total, 0)
            const page = yield* rows(
              search,
              calls.select("body")
                .orderBy(columnOf(sortField(search)), (by) => by[sort_order]().nullsLast())
                .orderBy("attempt_id")
                .limit(limit)
                .offset(offset)
            )
            return { items: page.map((row) => records.decode(Page(row).body)), total }
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
