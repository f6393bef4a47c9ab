import { AttemptId, CampaignId, ConnectionId, macroTask, OrgId, trusted, WorkspaceId } from "@trunkline/kernel"
import { Attempt, AttemptResult, AttemptStore, type OpenAttempt } from "@trunkline/telephony"
import { Array, Effect, Layer, Option, Schema, Struct } from "effect"
import { sql } from "kysely"
import { remembering } from "./Remembering.js"
import { bodyOf } from "./Rows.js"
import { Sql } from "./Sql.js"

const inColumns = ["attempt_id", "state", "connection_id", "attempted_at", "provider_call_id", "result"] as const

/** What never changes about an attempt. */
const BodySchema = Schema.Struct(Struct.omit(Attempt.fields, ...inColumns))
type Body = typeof BodySchema.Type
const Body = bodyOf(BodySchema)
const Result = bodyOf(AttemptResult)

type Row = Readonly<Record<"attempt_id" | "connection_id", string>> & {
  readonly state: Attempt["state"]
  readonly attempted_at: number
  readonly provider_call_id: string | null
  readonly result: string | null
}

/** Statements that every attempt takes: their texts are made once, which takes longer than the database does. */
const put = "insert into attempts "
  + "(attempt_id, state, connection_id, attempted_at, provider_call_id, result, body) values (?, ?, ?, ?, ?, ?, ?)"
const claim = "update attempts set state = 'claimed', attempted_at = ? where attempt_id = ? and state = 'pending'"
const accept = "update attempts set state = 'accepted', provider_call_id = ? where attempt_id = ? and state = 'claimed'"
const end = (columns: string) =>
  `update attempts set state = 'ended', result = ? where attempt_id = ? and state <> 'ended' returning ${columns}`
const withdraw = "delete from attempts where attempt_id = ? and state = 'claimed'"
const find = (columns: string) => `select ${columns} from attempts where attempt_id = ?`

/** What changes about an attempt: all that is read of one whose body is remembered. */
const changing = inColumns.join(", ")

/** Attempts that are remembered, since each is read a few times until it has ended. */
const REMEMBERED = 2_000

/** How many unfinished attempts are read at once. */
const PAGE = 1_000

/** `AttemptStore` in SQL. */
export const AttemptStoreSql = {
  layer: Layer.effect(
    AttemptStore,
    Effect.gen(function*() {
      const { execute, query } = yield* Sql
      const bodies = remembering(Body.decode, REMEMBERED)

      const resultOf = ({ result }: Row) => result === null ? null : Result.decode(result)

      const attemptOf = (row: Row, body: Body, result: Attempt["result"]) =>
        new Attempt({
          ...body,
          attempt_id: AttemptId.make(row.attempt_id, trusted),
          connection_id: ConnectionId.make(row.connection_id, trusted),
          state: row.state,
          attempted_at: row.attempted_at,
          provider_call_id: row.provider_call_id,
          result
        }, trusted)

      /** Reads an attempt by a statement that answers these columns, without its body where that is remembered. */
      const one = (
        id: AttemptId,
        { text, values, result }: {
          readonly text: (columns: string) => string
          readonly values: ReadonlyArray<string>
          readonly result?: Attempt["result"]
        }
      ) =>
        Effect.suspend(() => {
          const known = bodies.known(id)
          const made = (row: Row, body: Body) => attemptOf(row, body, result === undefined ? resultOf(row) : result)
          return known === undefined
            ? Effect.map(
              execute<Row & { readonly body: string }>(text(`${changing}, body`), values),
              ({ rows }) => Option.map(Array.head(rows), (row) => made(row, bodies.read(id, row.body)))
            )
            : Effect.map(
              execute<Row>(text(changing), values),
              ({ rows }) => Option.map(Array.head(rows), (row) => made(row, known))
            )
        })

      /** Whether a statement changed a row. */
      const changes = (text: string, values: ReadonlyArray<string | number>) =>
        Effect.map(execute(text, values), ({ numAffectedRows }) => (numAffectedRows ?? 0n) > 0n)

      const unfinishedAfter = (id: string): Effect.Effect<ReadonlyArray<OpenAttempt>> =>
        query((db) =>
          db.selectFrom("attempts")
            .select(["attempt_id", "connection_id", "state"])
            .select(sql<string>`body ->> '$.org_id'`.as("org_id"))
            .select(sql<string>`body ->> '$.workspace_id'`.as("workspace_id"))
            .select(sql<Attempt["kind"]>`body ->> '$.kind'`.as("kind"))
            .select(sql<string | null>`body ->> '$.campaign_id'`.as("campaign_id"))
            .where(sql<boolean>`state <> 'ended'`)
            .where("attempt_id", ">", id)
            .orderBy("attempt_id")
            .limit(PAGE)
            .execute()
        ).pipe(Effect.flatMap((rows) => {
          const found = rows.map(({ attempt_id, campaign_id, connection_id, kind, org_id, state, workspace_id }) => ({
            attempt_id: AttemptId.make(attempt_id, trusted),
            org_id: OrgId.make(org_id, trusted),
            workspace_id: WorkspaceId.make(workspace_id, trusted),
            kind,
            campaign_id: campaign_id === null ? null : CampaignId.make(campaign_id, trusted),
            connection_id: ConnectionId.make(connection_id, trusted),
            state
          }))
          const last = found.at(-1)
          if (last === undefined || found.length < PAGE) return Effect.succeed(found)
          const rest = Effect.zipRight(macroTask, unfinishedAfter(last.attempt_id))
          return Effect.map(rest, (more) => [...found, ...more])
        }))

      return AttemptStore.of({
        insert: (attempt) => {
          const { attempt_id, attempted_at, connection_id, provider_call_id, result, state } = attempt
          const kept = result === null ? null : Result.encode(result)
          const body = Body.encode(attempt)
          bodies.put(attempt_id, attempt)
          return Effect.asVoid(
            execute(put, [attempt_id, state, connection_id, attempted_at, provider_call_id, kept, body])
          )
        },
        claim: (id, attempted_at) => changes(claim, [attempted_at, id]),
        accept: (id, provider_call_id) => changes(accept, [provider_call_id, id]),
        end: (id, result) => one(id, { text: end, values: [Result.encode(result), id], result }),
        withdraw: (id) => changes(withdraw, [id]),
        find: (id) => one(id, { text: find, values: [id] }),
        unfinished: unfinishedAfter("")
      })
    })
  )
}
