import { CallRecords } from "@trunkline/analytics"
import { callRecordsLaws } from "@trunkline/analytics/testing"
import { Transactions } from "@trunkline/kernel"
import { Layer } from "effect"

callRecordsLaws("memory", Layer.merge(CallRecords.layerMemory, Transactions.layerMemory))
