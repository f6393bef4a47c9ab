export {
  type Axis,
  type Chart,
  ChartError,
  type ChartRequest,
  mapTexts,
  MAX_BARS,
  MAX_POINTS,
  MAX_SERIES,
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
export { ChartRenderer, type ImageFormat } from "./ChartRenderer.js"
export { escapeXml, formatLabelNumber, formatNumber, formatShortNumber, truncateText } from "./Format.js"
export { formatTime } from "./Times.js"
