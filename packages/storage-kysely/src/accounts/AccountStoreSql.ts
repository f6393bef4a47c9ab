import { lruCache } from "@trunkline/kernel"
import { Account, AccountStore, ApiKey, type KeyId, KeyStore, Workspace } from "@trunkline/rate-limits"
import { Effect, Layer, Option } from "effect"
import { sql } from "kysely"
import { jsonColumn, scopeColumns } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"

const accounts = jsonColumn(Account)
const workspaces = jsonColumn(Workspace)

/** Most accounts that are kept decoded. */
const keptAccounts = 1_000

/** Decodes accounts, and keeps the last value of each: every payment reads its account, which hardly ever changes. */
const makeAccountReader = () => {
  const cache = lruCache<string, { readonly body: string; readonly account: Option.Option<Account> }>(keptAccounts)
  return (id: string, row: { readonly body: string } | undefined): Option.Option<Account> => {
    const before = cache.get(id)
    if (row !== undefined && before?.body === row.body) return before.account
    const account = accounts.read(row)
    if (row === undefined) cache.delete(id)
    else cache.set(id, { body: row.body, account })
    return account
  }
}

/** Built once, because every payment reads its account. */
const accountById = "select body from accounts where account_id = ?"

/** `AccountStore` in SQL. */
export const AccountStoreSql = {
  layer: Layer.effect(
    AccountStore,
    Effect.gen(function*() {
      const { dialect, execute, query } = yield* Sql
      const readAccount = makeAccountReader()
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
          Effect.map(execute<{ readonly body: string }>(accountById, [id]), ({ rows: [row] }) => readAccount(id, row)),
        listAccounts: query((db) => db.selectFrom("accounts").select("body").orderBy("account_id").execute()).pipe(
          Effect.map((rows) => rows.map(({ body }) => accounts.decode(body)))
        ),
        putWorkspace: (workspace) =>
          query((db) => {
            const body = workspaces.encode(workspace)
            return db.insertInto("workspaces").values({ ...scopeColumns(workspace), body })
              .onConflict((conflict) => conflict.columns(["org_id", "workspace_id"]).doUpdateSet({ body }))
              .execute()
          }).pipe(Effect.asVoid),
        findWorkspace: (scope) =>
          query((db) =>
            db.selectFrom("workspaces").select("body").where((eb) => eb.and(scopeColumns(scope))).executeTakeFirst()
          ).pipe(Effect.map(workspaces.read)),
        workspacesOf: (account) =>
          query((db) =>
            db.selectFrom("workspaces").select("body")
              .where(sql<string>`${sql.raw(dialect.field("body", "account_id"))}`, "=", account)
              .orderBy("org_id")
              .orderBy("workspace_id")
              .execute()
          ).pipe(Effect.map((rows) => rows.map(({ body }) => workspaces.decode(body))))
      })
    })
  )
}

const keys = jsonColumn(ApiKey)

const keyRow = (key: ApiKey) => ({ key_id: key.key_id, account_id: key.account_id, body: keys.encode(key) })

/** `KeyStore` in SQL. */
export const KeyStoreSql = {
  layer: Layer.effect(
    KeyStore,
    Effect.gen(function*() {
      const { query, serializable } = yield* Sql

      const find = (id: KeyId) =>
        query((db) => db.selectFrom("api_keys").select("body").where("key_id", "=", id).executeTakeFirst()).pipe(
          Effect.map(keys.read)
        )

      const change = (id: KeyId, to: (key: ApiKey) => Option.Option<ApiKey>) =>
        find(id).pipe(
          Effect.map(Option.flatMap(to)),
          Effect.flatMap(Effect.transposeMapOption((key) =>
            query((db) => db.updateTable("api_keys").set(keyRow(key)).where("key_id", "=", id).execute())
          )),
          Effect.map(Option.isSome),
          serializable
        )

      return KeyStore.of({
        insert: (key) =>
          query((db) =>
            db.insertInto("api_keys").values(keyRow(key))
              .onConflict((conflict) => conflict.column("key_id").doNothing())
              .executeTakeFirst()
          ).pipe(Effect.map(({ numInsertedOrUpdatedRows = 0n }) => numInsertedOrUpdatedRows > 0n)),
        amend: (key) =>
          Effect.asVoid(
            change(key.key_id, ({ created_at, revoked_at }) =>
              Option.some(new ApiKey({ ...key, created_at, revoked_at })))
          ),
        findByPublicId: find,
        revoke: ({ account_id, at, key_id }) =>
          change(key_id, (key) =>
            key.account_id === account_id
              ? Option.some(new ApiKey({ ...key, revoked_at: key.revoked_at ?? at }))
              : Option.none()),
        list: (account) =>
          query((db) =>
            db.selectFrom("api_keys").select("body").where("account_id", "=", account).orderBy("key_id").execute()
          ).pipe(Effect.map((rows) => rows.map(({ body }) => keys.decode(body))))
      })
    })
  )
}
