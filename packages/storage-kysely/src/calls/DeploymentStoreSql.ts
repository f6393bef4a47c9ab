import type { Scope } from "@trunkline/kernel"
import {
  Deployment,
  deploymentColumns,
  deploymentSortable,
  DeploymentStore,
  phoneNumbersOf
} from "@trunkline/telephony"
import { Effect, Layer, Option } from "effect"
import { jsonColumn, pageOfRows, scopeColumns, scopeOf, searchText } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"

const { decode, encode, read } = jsonColumn(Deployment)

const rowOf = (scope: Scope, deployment: Deployment) => ({
  ...scopeColumns(scope),
  deployment_id: deployment.deployment_id,
  search: searchText(deploymentColumns.text(deployment)),
  name: deployment.name,
  status: deployment.status,
  created_at: deployment.created_at.epochMillis,
  updated_at: deployment.updated_at.epochMillis,
  body: encode(deployment)
})

/** `DeploymentStore` in SQL. Storing a number that belongs to another deployment is a defect. */
export const DeploymentStoreSql = {
  layer: Layer.effect(
    DeploymentStore,
    Effect.gen(function*() {
      const { dialect, query, transaction } = yield* Sql
      return DeploymentStore.of({
        put: (scope, deployment) =>
          transaction(query(async (db) => {
            const row = rowOf(scope, deployment)
            const { deployment_id } = row
            await db.insertInto("deployments").values(row)
              .onConflict((conflict) => conflict.column("deployment_id").doUpdateSet(row))
              .execute()
            await db.deleteFrom("deployment_numbers").where("deployment_id", "=", deployment_id).execute()
            for (const phone_number of new Set(phoneNumbersOf(deployment))) {
              await db.insertInto("deployment_numbers").values({ phone_number, deployment_id }).execute()
            }
          })),
        find: (scope, deployment_id) =>
          query((db) =>
            db.selectFrom("deployments").select("body")
              .where((eb) => eb.and({ deployment_id, ...scopeColumns(scope) }))
              .executeTakeFirst()
          ).pipe(Effect.map(read)),
        findByNumber: (number) =>
          query((db) =>
            db.selectFrom("deployment_numbers")
              .innerJoin("deployments", "deployments.deployment_id", "deployment_numbers.deployment_id")
              .select(["org_id", "workspace_id", "body"])
              .where("phone_number", "=", number)
              .executeTakeFirst()
          ).pipe(
            Effect.map(Option.fromNullable),
            Effect.map(Option.map((row) => ({ scope: scopeOf(row), deployment: decode(row.body) })))
          ),
        list: (scope, page) =>
          query((db) =>
            pageOfRows(
              db.selectFrom("deployments").where((eb) => eb.and(scopeColumns(scope))),
              page,
              { id: "deployment_id", dialect, sortable: deploymentSortable, decode }
            )
          ),
        remove: (scope, deployment_id) =>
          query((db) =>
            db.deleteFrom("deployments")
              .where((eb) => eb.and({ deployment_id, ...scopeColumns(scope) }))
              .executeTakeFirst()
          ).pipe(Effect.map(({ numDeletedRows }) => numDeletedRows > 0))
      })
    })
  )
}
