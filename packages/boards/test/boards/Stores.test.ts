import { BoardStore } from "@trunkline/boards"
import { boardStoreLaws } from "@trunkline/boards/testing"
import { Transactions } from "@trunkline/kernel"
import { Layer } from "effect"

boardStoreLaws("memory", Layer.merge(BoardStore.layerMemory, Transactions.layerMemory))
