import { SlotStore } from "@trunkline/rate-limits"
import { slotStoreLaws } from "@trunkline/rate-limits/testing"

slotStoreLaws("memory", SlotStore.layerMemory)
