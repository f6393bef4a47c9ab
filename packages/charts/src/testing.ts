export { chartRendererLaws, type ChartRendererLawsOptions } from "./testing/ChartRenderer.laws.js"
export { svgFaults, svgTexts } from "./testing/SvgFaults.js"
