import { mayWrite, type Statements } from "@trunkline/storage-kysely"
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely"
import pg from "pg"
import { isStaleStatement } from "./PostgresErrors.js"

/** Most texts that are prepared on each connection; the stores need fewer. */
const maxPrepared = 500

/** Names of prepared texts, the same for all connections. */
const preparedNames = new Map<string, string>()

const nameOf = (text: string): string | undefined => {
  const existing = preparedNames.get(text)
  if (existing !== undefined || preparedNames.size >= maxPrepared) return existing
  const name = `trunkline_${preparedNames.size}`
  preparedNames.set(text, name)
  return name
}

const numberedTexts = new Map<string, string>()

/** A text with `?` for its values, in the form of PostgreSQL. */
export const numbered = (text: string): string => {
  const existing = numberedTexts.get(text)
  if (existing !== undefined) return existing
  let count = 0
  const numberedText = text.replaceAll("?", () => `$${++count}`)
  if (numberedTexts.size < maxPrepared) numberedTexts.set(text, numberedText)
  return numberedText
}

const commands = ["INSERT", "UPDATE", "DELETE", "MERGE"]

/** A connection to PostgreSQL. Its statements run in the order in which they are given, without waiting for each other. */
export class PostgresConnection implements DatabaseConnection {
  readonly #client: pg.ClientBase
  /** The first error since the transaction began, after which the server ignores the rest of it. */
  failure: { readonly error: unknown } | null = null
  /** True once the connection has been lost, or has stale statements, so that it must not be used again. */
  isBroken = false

  constructor(client: pg.ClientBase) {
    this.#client = client
  }

  /** Called before a query that may write; null within a transaction. */
  beforeWrite: (() => Promise<void>) | null = null

  /** Runs a query of Kysely. */
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.beforeWrite !== null && mayWrite(query)) await this.beforeWrite()
    return this.#run<Row>(query.sql, query.parameters)
  }

  /** Runs a statement with `$1` and so on for its values. */
  async #run<Row>(sql: string, parameters: ReadonlyArray<unknown>): Promise<QueryResult<Row>> {
    const name = nameOf(sql)
    try {
      const { command, rowCount, rows } = await this.#client.query({
        text: sql,
        values: [...parameters],
        ...(name === undefined ? {} : { name })
      })
      return commands.includes(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
    } catch (error) {
      throw this.#failed(error)
    }
  }

  #failed(error: unknown): unknown {
    this.failure ??= { error }
    this.isBroken ||= !(error instanceof pg.DatabaseError) || error.severity === "FATAL" || isStaleStatement(error)
    return error
  }

  /** Runs a statement with `?` for its values. */
  execute<Row>(text: string, values: ReadonlyArray<unknown>): Promise<QueryResult<Row>> {
    return this.#run<Row>(numbered(text), values)
  }

  /** Runs statements that depend on each other's results. */
  async run<A>(script: Statements<A>): Promise<A> {
    for (;;) {
      const step = script.next()
      if (step.done === true) return step.value
      await step.value.run({
        execute: <Row>({ parameters, sql }: CompiledQuery) => this.execute<Row>(sql, parameters),
        executeNow: () => null,
        pipelines: true,
        fail: (error) => Promise.reject(error)
      })
    }
  }

  /** Runs a statement that is written out, such as `begin`. */
  async control(text: string): Promise<unknown> {
    try {
      return await this.#client.query(text)
    } catch (error) {
      throw this.#failed(error)
    }
  }

  streamQuery(): never {
    throw new Error("The stores read pages, not streams")
  }
}
