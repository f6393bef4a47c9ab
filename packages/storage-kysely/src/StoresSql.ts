import { Transactions } from "@trunkline/kernel"
import { Effect, Layer } from "effect"
import { AccountStoreSql, KeyStoreSql } from "./accounts/AccountStoreSql.js"
import { AgentStoreSql } from "./accounts/AgentStoreSql.js"
import { CreditLedgerSql } from "./accounts/CreditLedgerSql.js"
import { KnowledgeStoreSql } from "./accounts/KnowledgeStoreSql.js"
import { VoiceStoreSql } from "./accounts/VoiceStoreSql.js"
import { BoardStoreSql } from "./analytics/BoardStoreSql.js"
import { CallRecordsSql } from "./analytics/CallRecordsSql.js"
import { FactsLogSql } from "./analytics/FactsLogSql.js"
import { BusinessWatermarkSql } from "./BusinessWatermark.js"
import { AfterCallJobsSql } from "./calls/AfterCallJobsSql.js"
import { AttemptStoreSql } from "./calls/AttemptStoreSql.js"
import { BlockedNumbersSql } from "./calls/BlockedNumbersSql.js"
import { CallEventsSql } from "./calls/CallEventsSql.js"
import { CallJournalSql } from "./calls/CallJournalSql.js"
import { DeploymentStoreSql } from "./calls/DeploymentStoreSql.js"
import { BulkEnrolmentSql } from "./campaigns/BulkEnrolmentSql.js"
import { CampaignSpendingSql } from "./campaigns/CampaignSpendingSql.js"
import { CampaignStoreSql } from "./campaigns/CampaignStoreSql.js"
import { CanaryCountsSql } from "./campaigns/CanaryCountsSql.js"
import { ContactStoreSql } from "./campaigns/ContactStoreSql.js"
import { DialLogSql } from "./campaigns/DialLogSql.js"
import { DialQueueSql } from "./campaigns/DialQueueSql.js"
import { CohortStoreSql } from "./cohorts/CohortStoreSql.js"
import { NotificationStoreSql } from "./notifications/NotificationStoreSql.js"
import { DialLeaseSql } from "./ownership/OwnershipSql.js"
import { CampaignTurnsSql } from "./processes/CampaignTurnsSql.js"
import { SettingsSql } from "./processes/Settings.js"
import { SlotLeasesSql } from "./processes/SlotLeasesSql.js"
import { PersonDataSql } from "./retention/PersonDataSql.js"
import { RetainedDataSql } from "./retention/RetainedDataSql.js"
import { Sql } from "./sql/Sql.js"
import { StoreProbeSql } from "./StoreProbeSql.js"
import { OutboxSql, RetiredSecretsSql } from "./webhooks/OutboxSql.js"

/** `Transactions` of the database. */
export const TransactionsSql = {
  layer: Layer.effect(
    Transactions,
    Effect.map(
      Sql,
      ({ serializable, transaction, unsafeWaiting, waiting }) =>
        Transactions.of({ run: serializable, runGuarded: transaction, waiting, unsafeWaiting })
    )
  )
}

/**
 * Every store, and the transactions that span them, in one migrated database.
 *
 * @example
 * ```ts
 * const stores = Layer.effectDiscard(migrate()).pipe(
 *   Layer.provideMerge(StoresSql.layer),
 *   Layer.provide(Sql.layer(dialect))
 * )
 * ```
 */
export const StoresSql = {
  layer: Layer.mergeAll(
    AccountStoreSql.layer,
    AfterCallJobsSql.layer,
    AgentStoreSql.layer,
    AttemptStoreSql.layer,
    BlockedNumbersSql.layer,
    BoardStoreSql.layer,
    BulkEnrolmentSql.layer,
    BusinessWatermarkSql.layer,
    CallEventsSql.layer,
    CallJournalSql.layer,
    CallRecordsSql.layer,
    CampaignSpendingSql.layer,
    CampaignStoreSql.layer,
    CanaryCountsSql.layer,
    CampaignTurnsSql.layer,
    CohortStoreSql.layer,
    ContactStoreSql.layer,
    CreditLedgerSql.layer,
    DeploymentStoreSql.layer,
    DialLeaseSql.layer,
    DialLogSql.layer,
    DialQueueSql.layer,
    FactsLogSql.layer,
    KeyStoreSql.layer,
    KnowledgeStoreSql.layer,
    NotificationStoreSql.layer,
    OutboxSql.layer,
    PersonDataSql.layer,
    RetainedDataSql.layer,
    RetiredSecretsSql.layer,
    SlotLeasesSql.layer,
    SettingsSql.layer,
    StoreProbeSql.layer,
    TransactionsSql.layer,
    VoiceStoreSql.layer
  )
}

/** The services that `StoresSql` provides. */
export type Stores = Layer.Layer.Success<typeof StoresSql.layer>
