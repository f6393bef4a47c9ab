import { assert, layer } from "@effect/vitest"
import { afterCallJobsLaws } from "@trunkline/after-call/testing"
import { agentStoreLaws } from "@trunkline/agents/testing"
import { callEvaluationLaws, callRecordsLaws } from "@trunkline/analytics/testing"
import { boardStoreLaws } from "@trunkline/boards/testing"
import {
  campaignSpendingLaws,
  campaignStoreLaws,
  canaryCountsLaws,
  contactStoreLaws,
  dialLogLaws,
  dialQueueLaws,
  stopFileLaws
} from "@trunkline/campaigns/testing"
import { cohortStoreLaws } from "@trunkline/cohorts/testing"
import { Transactions } from "@trunkline/kernel"
import { knowledgeStoreLaws } from "@trunkline/knowledge/testing"
import { notificationStoreLaws } from "@trunkline/notifications/testing"
import { accountStoreLaws, creditLedgerLaws, creditsLaws, keyStoreLaws } from "@trunkline/rate-limits/testing"
import { voiceStoreLaws } from "@trunkline/speech/testing"
import {
  attemptStoreLaws,
  blockedNumbersStoreLaws,
  callEventStoreLaws,
  callJournalStoreLaws,
  deploymentStoreLaws
} from "@trunkline/telephony/testing"
import { factsLogLaws } from "@trunkline/warehouse/testing"
import { endpointLaws, outboxBodyLaws, outboxLaws, retiredSecretLaws } from "@trunkline/webhooks/testing"
import { Effect, type Layer } from "effect"
import { BusinessWatermark } from "../BusinessWatermark.js"
import type { Stores } from "../StoresSql.js"
import { bulkEnrolmentLaws } from "./BulkEnrolment.laws.js"
import { keptDataLaws } from "./KeptData.laws.js"
import { settingsLaws } from "./Settings.laws.js"

/** The laws of `BusinessWatermark`, starting with an empty one. */
export const businessWatermarkLaws = <E>(name: string, live: Layer.Layer<BusinessWatermark | Transactions, E>) =>
  layer(live)(`BusinessWatermark laws: ${name}`, (it) => {
    it.effect("is null at first, then the time saved last, even if that is lower than the one before", () =>
      Effect.gen(function*() {
        const { load, save } = yield* BusinessWatermark
        assert.isNull(yield* load)
        const watermarks: Array<number | null> = []
        for (const at of [1_767_225_600_000, 1_767_225_599_999, 1_767_225_600_000.5, 0]) {
          yield* save(at)
          watermarks.push(yield* load)
        }
        assert.deepStrictEqual(watermarks, [1_767_225_600_000, 1_767_225_599_999, 1_767_225_600_000.5, 0])
      }))

    it.effect("does not keep a time saved in a transaction that fails", () =>
      Effect.gen(function*() {
        const { load, save } = yield* BusinessWatermark
        const { run } = yield* Transactions
        const before = yield* load
        yield* Effect.flip(run(Effect.zipRight(save(8_000_000_000_000), Effect.fail("undone"))))
        assert.strictEqual(yield* load, before)
      }))
  })

/** The laws of stores that hand on rows as they are, for tables that may have columns of a later version. */
export const rowLaws = <E>(name: string, live: Layer.Layer<Stores, E>): void => {
  creditLedgerLaws(name, live)
  notificationStoreLaws(name, live)
}

/** The laws of the stores that each campaign call writes to, as a part of `storesLaws` that runs in seconds. */
export const callStoresLaws = <E>(name: string, live: Layer.Layer<Stores, E>): void => {
  attemptStoreLaws(name, live)
  campaignStoreLaws(name, live)
  creditLedgerLaws(name, live)
  outboxLaws(name, live)
}

/** The laws of every store, for a database behind some dialect. Each suite builds its own layer. */
export const storesLaws = <E>(name: string, live: Layer.Layer<Stores, E>): void => {
  accountStoreLaws(name, live)
  afterCallJobsLaws(name, live)
  agentStoreLaws(name, live)
  attemptStoreLaws(name, live)
  blockedNumbersStoreLaws(name, live)
  boardStoreLaws(name, live)
  bulkEnrolmentLaws(name, live)
  businessWatermarkLaws(name, live)
  callEventStoreLaws(name, live)
  callJournalStoreLaws(name, live)
  callRecordsLaws(name, live)
  callEvaluationLaws(name, live)
  campaignStoreLaws(name, live)
  cohortStoreLaws(name, live)
  contactStoreLaws(name, live)
  creditLedgerLaws(name, live)
  creditsLaws(name, live)
  deploymentStoreLaws(name, live)
  campaignSpendingLaws(name, live)
  canaryCountsLaws(name, live)
  dialLogLaws(name, live)
  dialQueueLaws(name, live)
  factsLogLaws(name, live)
  keptDataLaws(name, live)
  keyStoreLaws(name, live)
  knowledgeStoreLaws(name, live)
  notificationStoreLaws(name, live)
  endpointLaws(name, live)
  outboxBodyLaws(name, live)
  outboxLaws(name, live)
  retiredSecretLaws(name, live)
  settingsLaws(name, live)
  stopFileLaws(name, live)
  voiceStoreLaws(name, live)
}
