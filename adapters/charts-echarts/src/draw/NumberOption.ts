import { fullNumber, type NumberChart } from "@trunkline/charts"
import type { EChartsCoreOption } from "echarts/core"
import type { Fit } from "./Fit.js"
import { titleCaptions } from "./Header.js"
import { look, margin, seriesColours, type Size } from "./Look.js"
import { captionOption } from "./PlotOption.js"

/** One number, as large as its width allows, with its name under it. */
export const numberOption = (chart: NumberChart, size: Size, fit: Fit): EChartsCoreOption => {
  const text = fullNumber(chart.value)
  const room = size.width - 2 * margin
  const largest = Math.min(96, size.height / 4)
  const height = Math.min(largest, largest * room / fit.width(text, { size: largest, bold: true }))
  const nameFont = { size: 18 }
  const name = fit.cut(chart.name, nameFont, room)
  const centred = (width: number) => (size.width - width) / 2
  const middle = size.height / 2 + 8
  return {
    title: [
      ...titleCaptions(chart.title, size, fit),
      {
        text,
        left: centred(fit.width(text, { size: height, bold: true })),
        top: middle - height / 2 - 12,
        size: height,
        bold: true,
        colour: seriesColours[0]
      },
      {
        text: name,
        left: centred(fit.width(name, nameFont)),
        top: middle + height / 2,
        size: nameFont.size,
        bold: false,
        colour: look.quiet
      }
    ].map(captionOption)
  }
}
