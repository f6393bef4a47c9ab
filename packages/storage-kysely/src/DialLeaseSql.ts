import { DialLease } from "@trunkline/telephony"
import { Effect, Layer } from "effect"
import { Ownership } from "./Ownership.js"

/**
 * `DialLease` by the ownership of the database: a dial has half a lease. With the usual 30 seconds that is 15: the 10
 * that a provider may take to answer, and 5 to spare.
 */
export const DialLeaseSql = {
  layer: Layer.effect(DialLease, Effect.map(Ownership, ({ isSafe }) => DialLease.of({ mayDial: isSafe })))
}
