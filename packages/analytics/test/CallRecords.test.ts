import { CallRecords } from "@trunkline/analytics"
import { callEvaluationLaws, callRecordsLaws } from "@trunkline/analytics/testing"
import { Transactions } from "@trunkline/kernel"
import { Layer } from "effect"

callRecordsLaws("memory", Layer.merge(CallRecords.layerMemory, Transactions.layerMemory))
callEvaluationLaws("memory", Layer.merge(CallRecords.layerMemory, Transactions.layerMemory))
