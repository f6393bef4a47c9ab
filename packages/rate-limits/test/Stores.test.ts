import { Transactions } from "@trunkline/kernel"
import { AccountStore, KeyStore } from "@trunkline/rate-limits"
import { accountStoreLaws, keyStoreLaws } from "@trunkline/rate-limits/testing"
import { Layer } from "effect"

const memory = Layer.mergeAll(AccountStore.layerMemory, KeyStore.layerMemory, Transactions.layerMemory)

accountStoreLaws("memory", memory)
keyStoreLaws("memory", memory)
