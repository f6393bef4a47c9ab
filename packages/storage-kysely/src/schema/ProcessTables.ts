import type { CampaignId } from "@trunkline/kernel"
import type { Generated } from "kysely"

/** A process that shares the database. Its row is removed once it has ended, or has written no heartbeat for a lease. */
interface ProcessesTable {
  /** Never used again. */
  readonly process_id: Generated<number>
  /** The process, in a form for operators to read. */
  readonly name: string
  /** Tells machines apart, so that a process on the same one can find out that this one has ended; null where it cannot. */
  readonly machine: string | null
  /** Number of the process on its machine. */
  readonly pid: number
  /** Time of the last heartbeat by the clock of the database, in epoch milliseconds. */
  readonly beat_at: number
  /** Time without a heartbeat after which the others take over its work, in milliseconds. */
  readonly lease_millis: number
  /** 1 while it runs campaigns, otherwise 0. */
  readonly dials: Generated<number>
}

/** The process that runs a campaign now. */
interface CampaignTurnsTable {
  readonly campaign_id: CampaignId
  readonly process_id: number
  /** The pace at which the process before has left off, in JSON, until `process_id` has begun; null otherwise. */
  readonly pace: string | null
  /** The process that the pace was left for; another one that takes over instead cannot know of later dials. */
  readonly pace_for: number | null
}

/** Contacts of a campaign that a process has settled, by the outcome of their attempts. The counts of `dispatch` leave them out. */
interface SettledCountsTable {
  readonly campaign_id: CampaignId
  readonly process_id: number
  readonly outcome: string
  /** Those that waited again. */
  readonly waiting: number
  readonly finished: number
}

/** Call slots that processes hold of the limit of a workspace or connection. */
interface SlotLeasesTable {
  /** `workspace` and its key, `outbound` and the key of a workspace, or `connection` and its id. */
  readonly resource: string
  readonly process_id: number
  readonly slots: number
  /** 1 while the process waits for more of them than are free, otherwise 0. */
  readonly wanted: number
}

/** The tables of processes that share the database, which only PostgreSQL has. */
export interface ProcessTables {
  readonly campaign_turns: CampaignTurnsTable
  readonly processes: ProcessesTable
  readonly settled_counts: SettledCountsTable
  readonly slot_leases: SlotLeasesTable
}
