import { AgentEntry, AgentStore, VersionEntry } from "@trunkline/agents"
import { type AppId, type Scope, scopeKey } from "@trunkline/kernel"
import { Effect, Layer, Option } from "effect"
import type { Kysely } from "kysely"
import type { Database } from "../schema/Database.js"
import { jsonColumn, makeDecodeCache, scopeColumns } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"

const Agents = jsonColumn(AgentEntry)
const Versions = jsonColumn(VersionEntry)

/** Versions whose decoded form is kept: a call reads its version several times. */
const cachedVersions = 1_000

const agentsOf = (db: Kysely<Database>, scope: Scope) =>
  db.selectFrom("workspace_agents").where((eb) => eb.and(scopeColumns(scope)))

const versionsOf = (db: Kysely<Database>, scope: Scope) =>
  db.selectFrom("workspace_agent_versions").where((eb) => eb.and(scopeColumns(scope)))

/** `AgentStore` in SQL. */
export const AgentStoreSql = {
  layer: Layer.effect(
    AgentStore,
    Effect.map(Sql, ({ query }) => {
      const cache = makeDecodeCache(Versions.decode, cachedVersions)
      const decode =
        (scope: Scope, app_id: AppId) =>
        ({ app_version, body }: { readonly app_version: number; readonly body: string }) =>
          cache.decode(`${scopeKey(scope)}/${app_id}/${app_version}`, body)

      return AgentStore.of({
        list: (scope) =>
          query((db) => agentsOf(db, scope).select("body").orderBy("app_id").execute()).pipe(
            Effect.map((rows) => rows.map(({ body }) => Agents.decode(body)))
          ),
        find: (scope, app_id) =>
          query((db) => agentsOf(db, scope).select("body").where("app_id", "=", app_id).executeTakeFirst()).pipe(
            Effect.map(Agents.read)
          ),
        put: (scope, agent) => {
          const row = { body: Agents.encode(agent) }
          return query((db) =>
            db.insertInto("workspace_agents")
              .values({ ...scopeColumns(scope), app_id: agent.app_id, ...row })
              .onConflict((on) => on.columns(["org_id", "workspace_id", "app_id"]).doUpdateSet(row))
              .execute()
          )
        },
        versions: (scope, app_id) =>
          query((db) =>
            versionsOf(db, scope).select(["app_version", "body"]).where("app_id", "=", app_id)
              .orderBy("app_version").execute()
          ).pipe(Effect.map((rows) => rows.map(decode(scope, app_id)))),
        findVersion: (scope, app_id, app_version) =>
          query((db) =>
            versionsOf(db, scope).select(["app_version", "body"])
              .where((eb) => eb.and({ app_id, app_version })).executeTakeFirst()
          ).pipe(Effect.map((row) => Option.map(Option.fromNullable(row), decode(scope, app_id)))),
        putVersion: (scope, app_id, { characters, entry }) => {
          const row = { characters, body: Versions.encode(entry) }
          return query((db) =>
            db.insertInto("workspace_agent_versions")
              .values({ ...scopeColumns(scope), app_id, app_version: entry.version.app_version, ...row })
              .onConflict((on) => on.columns(["org_id", "workspace_id", "app_id", "app_version"]).doUpdateSet(row))
              .execute()
          )
        },
        usage: (scope) =>
          query(async (db) => {
            const { agents } = await agentsOf(db, scope).select((of) => of.fn.countAll<number>().as("agents"))
              .executeTakeFirstOrThrow()
            const row = await versionsOf(db, scope)
              .select((of) => of.fn.sum<number | null>("characters").as("characters"))
              .executeTakeFirst()
            return { agents: Number(agents), characters: Number(row?.characters ?? 0) }
          })
      })
    })
  )
}
