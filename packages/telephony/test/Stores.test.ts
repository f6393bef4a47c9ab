import { Transactions } from "@trunkline/kernel"
import {
  AttemptStore,
  BlockedNumbersStore,
  CallEventStore,
  CallJournalStore,
  DeploymentStore
} from "@trunkline/telephony"
import {
  attemptStoreLaws,
  blockedNumbersStoreLaws,
  callEventStoreLaws,
  callJournalStoreLaws,
  deploymentStoreLaws
} from "@trunkline/telephony/testing"
import { Layer } from "effect"

attemptStoreLaws("memory", Layer.merge(AttemptStore.layerMemory, Transactions.layerMemory))
blockedNumbersStoreLaws("memory", Layer.merge(BlockedNumbersStore.layerMemory, Transactions.layerMemory))
callEventStoreLaws("memory", Layer.merge(CallEventStore.layerMemory, Transactions.layerMemory))
callJournalStoreLaws("memory", Layer.merge(CallJournalStore.layerMemory, Transactions.layerMemory))
deploymentStoreLaws("memory", Layer.merge(DeploymentStore.layerMemory, Transactions.layerMemory))
