import { Transactions } from "@trunkline/kernel"
import { AttemptStore, DeploymentStore } from "@trunkline/telephony"
import { attemptStoreLaws, deploymentStoreLaws } from "@trunkline/telephony/testing"
import { Layer } from "effect"

attemptStoreLaws("memory", Layer.merge(AttemptStore.layerMemory, Transactions.layerMemory))
deploymentStoreLaws("memory", Layer.merge(DeploymentStore.layerMemory, Transactions.layerMemory))
