export {
  type Axis,
  type Chart,
  type ChartRequest,
  mapTexts,
  MAX_BARS,
  MAX_POINTS,
  MAX_SERIES,
  NoPicture,
  type NumberChart,
  type PlotChart,
  type Series,
  type Table,
  type TimeUnit,
  type Value,
  VizConfig,
  VizType
} from "./Chart.js"
export { chartOf } from "./ChartOf.js"
export { ChartRenderer, type PictureFormat } from "./ChartRenderer.js"
export { escapeXml, fullNumber, labelNumber, shorten, shortNumber } from "./Format.js"
export { readTime } from "./Times.js"
