import { NotificationStore } from "@trunkline/notifications"
import { Effect, Layer } from "effect"
import { notificationDeliveriesSql } from "./NotificationDeliveriesSql.js"
import { notificationRulesSql } from "./NotificationRulesSql.js"
import { notificationRunsSql } from "./NotificationRunsSql.js"
import { Sql } from "./Sql.js"

/** `NotificationStore` in SQL. */
export const NotificationStoreSql = {
  layer: Layer.effect(
    NotificationStore,
    Effect.map(Sql, (sql) =>
      NotificationStore.of({
        ...notificationRulesSql(sql),
        ...notificationRunsSql(sql),
        ...notificationDeliveriesSql(sql)
      }))
  )
}
