import { FiberRef, GlobalValue } from "effect"

/** The id of the request that this fiber answers, for logs and error envelopes; null outside of one. */
export const CurrentRequestId: FiberRef.FiberRef<string | null> = GlobalValue.globalValue(
  "@trunkline/kernel/CurrentRequestId",
  () => FiberRef.unsafeMake<string | null>(null)
)
