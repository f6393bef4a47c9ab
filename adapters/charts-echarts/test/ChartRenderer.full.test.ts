import { ChartsEcharts } from "@trunkline/charts-echarts"
import { chartRendererLaws } from "@trunkline/charts/testing"

// Loading from the sources takes seconds where the cores are busy.
chartRendererLaws("ECharts", ChartsEcharts.layer({ width: 480, height: 300, scale: 1, limit: "1 minute" }), {
  png: { width: 480, height: 300 },
  tables: 40
})
