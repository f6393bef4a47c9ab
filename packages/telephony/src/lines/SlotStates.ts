import type { CampaignId } from "@trunkline/kernel"
import { outboundLimit, type WorkspaceLimits } from "./WorkspaceLimits.js"

/**
 * The party that a slot is taken for. Each campaign is one claimant, and all single calls together are one claimant;
 * claimants share the slots of a workspace equally.
 */
export type Claimant =
  | { readonly _tag: "Inbound" }
  | { readonly _tag: "Campaign"; readonly campaign_id: CampaignId }
  | { readonly _tag: "Single" }

/** Limits of this process. */
export interface SlotLimits {
  /** Calls of a workspace. */
  readonly total: (workspace: string) => number
  /** Calls of a workspace that are not inbound. */
  readonly outbound: (workspace: string) => number
  /** Calls on a connection that has a limit; the lower one of both counts. */
  readonly channels: (connection: string) => number
}

/** Limits of a process that shares them with no other one. */
export const localLimits = (limitsOf: (workspace: string) => WorkspaceLimits): SlotLimits => ({
  total: (workspace) => limitsOf(workspace).limit,
  outbound: (workspace) => outboundLimit(limitsOf(workspace)),
  channels: () => Infinity
})

/** The slots and waiters of one claimant within a workspace. */
export interface ClaimantState {
  readonly key: string
  readonly workspace: WorkspaceState
  /** Slots in use. */
  held: number
  /** Slots reserved for this claimant until it takes them. */
  reserved: number
  /** Waiters by connection, each set in order of arrival. */
  readonly waiting: Map<ConnectionState, Set<Waiter>>
}

/** The calls of one workspace. */
export interface WorkspaceState {
  readonly key: string
  inbound: number
  outbound: number
  reserved: number
  readonly claimants: Map<string, ClaimantState>
  /** The claimants that have waiters. */
  readonly waiting: Set<ClaimantState>
}

/** The calls of one connection, across all workspaces. */
export interface ConnectionState {
  readonly key: string
  /** Infinity when the connection has no limit. */
  channels: number
  used: number
  reserved: number
  readonly waiting: Set<ClaimantState>
}

/** A request for a slot that could not be granted yet. */
export interface Waiter {
  readonly claimant: ClaimantState
  readonly connection: ConnectionState
  /** Position in the order of arrival. */
  readonly order: number
  /** True to take the slot for the waiter when it is notified; false to reserve it until the waiter takes it. */
  readonly takesAtOnce: boolean
  /** Reports that a slot is available. */
  readonly notify: () => void
}

/** A slot reserved for a claimant that was notified. */
export interface SlotReservation {
  readonly claimant: ClaimantState
  readonly connection: ConnectionState
}

/** Key of the claimant for inbound calls. */
export const inboundKey = "inbound"
