import type { AccountTables } from "./AccountTables.js"
import type { AfterCallTables } from "./AfterCallTables.js"
import type { AgentTables } from "./AgentTables.js"
import type { CallTables } from "./CallTables.js"
import type { CampaignTables } from "./CampaignTables.js"
import type { DeliveryTables } from "./DeliveryTables.js"
import type { DispatchTables } from "./DispatchTables.js"
import type { KnowledgeTables } from "./KnowledgeTables.js"
import type { ProcessTables } from "./ProcessTables.js"

/** The owner of an SQLite database. The table has one row, from the first owner on; times are those of the owner's wall clock. */
export interface OwnershipTable {
  readonly id: 1
  /** The owning process, in a form for operators to read. */
  readonly owner: string
  /** Name of the lock that the owner holds for as long as its process lives. */
  readonly lock: string
  /** Number of owners so far. Later versions of this software must keep this column: it shuts older owners out. */
  readonly fence: number
  /** Number of heartbeats of this owner. */
  readonly beat: number
  /** Time of the last heartbeat, in epoch milliseconds. */
  readonly beat_at: number
  /** Time without a heartbeat after which another process may take over, in milliseconds. */
  readonly lease_millis: number
}

interface EngineStateTable {
  readonly key: string
  readonly value: number
}

/** Settings that all processes of the database share. */
interface SettingsTable {
  readonly key: string
  readonly value: string
}

/** The tables of the database, as the newest migration leaves them. */
export interface Database
  extends
    AccountTables,
    AfterCallTables,
    AgentTables,
    CallTables,
    CampaignTables,
    DeliveryTables,
    DispatchTables,
    KnowledgeTables,
    ProcessTables
{
  readonly engine_state: EngineStateTable
  readonly ownership: OwnershipTable
  readonly settings: SettingsTable
}
