import type { BodySize } from "../RouteAnnotations.js"

/**
 * The largest body of chat and responses: 10,485,760 bytes (specification, Limits, which says it of responses), and as
 * many values as ten thousand messages with their parts have.
 */
export const largestConversation: BodySize = { bytes: 10_485_760, values: 100_000 }
