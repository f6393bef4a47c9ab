import { AttemptId, ConnectionId, Processes, unchecked, uncheckedInstance } from "@trunkline/kernel"
import { Attempt, AttemptResult, AttemptStore } from "@trunkline/telephony"
import { Effect, Layer, Schema, Struct } from "effect"
import { changeRows, insertRows } from "../fast/ManyRows.js"
import { insertText, jsonColumn, makeDecodeCache } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import { statement } from "../sql/Statement.js"
import { openAttempts } from "./OpenAttemptsSql.js"

/** The columns of what changes, and of what attempts are found by. */
const narrowColumns = {
  attempt_id: "text",
  state: "text",
  connection_id: "text",
  attempted_at: "number",
  provider_call_id: "text",
  result: "text"
} as const
const columnNames = Struct.keys(narrowColumns)
const columns = { ...narrowColumns, body: "text" } as const

/** The constant part of an attempt. */
const BodySchema = Schema.Struct(Struct.omit(Attempt.fields, ...columnNames))
type Body = typeof BodySchema.Type
const Body = jsonColumn(BodySchema)
const Result = jsonColumn(AttemptResult)

type Row = Readonly<Record<"attempt_id" | "connection_id", string>> & {
  readonly state: Attempt["state"]
  readonly attempted_at: number
  readonly provider_call_id: string | null
  readonly result: string | null
}
type FullRow = Row & { readonly body: string }

// The statements of every attempt, with texts built once: building them takes longer than running them.
const put = insertText("attempts", Object.keys(columns))
const claim = "update attempts set state = 'claimed', attempted_at = ? where attempt_id = ? and state = 'pending'"
const accept = {
  change: "update attempts set state = 'accepted', provider_call_id = ?",
  where: "attempt_id = ? and (state = 'claimed' or (state = 'accepted' and provider_call_id = ?))",
  returning: "attempt_id",
  types: ["text", "text", "text"],
  key: [1]
} as const
const end = {
  change: "update attempts set state = 'ended', result = ?",
  where: "attempt_id = ? and state <> 'ended'",
  types: ["text", "text"],
  key: [1]
} as const
const withdraw = "delete from attempts where attempt_id = ? and state = 'claimed'"
const findResult = "select result from attempts where attempt_id = ?"
const changeResult = "update attempts set result = ? where attempt_id = ? and result = ?"
const findMany = (columns: string, { orderedJoin, textRows }: SqlDialect) =>
  `select ${columns} from ${textRows("id")} ${orderedJoin("attempts", { on: "attempt_id = id.value" })}`

/** The columns to read of an attempt whose body is cached. */
const changingColumns = columnNames.join(", ")

const allColumns = `${changingColumns}, body`

/** Number of cached attempts; each is read a few times until it has ended, and no longer cached then. */
const cachedAttempts = 20_000

/** `AttemptStore` in SQL. */
export const AttemptStoreSql = {
  layer: Layer.effect(
    AttemptStore,
    Effect.gen(function*() {
      const sql = yield* Sql
      const { dialect, execute, statements } = sql
      const { id: process } = yield* Processes
      const insertAll = insertRows(dialect, "attempts", {
        columns: process === null ? columns : { ...columns, process_id: "integer" }
      })
      const acceptAll = changeRows<Pick<Row, "attempt_id">>(dialect, accept)
      const endWhole = changeRows<FullRow>(dialect, { ...end, returning: allColumns })
      const endKnown = changeRows<FullRow>(dialect, { ...end, returning: changingColumns })
      const bodies = makeDecodeCache(Body.decode, cachedAttempts)

      const findCached = findMany(changingColumns, dialect)
      const findWhole = findMany(allColumns, dialect)

      const resultOf = ({ result }: Row) => result === null ? null : Result.decode(result)

      const attemptOf = (row: Row, body: Body, result: Attempt["result"]) =>
        uncheckedInstance(Attempt, {
          attempt_id: AttemptId.make(row.attempt_id, unchecked),
          ...body,
          connection_id: ConnectionId.make(row.connection_id, unchecked),
          state: row.state,
          attempted_at: row.attempted_at,
          provider_call_id: row.provider_call_id,
          result
        })

      const columnsOf = (attempt: Attempt) => {
        const { attempt_id, attempted_at, connection_id, provider_call_id, result, state } = attempt
        const encodedText = result === null ? null : Result.encode(result)
        bodies.set(attempt_id, attempt)
        return [
          attempt_id,
          state,
          connection_id,
          attempted_at,
          provider_call_id,
          encodedText,
          Body.encode(attempt)
        ]
      }
      const valuesOf = (attempt: Attempt) => process === null ? columnsOf(attempt) : [...columnsOf(attempt), process]

      /** Runs a statement; true when it changed a row. */
      const changesRow = (text: string, values: ReadonlyArray<string | number>) =>
        Effect.map(execute(text, values), ({ numAffectedRows }) => (numAffectedRows ?? 0n) > 0n)

      return AttemptStore.of({
        insertMany: (attempts) =>
          statements(function*() {
            yield* insertAll(attempts.map(valuesOf))
          }),
        insertForOthers: (attempt) => Effect.suspend(() => Effect.asVoid(execute(put, columnsOf(attempt)))),
        claim: (id, attempted_at) => changesRow(claim, [attempted_at, id]),
        acceptMany: (acceptances) =>
          statements(function*() {
            const acceptedAttemptIds = new Set<AttemptId>()
            const rows = yield* acceptAll(
              acceptances.map(({ attempt_id, provider_call_id }) => [provider_call_id, attempt_id, provider_call_id])
            )
            for (const [index, { attempt_id }] of acceptances.entries()) {
              if (rows[index] !== undefined) acceptedAttemptIds.add(attempt_id)
            }
            return acceptedAttemptIds
          }),
        endMany: (results) =>
          statements(function*() {
            const endedAttempts: Array<Attempt> = []
            const cachedBodies = results.map(({ attempt_id }) => bodies.get(attempt_id))
            const endAll = cachedBodies.includes(undefined) ? endWhole : endKnown
            const rows = yield* endAll(results.map(({ attempt_id, result }) => [Result.encode(result), attempt_id]))
            for (const [index, { attempt_id, result }] of results.entries()) {
              const row = rows[index]
              if (row !== undefined) {
                endedAttempts.push(attemptOf(row, cachedBodies[index] ?? Body.decode(row.body), result))
              }
              bodies.delete(attempt_id)
            }
            return endedAttempts
          }),
        withdraw: (id) => changesRow(withdraw, [id]),
        eraseTranscripts: (ids) =>
          statements(function*() {
            for (const id of ids) {
              const { rows: [row] } = yield* statement<Pick<Row, "result">>(findResult, [id])
              if (row === undefined || row.result === null) continue
              const { interaction, ...result } = Result.decode(row.result)
              if (interaction === null) continue
              const newResult = { ...result, interaction: { ...interaction, transcript: [] } }
              yield* statement(changeResult, [Result.encode(newResult), id, row.result])
            }
          }),
        findMany: (ids) => {
          const isCached = ids.every((id) => bodies.get(id) !== undefined)
          const text = isCached ? findCached : findWhole
          return Effect.map(execute<FullRow>(text, [JSON.stringify(ids)]), ({ rows }) => {
            const attempts = rows.map((row) => {
              const body = bodies.get(row.attempt_id) ?? bodies.decode(row.attempt_id, row.body)
              return attemptOf(row, body, resultOf(row))
            })
            return new Map(attempts.map((attempt) => [attempt.attempt_id, attempt]))
          })
        },
        ...openAttempts(sql, process)
      })
    })
  )
}
