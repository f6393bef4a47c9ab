import type { ChartRequest } from "../Chart.js"

/** A bar chart of calls by language, with changes, for tests. */
export const barRequest = (change: Partial<ChartRequest> = {}): ChartRequest => ({
  title: "Calls by language",
  viz_type: "bar",
  viz_config: { x_axis: "language", y_axis: ["connected", "missed"] },
  table: {
    columns: [{ name: "language" }, { name: "connected" }, { name: "missed" }],
    rows: [["Hindi & Urdu", 12, 3], ["<Tamil>", "8.5", null], ["\"Kannada\"", 1, 0]]
  },
  ...change
})

/** A number of calls, with changes, for tests. */
export const numberRequest = (change: Partial<ChartRequest> = {}): ChartRequest => ({
  title: "Calls today",
  viz_type: "number",
  viz_config: {},
  table: { columns: [{ name: "calls" }], rows: [[1_234_567]] },
  ...change
})
