import { Layer } from "effect"
import { BucketStoreSql } from "./BucketStoreSql.js"
import { SlotStoreSql } from "./SlotStoreSql.js"

/**
 * The stores of rate limits in a migrated database, where several processes of one machine share it. One process alone
 * is served better by `BucketStore.layerMemory` and `SlotStore.layerMemory`.
 */
export const LimitsSql = {
  layer: Layer.merge(BucketStoreSql.layer, SlotStoreSql.layer)
}

/** What `LimitsSql` provides. */
export type Limits = Layer.Layer.Success<typeof LimitsSql.layer>
