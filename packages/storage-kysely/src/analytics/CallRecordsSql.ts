import {
  CallRecord,
  CallRecords,
  type CallSearch,
  fields,
  ModelInput,
  momentField,
  sortField,
  type StoredCall,
  Transcript
} from "@trunkline/analytics"
import type { Overloaded, TimedOut } from "@trunkline/errors"
import { AttemptId, InteractionId, uncheckedInstance } from "@trunkline/kernel"
import { Context, DateTime, Effect, Layer, Option, Record, Schema } from "effect"
import { type Compilable, DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely"
import { changeRows, replaceRows } from "../fast/ManyRows.js"
import type { Database } from "../schema/Database.js"
import { inBatches, jsonColumn, scopeColumns } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"
import type { GivenType, SqlDialect } from "../sql/SqlDialect.js"
import { sideBySide, type SqlValue } from "../sql/Statement.js"
import { conditionSql, fieldColumn } from "./FilterConditionsSql.js"

/** A compiled statement that only reads. */
export interface SlowRead {
  readonly sql: string
  readonly parameters: ReadonlyArray<unknown>
  /** True if it may scan very many rows. */
  readonly isHeavy: boolean
}

/**
 * Runs slow reads on another connection than the one that all stores share. A read sees what was committed before it
 * began. Null unless provided: then the shared connection runs them, and every other caller waits.
 */
export class SlowReads extends Context.Reference<SlowReads>()("@trunkline/storage-kysely/SlowReads", {
  defaultValue: (): SlowReads.Service | null => null
}) {}

export declare namespace SlowReads {
  /** Runner of slow reads. */
  interface Service {
    /** Returns the rows as objects by column name. Fails with `TimedOut` after 15 seconds, and with `Overloaded` when too many reads wait. */
    readonly rows: (read: SlowRead) => Effect.Effect<ReadonlyArray<unknown>, TimedOut | Overloaded>
  }
}

/** Compiles statements for `SlowReads`. */
const compiler = new Kysely<Database>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler()
  }
})

const records = jsonColumn(CallRecord)
const transcripts = jsonColumn(Transcript)
const modelInputs = jsonColumn(Schema.Array(ModelInput))

const callColumns = {
  org_id: "text",
  workspace_id: "text",
  ...Record.map(fields, ({ kind }): GivenType => kind === "string" ? "text" : "number"),
  variables: "text",
  body: "text"
} as const
const inputColumns = { attempt_id: "text", body: "text" } as const
const transcriptColumns = { attempt_id: "text", interaction_id: "text", body: "text" } as const

/** The values of the columns of a call. */
const callValues = (record: CallRecord): ReadonlyArray<SqlValue> => {
  const variables = Object.entries(record.conversation?.agent_variables ?? {}).filter(([, value]) => value !== null)
  return [
    record.org_id,
    record.workspace_id,
    ...Object.values(fields).map(({ of }) => of(record)),
    JSON.stringify(Object.fromEntries(variables.map(([name, value]) => [name, String(value)]))),
    records.encode(record)
  ]
}

/** The calls that match a search. */
const matchingCalls = (dialect: SqlDialect, db: Kysely<Database>, { app_id, kind, query, scope }: CallSearch) =>
  query.filter_conditions.reduce(
    (calls, condition) => calls.where(conditionSql(dialect, condition)),
    db.selectFrom("calls")
      .where((eb) => eb.and({ ...scopeColumns(scope), app_id }))
      .where(momentField[kind], ">=", DateTime.toEpochMillis(query.start_datetime))
      .where(momentField[kind], "<", DateTime.toEpochMillis(query.end_datetime))
  )

/** Offset from which a search counts as heavy, because skipped rows are read too. */
const heavyOffset = 1_000

const isHeavy = (search: CallSearch): boolean =>
  search.query.filter_conditions.length > 0 || search.query.offset > heavyOffset ||
  sortField(search) !== momentField[search.kind]

const Reference = Schema.decodeUnknownSync(
  Schema.Struct({ attempt_id: AttemptId, interaction_id: Schema.NullOr(InteractionId) })
)
const Counted = Schema.decodeUnknownSync(Schema.Struct({ total: Schema.Number }))
const Page = Schema.decodeUnknownSync(Schema.Struct({ body: Schema.String }))

