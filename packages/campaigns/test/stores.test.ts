import { CampaignStore, DispatchStore } from "@trunkline/campaigns"
import { campaignStoreLaws, dispatchStoreLaws, stopFileLaws } from "@trunkline/campaigns/testing"
import { Transactions } from "@trunkline/kernel"
import { Layer } from "effect"

campaignStoreLaws("memory", Layer.merge(CampaignStore.layerMemory, Transactions.layerMemory))
dispatchStoreLaws(
  "memory",
  Layer.mergeAll(CampaignStore.layerMemory, DispatchStore.layerMemory, Transactions.layerMemory)
)
stopFileLaws("memory", Layer.merge(DispatchStore.layerMemory, Transactions.layerMemory))
