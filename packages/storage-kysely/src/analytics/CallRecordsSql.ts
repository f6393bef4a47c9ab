import {
  CallRecord,
  CallRecords,
  type CallSearch,
  type FieldName,
  fields,
  type FilterCondition,
  isFieldName,
  momentField,
  sortField,
  type StoredCall,
  Transcript,
  variableName
} from "@trunkline/analytics"
import type { Overloaded, TimedOut } from "@trunkline/errors"
import { AttemptId, InteractionId } from "@trunkline/kernel"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import {
  type Compilable,
  DummyDriver,
  Kysely,
  type RawBuilder,
  sql,
  type SqlBool,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler
} from "kysely"
import type { Database } from "../schema/Database.js"
import { inBatches, insertText, jsonColumn, scopeColumns } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"
import { type SqlValue, statement } from "../sql/Statement.js"

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

type Value = string | number

/** Expression for the value of a field: a column of the catalog, or an agent variable. Null when the call has none. */
const fieldValue = (field: string): RawBuilder<Value | null> =>
  isFieldName(field)
    ? fieldColumn(field)
    : sql<Value>`(select value from json_each(calls.variables) where key = ${variableName(field)})`

/** The column of a catalog field. */
const fieldColumn = (field: FieldName): RawBuilder<Value | null> => sql.ref<Value | null>(`calls.${field}`)

/** Length of a text in code points, as SQL counts it. */
const codePointLength = (text: string): number => Array.from(text).length

/**
 * A condition in SQL, equivalent to `matches` of `@trunkline/analytics`. Without a value in the field every comparison but
 * `not_equals` is null, which does not count as true.
 */
const conditionSql = (condition: FilterCondition): RawBuilder<SqlBool> => {
  const actual = fieldValue(condition.field)
  const wanted = condition.kind === "datetime" ? DateTime.toEpochMillis(condition.value) : condition.value
  const folded = String(wanted).toLowerCase()
  switch (condition.operator) {
    case "equals":
      return sql`${actual} = ${wanted}`
    case "not_equals":
      return sql`${actual} is distinct from ${wanted}`
    case "greater_than":
      return sql`${actual} > ${wanted}`
    case "less_than":
      return sql`${actual} < ${wanted}`
    case "includes":
      return sql`instr(lower(${actual}), ${folded}) > 0`
    case "starts_with":
      return sql`instr(lower(${actual}), ${folded}) = 1`
    case "ends_with":
      return folded === ""
        ? sql`${actual} is not null`
        : sql`substr(lower(${actual}), ${-codePointLength(folded)}) = ${folded}`
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

const putCall = insertText("calls", ["org_id", "workspace_id", ...Object.keys(fields), "variables", "body"], "replace")
const insertTranscript = insertText("call_transcripts", ["attempt_id", "interaction_id", "body"])

/** The parameters of `putCall`. */
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
const matchingCalls = (db: Kysely<Database>, { app_id, kind, query, scope }: CallSearch) =>
  query.filter_conditions.reduce(
    (calls, condition) => calls.where(conditionSql(condition)),
    db.selectFrom("calls")
      .where((is) => is.and({ ...scopeColumns(scope), app_id }))
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
      const { query, statements, transaction } = yield* Sql
      const reads = yield* SlowReads

      /** Runs a search. A plain one reads from an index; any other may scan every call of the agent. */
      const readRows = (search: CallSearch, statement: Compilable) => {
        const compiled = statement.compile()
        return reads === null
          ? Effect.map(query((db) => db.executeQuery(compiled)), ({ rows }): ReadonlyArray<unknown> => rows)
          : reads.rows({ ...compiled, isHeavy: isHeavy(search) })
      }

      const recordMany = (calls: ReadonlyArray<StoredCall>) =>
        statements(function*() {
          for (const { record, transcript } of calls) {
            yield* statement(putCall, callValues(record))
            if (transcript === null) continue
            const { attempt_id } = record
            yield* statement(insertTranscript, [attempt_id, transcript.interaction_id, transcripts.encode(transcript)])
          }
        })

      return CallRecords.of({
        record: (record, transcript) => recordMany([{ record, transcript }]),
        recordMany,
        ofUser: (scope, user_identifier) =>
          query((db) =>
            db.selectFrom("calls").select(["attempt_id", "interaction_id"])
              .where((is) => is.and({ ...scopeColumns(scope), user_identifier }))
              .execute()
          ).pipe(Effect.map((rows) => rows.map((row) => Reference(row)))),
        erase: (scope, attempt_ids) =>
          transaction(inBatches(attempt_ids, (batch) =>
            query((db) =>
              db.deleteFrom("calls")
                .where("attempt_id", "in", batch)
                .where((is) => is.and(scopeColumns(scope)))
                .execute()
            ))).pipe(Effect.asVoid),
        query: (search) =>
          Effect.gen(function*() {
            const { limit, offset, sort_order } = search.query
            const calls = matchingCalls(compiler, search)
            const counted = yield* readRows(search, calls.select((of) => of.fn.countAll<number>().as("total")))
            const total = counted.reduce<number>((sum, row) => sum + Counted(row).total, 0)
            const page = yield* readRows(
              search,
              calls.select("body")
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
              .select(["calls.body", "call_transcripts.body as transcript"])
              .where("calls.attempt_id", "=", attempt_id)
              .where((is) => is.and(scopeColumns(scope)))
              .executeTakeFirst()
          ).pipe(Effect.map((row) =>
            Option.map(Option.fromNullable(row), ({ body, transcript }) => ({
              record: records.decode(body),
              transcript: transcript === null ? null : transcripts.decode(transcript)
            }))
          )),
        transcript: ({ app_id, interaction_id, scope }) =>
          query((db) =>
            db.selectFrom("call_transcripts")
              .innerJoin("calls", "calls.attempt_id", "call_transcripts.attempt_id")
              .select("call_transcripts.body")
              .where("call_transcripts.interaction_id", "=", interaction_id)
              .where((is) => is.and({ ...scopeColumns(scope), app_id }))
              .executeTakeFirst()
          ).pipe(Effect.map(transcripts.read))
      })
    })
  )
}
