import { Layer } from "effect"
import { CampaignSpending } from "../campaign/CampaignSpending.js"
import { CanaryCounts } from "../canary/CanaryCounts.js"
import { ContactStore } from "./ContactStore.js"
import { DialLog } from "./DialLog.js"
import { DialQueue } from "./DialQueue.js"

/**
 * The stores of the dispatch of campaigns: contacts, the queue of those that wait, the log of dials, what calls cost, and the
 * counts of canaries.
 */
export type DispatchStores = CampaignSpending | CanaryCounts | ContactStore | DialLog | DialQueue
export const DispatchStores = {
  /** Keeps contacts, queues, dials, costs and counts in memory. */
  layerMemory: Layer.mergeAll(
    CampaignSpending.layerMemory,
    CanaryCounts.layerMemory,
    ContactStore.layerMemory,
    DialLog.layerMemory,
    DialQueue.layerMemory
  )
}
