import { Account, AccountStore, Workspace } from "@trunkline/rate-limits"
import { Effect, Layer } from "effect"
import { sql } from "kysely"
import { bodyOf, columnsOf } from "./Rows.js"
import { Sql } from "./Sql.js"

const accounts = bodyOf(Account)
const workspaces = bodyOf(Workspace)

/** `AccountStore` in SQL. */
export const AccountStoreSql = {
  layer: Layer.effect(
    AccountStore,
    Effect.gen(function*() {
      const { query } = yield* Sql
      return AccountStore.of({
        putAccount: (account) =>
          query((db) => {
            const { account_id } = account
            const body = accounts.encode(account)
            return db.insertInto("accounts").values({ account_id, body })
              .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ body }))
              .execute()
          }).pipe(Effect.asVoid),
        findAccount: (id) =>
          query((db) => db.selectFrom("accounts").select("body").where("account_id", "=", id).executeTakeFirst()).pipe(
            Effect.map(accounts.read)
          ),
        listAccounts: query((db) => db.selectFrom("accounts").select("body").orderBy("account_id").execute()).pipe(
          Effect.map((rows) => rows.map(({ body }) => accounts.decode(body)))
        ),
        putWorkspace: (workspace) =>
          query((db) => {
            const body = workspaces.encode(workspace)
            return db.insertInto("workspaces").values({ ...columnsOf(workspace), body })
              .onConflict((conflict) => conflict.columns(["org_id", "workspace_id"]).doUpdateSet({ body }))
              .execute()
          }).pipe(Effect.asVoid),
        findWorkspace: (scope) =>
          query((db) =>
            db.selectFrom("workspaces").select("body").where((is) => is.and(columnsOf(scope))).executeTakeFirst()
          ).pipe(Effect.map(workspaces.read)),
        workspacesOf: (account) =>
          query((db) =>
            db.selectFrom("workspaces").select("body")
              .where(sql<string>`json_extract(body, '$.account_id')`, "=", account)
              .orderBy("org_id")
              .orderBy("workspace_id")
              .execute()
          ).pipe(Effect.map((rows) => rows.map(({ body }) => workspaces.decode(body))))
      })
    })
  )
}
