import { Transactions } from "@trunkline/kernel"
import { Outbox } from "@trunkline/webhooks"
import { outboxLaws } from "@trunkline/webhooks/testing"
import { Layer } from "effect"

outboxLaws("memory", Layer.merge(Outbox.layerMemory, Transactions.layerMemory))
