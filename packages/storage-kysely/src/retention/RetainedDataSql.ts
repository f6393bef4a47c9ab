import {
  AttemptId,
  InteractionId,
  RetainedData,
  type RetainedKind,
  type RetainedRow,
  type Scope,
  unchecked
} from "@trunkline/kernel"
import { Effect, Layer } from "effect"
import type { Kysely } from "kysely"
import { factRow } from "../analytics/FactsLogSql.js"
import { replaceRows } from "../fast/ManyRows.js"
import type { Database } from "../schema/Database.js"
import { sqlText } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import type { SqlValue } from "../sql/Statement.js"

/** A kind of data in SQL. The parameters of `where` are the organisation, the workspace and the time. */
interface KindSql {
  readonly from: string
  readonly id: string
  readonly interaction: string
  readonly at: string
  readonly where: string
}

const callsBefore = "calls.org_id = ? and calls.workspace_id = ? and calls.attempted_at < ?"

const kindsOf = ({ field }: SqlDialect): Readonly<Record<RetainedKind, KindSql>> => ({
  recordings: {
    from: "calls",
    id: "calls.attempt_id",
    interaction: "calls.interaction_id",
    at: "calls.attempted_at",
    where: `${callsBefore} and calls.interaction_id is not null`
  },
  transcripts: {
    from: "calls",
    id: "calls.attempt_id",
    interaction: "calls.interaction_id",
    at: "calls.attempted_at",
    // Requests to models are a part of transcripts, also of calls that failed and have none.
    where: `${callsBefore} and (
      exists (select 1 from call_transcripts where call_transcripts.attempt_id = calls.attempt_id)
      or exists (select 1 from call_model_inputs where call_model_inputs.attempt_id = calls.attempt_id)
    )`
  },
  calls: {
    from: "calls",
    id: "calls.attempt_id",
    interaction: "calls.interaction_id",
    at: "calls.attempted_at",
    where: callsBefore
  },
  webhooks: {
    from: "outbox",
    id: "webhook_id",
    interaction: "null",
    at: "finished_at",
    where: "org_id = ? and workspace_id = ? and finished_at < ? and state <> 'pending'"
  },
  cohorts: {
    from: "cohorts",
    id: "cohort_id",
    interaction: "null",
    at: "updated_at",
    where: `org_id = ? and workspace_id = ? and updated_at < ? and status <> 'processing' and owner_kind = 'campaign'
      and exists (
        select 1 from campaigns
        where campaigns.campaign_id = cohorts.owner_id and campaigns.status in ('ended', 'cancelled')
      )`
  },
  attempts: {
    from: "attempts",
    id: "attempt_id",
    interaction: "null",
    at: "attempted_at",
    where: `${field("body", "org_id")} = ? and ${
      field("body", "workspace_id")
    } = ? and attempted_at < ? and state = 'ended'`
  }
})

/** Deletions of rows by id; the parameter is a JSON array of them. None for recordings, which are files. */
const removals = (ids: string): Readonly<Record<RetainedKind, ReadonlyArray<string>>> => ({
  recordings: [],
  transcripts: [
    `delete from call_transcripts where attempt_id in (${ids})`,
    `delete from call_model_inputs where attempt_id in (${ids})`
  ],
  calls: [`delete from calls where attempt_id in (${ids})`],
  webhooks: [`delete from outbox where webhook_id in (${ids}) and state <> 'pending'`],
  cohorts: [
    `insert into cohort_leftovers (cohort_number)
      select number from cohorts where cohort_id in (${ids}) and status <> 'processing' on conflict do nothing`,
    `insert into expected_cohorts (cohort_id)
      select cohort_id from cohorts where cohort_id in (${ids}) and status <> 'processing' on conflict do nothing`,
    `delete from cohorts where cohort_id in (${ids}) and status <> 'processing'`
  ],
  attempts: [`delete from attempts where attempt_id in (${ids}) and state = 'ended'`]
})

/** Name of the time up to which the recordings of a workspace have been removed: no row tells which calls had one. */
const markOf = ({ org_id, workspace_id }: Scope): string => `recordings_removed ${org_id}/${workspace_id}`

/** `RetainedData` in SQL. */
export const RetainedDataSql = {
  layer: Layer.effect(
    RetainedData,
    Effect.gen(function*() {
      const { dialect, execute, query, statements } = yield* Sql
      const kinds = kindsOf(dialect)
      const remove = removals(`select value from ${dialect.textRows("id")}`)
      const putFacts = replaceRows(dialect, "facts", factRow)

      const run = <Row>(text: string, ...values: ReadonlyArray<SqlValue>) =>
        query((db: Kysely<Database>) => sqlText<Row>(text, ...values).execute(db)).pipe(
          Effect.map(({ rows }) => rows)
        )

      /** Further condition: recordings from before the mark are gone. */
      const conditionOf = (scope: Scope, kind: RetainedKind) =>
        kind === "recordings"
          ? Effect.map(
            run<{ value: number }>("select value from engine_state where key = ?", markOf(scope)),
            ([row]) => ` and calls.attempted_at > ${row?.value ?? -1}`
          )
          : Effect.succeed("")

      /** Marks facts as erased, so that warehouses follow. */
      const eraseFacts = ({ org_id, workspace_id }: Scope, ids: string) =>
        Effect.flatMap(
          run<{ attempt_id: string }>(
            `select attempt_id from facts where body is not null and attempt_id in (select value from ${
              dialect.textRows("id")
            })`,
            ids
          ),
          (rows) =>
            statements(function*() {
              yield* putFacts(rows.map(({ attempt_id }) => [org_id, workspace_id, attempt_id, null, null]))
            })
        )

      return {
        count: (scope, kind, before) =>
          Effect.gen(function*() {
            const { from, where } = kinds[kind]
            const more = yield* conditionOf(scope, kind)
            const text = `select count(*) as total from ${from} where ${where}${more}`
            const [row] = yield* run<{ total: number }>(text, scope.org_id, scope.workspace_id, before)
            return Number(row?.total ?? 0)
          }),
        find: (scope, kind, { before, limit }) =>
          Effect.gen(function*() {
            const { at, from, id, interaction, where } = kinds[kind]
            const more = yield* conditionOf(scope, kind)
            const order = kind === "recordings" ? ` order by ${at}` : ""
            const rows = yield* run<{ id: string; interaction_id: string | null; at: number }>(
              `select ${id} as id, ${interaction} as interaction_id, ${at} as at from ${from} where ${where}${more}${order} limit ${limit}`,
              scope.org_id,
              scope.workspace_id,
              before
            )
            return rows.map(({ at, id, interaction_id }): RetainedRow => ({
              id,
              interaction_id: interaction_id === null ? null : InteractionId.make(interaction_id, unchecked),
              at
            }))
          }),
        remove: (scope, kind, rows) =>
          Effect.gen(function*() {
            const ids = JSON.stringify(rows.map(({ id }) => id))
            if (kind === "calls") yield* eraseFacts(scope, ids)
            for (const text of remove[kind]) yield* run(text, ids)
            if (kind === "recordings") {
              const last = rows.reduce((last, { at }) => Math.max(last, at), -1)
              yield* execute(
                "insert into engine_state (key, value) values (?, ?) on conflict (key) do update set value = excluded.value",
                [markOf(scope), last]
              )
            }
            return kind === "transcripts" || kind === "calls"
              ? rows.map(({ id }) => AttemptId.make(id, unchecked))
              : []
          })
      } satisfies RetainedData.Service
    })
  )
}
