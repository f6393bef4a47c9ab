import { Sql } from "@trunkline/storage-kysely"
import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Path of a database file in a temporary folder, which is removed with the scope. */
export const temporaryFile = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "trunkline-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  ),
  (folder) => join(folder, "data", "trunkline.db")
)

/** Writes a text under a key, in a table that accepts any. */
export const put = (account_id: string, body: string) =>
  Effect.flatMap(Sql, ({ query }) =>
    query((db) =>
      db.insertInto("accounts").values({ account_id, body })
        .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ body }))
        .execute()
    )).pipe(Effect.asVoid)

/** Reads the text under a key. */
export const get = (key: string) =>
  Effect.flatMap(
    Sql,
    ({ query }) =>
      query((db) => db.selectFrom("accounts").select("body").where("account_id", "=", key).executeTakeFirst())
  ).pipe(
    Effect.map((row) => row?.body)
  )
