import { warehouseMemory } from "@trunkline/warehouse"
import { warehouseLaws } from "@trunkline/warehouse/testing"

warehouseLaws("in memory", warehouseMemory)
