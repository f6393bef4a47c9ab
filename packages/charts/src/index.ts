export {
  type Axis,
  type Chart,
  ChartError,
  type ChartRequest,
  type EmptyChart,
  mapTexts,
  maxBars,
  maxPoints,
  maxSeries,
  maxTrend,
  type NumberChart,
  type PlotChart,
  type Series,
  type Table,
  type TimeUnit,
  type Trend,
  type Value,
  VizConfig,
  VizType
} from "./Chart.js"
export { chartOf } from "./ChartOf.js"
export { ChartRenderer, type ChartSize, type ImageFormat } from "./ChartRenderer.js"
export { escapeXml, formatChange, formatLabelNumber, formatNumber, formatShortNumber, truncateText } from "./Format.js"
export { labelOfName, labelsOfTexts } from "./Labels.js"
export { formatTime } from "./Times.js"
export { describeTrend } from "./Trend.js"
