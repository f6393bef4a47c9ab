import type { Registration, UserAgent } from "@trunkline/sip"
import type { Duration, Scope } from "effect"
import type { LineNotes } from "../lines/LineStates.js"
import type { TrunkLine } from "../lines/TrunkLine.js"
import type { Media, MediaOpenOptions } from "../media/Media.js"
import { familyOf, isWildcard } from "../transport/LocalAddresses.js"
import type { SipSockets } from "../transport/SipSockets.js"
import type { SipCallTable } from "./SipCallTable.js"

/** A line that is open, and what its calls need. */
export interface CallContext {
  readonly line: TrunkLine
  readonly sockets: SipSockets
  readonly agent: UserAgent
  readonly media: typeof Media.Service
  readonly records: SipCallTable
  /** True while sound leaves too late for another call. */
  readonly isOverloaded: () => boolean
  /** Registration of the line; null for one that does not register. */
  readonly registration: Registration | null
  /** State of its server, as far as it is known. */
  readonly state: LineNotes
  /** Time that the trunk has for its first response to a call. */
  readonly responseTimeout: Duration.DurationInput
  /** Scope of the carrier: calls end with it. */
  readonly scope: Scope.Scope
}

/** Where the sound of a call is bound: the line's address, or all addresses where peers see another one. */
export const mediaAddress = (
  { options: { local } }: TrunkLine["settings"],
  publicAddress: string
): Pick<MediaOpenOptions, "address" | "family"> => {
  const family = familyOf(publicAddress) === "ipv6" ? 6 : 4
  if (!isWildcard(local.address)) return { address: local.address, family }
  return { address: family === 6 ? "::" : "0.0.0.0", family }
}

/** Id of a call, unique among those of all connections. */
export const qualifyId = ({ connection }: TrunkLine, id: string): string => `${connection.connection_id}:${id}`
