export { AccountStoreSql, KeyStoreSql } from "./accounts/AccountStoreSql.js"
export { CreditLedgerSql } from "./accounts/CreditLedgerSql.js"
export { BucketStoreSql, LimitsSql, type LimitStores, SlotStoreSql } from "./accounts/LimitsSql.js"
export { VoiceStoreSql } from "./accounts/VoiceStoreSql.js"
export { BoardStoreSql } from "./analytics/BoardStoreSql.js"
export { CallRecordsSql, type SlowRead, SlowReads } from "./analytics/CallRecordsSql.js"
export { FactsLogSql } from "./analytics/FactsLogSql.js"
export { BusinessWatermark, BusinessWatermarkSql } from "./BusinessWatermark.js"
export { AttemptStoreSql } from "./calls/AttemptStoreSql.js"
export { BlockedNumbersSql } from "./calls/BlockedNumbersSql.js"
export { CallEventsSql } from "./calls/CallEventsSql.js"
export { CallJournalSql } from "./calls/CallJournalSql.js"
export { DeploymentStoreSql } from "./calls/DeploymentStoreSql.js"
export { BulkEnrolmentSql } from "./campaigns/BulkEnrolmentSql.js"
export { CampaignStoreSql } from "./campaigns/CampaignStoreSql.js"
export { ContactStoreSql } from "./campaigns/ContactStoreSql.js"
export { DialLogSql } from "./campaigns/DialLogSql.js"
export { DialQueueSql } from "./campaigns/DialQueueSql.js"
export { CohortStoreSql } from "./cohorts/CohortStoreSql.js"
export {
  DatabaseTooNew,
  migrate,
  migrations,
  migrationsOf,
  postgresMigrations,
  schemaVersion
} from "./migrations/Migrate.js"
export type { Migration } from "./migrations/tables/Statements.js"
export { NotificationStoreSql } from "./notifications/NotificationStoreSql.js"
export {
  countTakeovers,
  DialLeaseSql,
  isLeaseCurrent,
  isOwnerSilent,
  maintainOwnership,
  ownerHeartbeat,
  type OwnershipClaim,
  type OwnershipRecord,
  readOwnership,
  takeOwnership
} from "./ownership/OwnershipSql.js"
export { type JoinedProcess, type JoiningProcess, joinProcesses } from "./processes/ProcessesSql.js"
export { Settings, SettingsSql } from "./processes/Settings.js"
export type { Database } from "./schema/Database.js"
export { type DatabaseAccess, DatabaseLocked, dialectOn, type ImmediateConnection, mayWrite } from "./sql/Connection.js"
export { measureWait } from "./sql/DatabaseWait.js"
export { breakFence, type Fence, Fenced, makeFence, Ownership } from "./sql/Ownership.js"
export { Sql, type SqlOptions } from "./sql/Sql.js"
export { type DatabaseKind, postgresSql, type ReplacedRow, type SqlDialect, sqliteSql } from "./sql/SqlDialect.js"
export {
  SqlStatement,
  type SqlValue,
  statement,
  type StatementRunner,
  type Statements,
  together
} from "./sql/Statement.js"
export { type Stores, StoresSql, TransactionsSql } from "./StoresSql.js"
export { OutboxSql, RetiredSecretsSql } from "./webhooks/OutboxSql.js"
