import type { Connection } from "@trunkline/telephony"

/** Prefixes a provider's id with the connection, so that connections cannot affect each other's calls. */
export const qualifyId = ({ connection_id }: Connection, id: string): string => `${connection_id}:${id}`

/** Removes the prefix; null for the id of a call of another connection. */
export const unqualifyId = ({ connection_id }: Connection, id: string): string | null =>
  id.startsWith(`${connection_id}:`) ? id.slice(connection_id.length + 1) : null
