import { inOrder } from "../tables/Statements.js"
import { byCodePoint } from "../tables/TableText.js"
import { accountTables } from "./AccountTables.js"
import { callTables } from "./CallTables.js"
import { campaignTables } from "./CampaignTables.js"
import { deliveryTables } from "./DeliveryTables.js"

/** Creates the tables of the stores in an empty PostgreSQL database. Times are in milliseconds, which may have fractions. */
export const createPostgresTables = inOrder(
  [...accountTables, ...callTables, ...campaignTables, ...deliveryTables].map(byCodePoint)
)
