import { Transactions } from "@trunkline/kernel"
import { AccountStore, CreditLedger } from "@trunkline/rate-limits"
import { creditsLaws } from "@trunkline/rate-limits/testing"
import { Layer } from "effect"

const memory = Layer.mergeAll(AccountStore.layerMemory, CreditLedger.layerMemory, Transactions.layerMemory)

creditsLaws("memory", memory, 100)
