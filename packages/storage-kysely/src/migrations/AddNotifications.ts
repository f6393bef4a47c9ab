import { voices } from "./tables/SharedAccountTables.js"
import { notifications } from "./tables/SharedDeliveryTables.js"
import { inOrder } from "./tables/Statements.js"
import { onSqlite } from "./tables/TableText.js"

/** Adds notification rules, their runs, and a delivery for each channel of a run. */
export const addNotifications = inOrder(onSqlite(notifications))

/** Adds cloned voices, with their clips in a table of their own. */
export const addVoices = inOrder(onSqlite(voices))
