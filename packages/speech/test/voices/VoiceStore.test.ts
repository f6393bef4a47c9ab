import { Transactions } from "@trunkline/kernel"
import { VoiceStore } from "@trunkline/speech"
import { voiceStoreLaws } from "@trunkline/speech/testing"
import { Layer } from "effect"

voiceStoreLaws("memory", Layer.merge(VoiceStore.layerMemory, Transactions.layerMemory))
