export * from "./ChartRenderer.laws.js"
export * from "./SvgFaults.js"
