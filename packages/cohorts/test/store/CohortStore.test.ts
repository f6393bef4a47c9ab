import { CohortStore } from "@trunkline/cohorts"
import { cohortStoreLaws } from "@trunkline/cohorts/testing"
import { Transactions } from "@trunkline/kernel"
import { Layer } from "effect"

cohortStoreLaws("memory", Layer.merge(CohortStore.layerMemory, Transactions.layerMemory))
