import { Transactions } from "@trunkline/kernel"
import { CreditLedger } from "@trunkline/rate-limits"
import { creditLedgerLaws } from "@trunkline/rate-limits/testing"
import { Layer } from "effect"

creditLedgerLaws("memory", Layer.merge(CreditLedger.layerMemory, Transactions.layerMemory))
