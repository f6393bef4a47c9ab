import { Layer } from "effect"
import { ContactStore } from "./ContactStore.js"
import { DialLog } from "./DialLog.js"
import { DialQueue } from "./DialQueue.js"

/** The three stores of the dispatch of campaigns: contacts, the queue of those that wait, and the log of dials. */
export type DispatchStores = ContactStore | DialLog | DialQueue
export const DispatchStores = {
  /** Keeps contacts, queues and dials in memory. */
  layerMemory: Layer.mergeAll(ContactStore.layerMemory, DialLog.layerMemory, DialQueue.layerMemory)
}
