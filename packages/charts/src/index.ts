export * from "./Chart.js"
export * from "./ChartRenderer.js"
export * from "./Viz.js"
