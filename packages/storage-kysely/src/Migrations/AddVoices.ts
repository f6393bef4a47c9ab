import { type Kysely, sql } from "kysely"
import type { Database } from "../Database.js"

const statements = [
  `create table voices (
    voice_id text primary key,
    account_id text not null,
    search text not null,
    name text not null,
    created_at integer not null,
    body text not null
  )`,
  "create index voices_by_account on voices (account_id, created_at desc, voice_id)",
  `create table voice_clips (
    voice_id text primary key references voices on delete cascade,
    clip blob not null
  )`
]

/** Cloned voices, and their clips apart from them. */
export const addVoices = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
