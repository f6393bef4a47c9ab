import { callRecordsLaws } from "@trunkline/analytics/testing"
import { boardStoreLaws } from "@trunkline/boards/testing"
import { campaignStoreLaws, dispatchStoreLaws, stopFileLaws } from "@trunkline/campaigns/testing"
import { cohortStoreLaws } from "@trunkline/cohorts/testing"
import { notificationStoreLaws } from "@trunkline/notifications/testing"
import { accountStoreLaws, creditLedgerLaws, creditsLaws, keyStoreLaws } from "@trunkline/rate-limits/testing"
import { voiceStoreLaws } from "@trunkline/speech/testing"
import {
  attemptStoreLaws,
  blockedNumbersStoreLaws,
  callEventStoreLaws,
  deploymentStoreLaws
} from "@trunkline/telephony/testing"
import { factsLogLaws } from "@trunkline/warehouse/testing"
import { endpointLaws, outboxLaws, retiredSecretLaws } from "@trunkline/webhooks/testing"
import type { Layer } from "effect"
import { businessWatermarkLaws } from "./BusinessWatermark.laws.js"
import type { Stores } from "./StoresSql.js"

export * from "./AttemptStoreSql.laws.js"
export * from "./BusinessWatermark.laws.js"
export * from "./CohortStoreSql.laws.js"
export * from "./DispatchStoreSql.laws.js"
export * from "./FrequentQueries.js"
export * from "./LimitsSql.laws.js"
export * from "./VoiceStoreSql.laws.js"

/** The laws of every store, for a database behind some dialect. Each suite builds the layer anew. */
export const storesLaws = <E>(name: string, live: Layer.Layer<Stores, E>): void => {
  accountStoreLaws(name, live)
  attemptStoreLaws(name, live)
  blockedNumbersStoreLaws(name, live)
  boardStoreLaws(name, live)
  businessWatermarkLaws(name, live)
  callEventStoreLaws(name, live)
  callRecordsLaws(name, live)
  campaignStoreLaws(name, live)
  cohortStoreLaws(name, live)
  creditLedgerLaws(name, live)
  creditsLaws(name, live)
  deploymentStoreLaws(name, live)
  dispatchStoreLaws(name, live)
  factsLogLaws(name, live)
  keyStoreLaws(name, live)
  notificationStoreLaws(name, live)
  endpointLaws(name, live)
  outboxLaws(name, live)
  retiredSecretLaws(name, live)
  stopFileLaws(name, live)
  voiceStoreLaws(name, live)
}
