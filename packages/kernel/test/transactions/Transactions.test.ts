import { MemoryTable, Transactions } from "@trunkline/kernel"
import { transactionsLaws, TransactionsProbe } from "@trunkline/kernel/testing"
import { Effect, Layer } from "effect"

const probe = Layer.sync(TransactionsProbe, () => {
  const rows = MemoryTable.make<string, string>()
  return TransactionsProbe.of({
    put: (key, value) => rows.set(key, value),
    get: (key) => Effect.sync(() => rows.get(key))
  })
})

transactionsLaws("memory", Layer.merge(Transactions.layerMemory, probe))
