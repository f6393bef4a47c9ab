import { CampaignStore, DispatchStores } from "@trunkline/campaigns"
import {
  campaignSpendingLaws,
  campaignStoreLaws,
  canaryCountsLaws,
  contactStoreLaws,
  dialLogLaws,
  dialQueueLaws,
  stopFileLaws
} from "@trunkline/campaigns/testing"
import { Transactions } from "@trunkline/kernel"
import { Layer } from "effect"

campaignStoreLaws("memory", Layer.merge(CampaignStore.layerMemory, Transactions.layerMemory))
const dispatch = Layer.mergeAll(CampaignStore.layerMemory, DispatchStores.layerMemory, Transactions.layerMemory)
contactStoreLaws("memory", dispatch)
campaignSpendingLaws("memory", dispatch)
canaryCountsLaws("memory", dispatch)
dialLogLaws("memory", dispatch)
dialQueueLaws("memory", dispatch)
stopFileLaws("memory", dispatch)
