import type { Connection } from "../carriers/Connection.js"

/** Default share of a workspace's slots that is kept for inbound calls. */
export const defaultInboundShare = 0.1

/** Limits of a workspace. */
export interface WorkspaceLimits {
  /** Concurrent calls; infinity without a limit. */
  readonly limit: number
  /** Slots of these that are kept free for inbound calls. */
  readonly inboundReserve: number
}

/** Calls that are not inbound which a workspace can have at once. */
export const outboundLimit = ({ inboundReserve, limit }: WorkspaceLimits): number => limit - inboundReserve

/** The limits of a workspace with so many slots, of which a share is kept free for inbound calls. */
export const withReserve = (limit: number, inboundShare = defaultInboundShare): WorkspaceLimits => ({
  limit,
  inboundReserve: limit === Infinity ? 0 : Math.max(0, Math.min(Math.ceil(limit * inboundShare), limit - 1))
})

/** Clause about the limit that a call has met, with its value and where to raise it. */
export const describeLimit = (
  limit: "workspace" | "connection",
  limits: WorkspaceLimits,
  { connection_id, max_channels }: Connection,
  isInbound: boolean
): string => {
  if (limit === "connection") {
    return `all ${max_channels} channels of the line ${connection_id} are in use (max_channels)`
  }
  const calls = limits.limit === 1 ? "call" : "calls"
  const reserve = isInbound || limits.inboundReserve === 0
    ? ""
    : `, of which ${limits.inboundReserve} are kept for incoming calls`
  return `the workspace is at its limit of ${limits.limit} concurrent ${calls}${reserve} (its max_concurrent_calls)`
}
