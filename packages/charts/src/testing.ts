export { chartRendererLaws, type ChartRendererLawsOptions } from "./ChartRenderer.laws.js"
export { svgFaults, textsOfSvg } from "./SvgFaults.js"
