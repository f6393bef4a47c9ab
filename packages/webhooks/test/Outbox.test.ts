import { Transactions } from "@trunkline/kernel"
import { Outbox, RetiredSecretStore } from "@trunkline/webhooks"
import { endpointLaws, outboxBodyLaws, outboxLaws, retiredSecretLaws } from "@trunkline/webhooks/testing"
import { Layer } from "effect"

outboxLaws("memory", Layer.merge(Outbox.layerMemory, Transactions.layerMemory))
endpointLaws("memory", Layer.merge(Outbox.layerMemory, Transactions.layerMemory))
retiredSecretLaws("memory", Layer.merge(RetiredSecretStore.layerMemory, Transactions.layerMemory))
outboxBodyLaws("memory", Layer.merge(Outbox.layerMemory, Transactions.layerMemory))
