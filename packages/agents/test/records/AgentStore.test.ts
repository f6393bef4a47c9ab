import { AgentStore } from "@trunkline/agents"
import { agentStoreLaws } from "@trunkline/agents/testing"
import { Transactions } from "@trunkline/kernel"
import { Layer } from "effect"

agentStoreLaws("in memory", Layer.merge(AgentStore.layerMemory, Transactions.layerMemory))
