import { Transactions } from "@trunkline/kernel"
import { KnowledgeStore, PassageIndex } from "@trunkline/knowledge"
import { knowledgeStoreLaws, passageIndexLaws } from "@trunkline/knowledge/testing"
import { Layer } from "effect"

knowledgeStoreLaws("memory", Layer.merge(KnowledgeStore.layerMemory, Transactions.layerMemory))
passageIndexLaws("memory", PassageIndex.layerMemory)
