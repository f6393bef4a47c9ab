import { Transactions } from "@trunkline/kernel"
import { FactsLog } from "@trunkline/warehouse"
import { factsLogLaws } from "@trunkline/warehouse/testing"
import { Layer } from "effect"

factsLogLaws("in memory", Layer.merge(FactsLog.layerMemory, Transactions.layerMemory))