/** `CallRecords` in SQL. Searches run on `SlowReads` where it is provided. */
export const CallRecordsSql = {
  layer: Layer.effect(
    CallRecords,
    Effect.gen(function*() {
      const { dialect, query, statements, transaction } = yield* Sql
      const reads = yield* SlowReads
      const putCalls = replaceRows(dialect, "calls", { key: "attempt_id", columns: callColumns })
      const putTranscripts = replaceRows(dialect, "call_transcripts", { key: "attempt_id", columns: transcriptColumns })
      const putInputs = replaceRows(dialect, "call_model_inputs", { key: "attempt_id", columns: inputColumns })
      const remover = (table: string) =>
        changeRows(dialect, { change: `delete from ${table}`, where: "attempt_id = ?", types: ["text"], key: [] })
      const removeTranscripts = remover("call_transcripts")
      const removeInputs = remover("call_model_inputs")

      /** Runs a search. A plain one reads from an index; any other may scan every call of the agent. */
      const readRows = (search: CallSearch, statement: (db: Kysely<Database>) => Compilable) =>
        reads === null
          ? Effect.map(
            query((db) => db.executeQuery(statement(db).compile())),
            ({ rows }): ReadonlyArray<unknown> => rows
          )
          : reads.rows({ ...statement(compiler).compile(), isHeavy: isHeavy(search) })

      const recordMany = (calls: ReadonlyArray<StoredCall>) =>
        statements(function*() {
          const idsOf = (some: ReadonlyArray<StoredCall>) =>
            dialect.replaceDeletes ? [] : some.map(({ record }) => [record.attempt_id])
          yield* putCalls(calls.map(({ record }) => callValues(record)))
          yield* sideBySide<unknown>([
            putTranscripts(calls.flatMap(({ record: { attempt_id }, transcript }) =>
              transcript === null ? [] : [[attempt_id, transcript.interaction_id, transcripts.encode(transcript)]]
            )),
            removeTranscripts(idsOf(calls.filter(({ transcript }) =>
              transcript === null
            ))),
            putInputs(calls.flatMap(({ modelInputs: inputs, record }) =>
              inputs === undefined ? [] : [[record.attempt_id, modelInputs.encode(inputs)]]
            )),
            removeInputs(idsOf(calls.filter(({ modelInputs: inputs }) =>
              inputs === undefined
            )))
          ])
        })

      return CallRecords.of({
        recordMany,
        evaluate: (scope, attempt_id, after_call) =>
          transaction(Effect.gen(function*() {
            const row = yield* query((db) =>
              db.selectFrom("calls").select("body")
                .where("attempt_id", "=", attempt_id)
                .where((eb) => eb.and(scopeColumns(scope)))
                .executeTakeFirst()
            )
            if (row === undefined) return false
            const body = records.encode(uncheckedInstance(CallRecord, { ...records.decode(row.body), after_call }))
            const { numUpdatedRows } = yield* query((db) =>
              db.updateTable("calls").set({ body }).where("attempt_id", "=", attempt_id).executeTakeFirst()
            )
            return numUpdatedRows > 0n
          })),
        ofUser: (scope, user_identifier) =>
          query((db) =>
            db.selectFrom("calls").select(["attempt_id", "interaction_id"])
              .where((eb) => eb.and({ ...scopeColumns(scope), user_identifier }))
              .execute()
          ).pipe(Effect.map((rows) => rows.map((row) => Reference(row)))),
        erase: (scope, attempt_ids) =>
          transaction(inBatches(attempt_ids, (batch) =>
            query((db) =>
              db.deleteFrom("calls")
                .where("attempt_id", "in", batch)
                .where((eb) => eb.and(scopeColumns(scope)))
                .execute()
            ))).pipe(Effect.asVoid),
        query: (search) =>
          Effect.gen(function*() {
            const { limit, offset, sort_order } = search.query
            const counts = yield* readRows(
              search,
              (db) => matchingCalls(dialect, db, search).select((of) => of.fn.countAll<number>().as("total"))
            )
            const total = counts.reduce<number>((sum, row) => sum + Counted(row).total, 0)
            const page = yield* readRows(
              search,
              (db) =>
                matchingCalls(dialect, db, search).select("body")
                  .orderBy(fieldColumn(sortField(search)), (by) => by[sort_order]().nullsLast())
                  .orderBy("attempt_id")
                  .limit(limit)
                  .offset(offset)
            )
            return { items: page.map((row) => records.decode(Page(row).body)), total }
          }),
        find: (scope, attempt_id) =>
          query((db) =>
            db.selectFrom("calls")
              .leftJoin("call_transcripts", "call_transcripts.attempt_id", "calls.attempt_id")
              .leftJoin("call_model_inputs", "call_model_inputs.attempt_id", "calls.attempt_id")
              .select(["calls.body", "call_transcripts.body as transcript", "call_model_inputs.body as inputs"])
              .where("calls.attempt_id", "=", attempt_id)
              .where((eb) => eb.and(scopeColumns(scope)))
              .executeTakeFirst()
          ).pipe(Effect.map((row) =>
            Option.map(Option.fromNullable(row), ({ body, inputs, transcript }) => ({
              record: records.decode(body),
              transcript: transcript === null ? null : transcripts.decode(transcript),
              ...(inputs !== null && { modelInputs: modelInputs.decode(inputs) })
            }))
          )),
        transcript: ({ app_id, interaction_id, scope }) =>
          query((db) =>
            db.selectFrom("call_transcripts")
              .innerJoin("calls", "calls.attempt_id", "call_transcripts.attempt_id")
              .select("call_transcripts.body")
              .where("call_transcripts.interaction_id", "=", interaction_id)
              .where((eb) => eb.and({ ...scopeColumns(scope), app_id }))
              .executeTakeFirst()
          ).pipe(Effect.map(transcripts.read))
      })
    })
  )
}
