import { Layer } from "effect"
import { AccountStoreSql } from "./AccountStoreSql.js"
import { AttemptStoreSql } from "./AttemptStoreSql.js"
import { BlockedNumbersSql } from "./BlockedNumbersSql.js"
import { BoardStoreSql } from "./BoardStoreSql.js"
import { BusinessWatermarkSql } from "./BusinessWatermarkSql.js"
import { CallEventsSql } from "./CallEventsSql.js"
import { CallRecordsSql } from "./CallRecordsSql.js"
import { CampaignStoreSql } from "./CampaignStoreSql.js"
import { CohortStoreSql } from "./CohortStoreSql.js"
import { CreditLedgerSql } from "./CreditLedgerSql.js"
import { DeploymentStoreSql } from "./DeploymentStoreSql.js"
import { DialLeaseSql } from "./DialLeaseSql.js"
import { DispatchStoreSql } from "./DispatchStoreSql.js"
import { FactsLogSql } from "./FactsLogSql.js"
import { KeyStoreSql } from "./KeyStoreSql.js"
import { NotificationStoreSql } from "./NotificationStoreSql.js"
import { OutboxSql } from "./OutboxSql.js"
import { RetiredSecretsSql } from "./RetiredSecretsSql.js"
import { TransactionsSql } from "./TransactionsSql.js"
import { VoiceStoreSql } from "./VoiceStoreSql.js"

/** Every store, and the transactions that join them, in one migrated database. */
export const StoresSql = {
  layer: Layer.mergeAll(
    AccountStoreSql.layer,
    AttemptStoreSql.layer,
    BlockedNumbersSql.layer,
    BoardStoreSql.layer,
    BusinessWatermarkSql.layer,
    CallEventsSql.layer,
    CallRecordsSql.layer,
    CampaignStoreSql.layer,
    CohortStoreSql.layer,
    CreditLedgerSql.layer,
    DeploymentStoreSql.layer,
    DialLeaseSql.layer,
    DispatchStoreSql.layer,
    FactsLogSql.layer,
    KeyStoreSql.layer,
    NotificationStoreSql.layer,
    OutboxSql.layer,
    RetiredSecretsSql.layer,
    TransactionsSql.layer,
    VoiceStoreSql.layer
  )
}

/** What `StoresSql` provides. */
export type Stores = Layer.Layer.Success<typeof StoresSql.layer>
