import { type Kysely, sql } from "kysely"
import type { Database } from "../../schema/Database.js"
import { byCodePoint, onPostgres, onSqlite } from "./TableText.js"

/** The statements of one migration, which never changes once it is released. */
export type Migration = (db: Kysely<Database>) => Promise<void>

/** The migration that runs statements in their order. */
export const inOrder = (statements: ReadonlyArray<string>): Migration => async (db) => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/**
 * The statements of SQLite that set a table aside under another name, without its keys and indexes, so that it can be created
 * anew. Renaming it, or adding and removing single columns, takes SQLite many times as long in an empty database: it reads the
 * whole schema again for each.
 */
export const setAside = (table: string, name: string): ReadonlyArray<string> => [
  `create table ${name} as select * from ${table}`,
  `drop table ${table}`
]

/** The migrations of SQLite and of PostgreSQL that run the same statements, in the words of `TableText.ts`. */
export const onBoth = (statements: ReadonlyArray<string>): Readonly<Record<"sqlite" | "postgres", Migration>> => ({
  sqlite: inOrder(onSqlite(statements)),
  postgres: inOrder(onPostgres(statements).map(byCodePoint))
})
