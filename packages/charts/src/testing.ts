export { chartRendererLaws, type ChartRendererLawsOptions } from "./ChartRenderer.laws.js"
export { svgFaults, svgTexts } from "./SvgFaults.js"
