import { CallTraces } from "@trunkline/replay"
import { callTracesLaws } from "@trunkline/replay/testing"

callTracesLaws("in memory", CallTraces.layerMemory)
