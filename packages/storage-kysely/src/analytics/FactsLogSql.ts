import {
  AppId,
  AttemptId,
  CampaignId,
  CohortId,
  DeploymentId,
  InteractionId,
  type Scope,
  unchecked,
  uncheckedInstance
} from "@trunkline/kernel"
import { Fact, FactsLog } from "@trunkline/warehouse"
import { DateTime, Effect, Layer, Option } from "effect"
import { type Kysely, sql } from "kysely"
import { replaceRows } from "../fast/ManyRows.js"
import type { Database } from "../schema/Database.js"
import { lockName } from "../sql/NamedLock.js"
import { inBatches, jsonColumn, scopeColumns, scopeOf, sqlText } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"

const facts = jsonColumn(Fact)

const momentOf = (text: string): DateTime.Utc => DateTime.unsafeMake(Date.parse(text))
const orNull = <A, B>(value: A | null, to: (value: A) => B): B | null => value === null ? null : to(value)

/** The fact of a row, unchecked because it was checked when written and a projector reads every fact. */
const readFact = (body: string): Fact => {
  const fact: typeof Fact.Encoded = JSON.parse(body)
  return uncheckedInstance(Fact, {
    ...fact,
    attempt_id: AttemptId.make(fact.attempt_id, unchecked),
    interaction_id: orNull(fact.interaction_id, (id) => InteractionId.make(id, unchecked)),
    app_id: AppId.make(fact.app_id, unchecked),
    deployment_id: orNull(fact.deployment_id, (id) => DeploymentId.make(id, unchecked)),
    campaign_id: orNull(fact.campaign_id, (id) => CampaignId.make(id, unchecked)),
    cohort_id: orNull(fact.cohort_id, (id) => CohortId.make(id, unchecked)),
    scheduled_at: orNull(fact.scheduled_at, momentOf),
    executed_at: momentOf(fact.executed_at),
    start_datetime: orNull(fact.start_datetime, momentOf),
    end_datetime: orNull(fact.end_datetime, momentOf)
  })
}

/** Columns of a fact. */
export const factRow = {
  key: "attempt_id",
  columns: { org_id: "text", workspace_id: "text", attempt_id: "text", user_identifier: "text", body: "text" },
  defaults: ["seq"]
} as const

/**
 * Gives the facts of a workspace their places. Where transactions run side by side, the order of numbers is not that of
 * commits, and a reader would miss what is committed late: there a new fact has a negative number until it is read.
 */
const placeFacts = async (
  db: Kysely<Database>,
  dialect: SqlDialect,
  { org_id, workspace_id }: Scope
): Promise<void> => {
  const unplacedFacts = db.selectFrom("facts").select("attempt_id")
    .where((eb) => eb.and({ org_id, workspace_id }))
    .where("seq", "<", 0)
  if (await unplacedFacts.limit(1).executeTakeFirst() === undefined) return
  await lockName(db, dialect, "fact_places")
  await sqlText(
    `update facts set seq = placed_rows.place from (
      select attempt_id, nextval('fact_places') as place from (
        select attempt_id from facts where org_id = ? and workspace_id = ? and seq < 0 order by seq desc for update
      ) as new_rows
    ) as placed_rows where placed_rows.attempt_id = facts.attempt_id`,
    org_id,
    workspace_id
  ).execute(db)
}

/** Lists the workspaces by skipping from one to the next in the index, however many facts each has. */
const workspaces = async (db: Kysely<Database>): Promise<ReadonlyArray<Scope>> => {
  const scopes: Array<Scope> = []
  for (;;) {
    const last = scopes.at(-1)
    const orderedQuery = db.selectFrom("facts").select(["org_id", "workspace_id"])
      .orderBy("org_id").orderBy("workspace_id").limit(1)
    const next = await (last === undefined ?
      orderedQuery :
      orderedQuery.where((eb) =>
        eb(eb.refTuple("org_id", "workspace_id"), ">", eb.tuple(last.org_id, last.workspace_id))
      ))
      .executeTakeFirst()
    if (next === undefined) return scopes
    scopes.push(scopeOf(next))
  }
}

/** `FactsLog` in SQL. */
export const FactsLogSql = {
  layer: Layer.effect(
    FactsLog,
    Effect.map(Sql, ({ dialect, query, statements, transaction }) => {
      // Puts an entry at the end: numbers are never used again, so the new one is greater than all before.
      const putFacts = replaceRows(dialect, "facts", factRow)
      /** Reads entries by place. */
      const read = <A>(scope: Scope, run: (db: Kysely<Database>) => Promise<A>): Effect.Effect<A> =>
        dialect.lockName === null
          ? query(run)
          : Effect.zipRight(transaction(query((db) => placeFacts(db, dialect, scope))), query(run))

      return FactsLog.of({
        appendMany: (addedFacts) =>
          statements(function*() {
            yield* putFacts(addedFacts.map(({ fact, scope }) => {
              const { attempt_id, user_identifier } = fact
              return [scope.org_id, scope.workspace_id, attempt_id, user_identifier, facts.encode(fact)]
            }))
          }),
        find: (scope, attempt_id) =>
          query((db) =>
            db.selectFrom("facts").select("body")
              .where((eb) => eb.and({ ...scopeColumns(scope), attempt_id }))
              .executeTakeFirst()
          ).pipe(Effect.map((row) => Option.map(Option.fromNullable(row?.body), (body) => facts.decode(body)))),
        erase: (scope, user_identifier) =>
          Effect.gen(function*() {
            const rows = yield* query((db) =>
              db.selectFrom("facts").select("attempt_id")
                .select(sql<string | null>`${sql.raw(dialect.field("body", "interaction_id"))}`.as("interaction_id"))
                .where((eb) => eb.and({ ...scopeColumns(scope), user_identifier }))
                .orderBy("seq")
                .execute()
            )
            yield* inBatches(rows, (batch) =>
              statements(function*() {
                yield* putFacts(
                  batch.map(({ attempt_id }) => [scope.org_id, scope.workspace_id, attempt_id, null, null])
                )
              }))
            return rows.map(({ attempt_id, interaction_id }) => ({
              attempt_id: AttemptId.make(attempt_id),
              interaction_id: interaction_id === null ? null : InteractionId.make(interaction_id)
            }))
          }).pipe(transaction),
        read: (scope, { after, limit }) =>
          read(scope, (db) =>
            db.selectFrom("facts").select(["seq", "attempt_id", "body"])
              .where((eb) => eb.and(scopeColumns(scope)))
              .where("seq", ">", after)
              .orderBy("seq")
              .limit(limit)
              .execute()).pipe(Effect.map((rows) =>
                rows.map(({ attempt_id, body, seq }) => ({
                  seq,
                  attempt_id: AttemptId.make(attempt_id, unchecked),
                  fact: body === null ? null : readFact(body)
                }))
              )),
        end: (scope) =>
          read(scope, (db) =>
            db.selectFrom("facts").select("seq")
              .where((eb) => eb.and(scopeColumns(scope)))
              .orderBy("seq", "desc")
              .limit(1)
              .executeTakeFirst()).pipe(Effect.map((row) => row?.seq ?? 0)),
        workspaces: query(workspaces)
      })
    })
  )
}
