import { ChartRenderer } from "@trunkline/charts"
import { chartRendererLaws } from "@trunkline/charts/testing"

chartRendererLaws("memory", ChartRenderer.layerMemory, { png: { width: 1, height: 1 }, tables: 300 })
