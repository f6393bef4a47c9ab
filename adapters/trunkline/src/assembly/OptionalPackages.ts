import { ChartError, ChartRenderer } from "@trunkline/charts"
import { ChartsEcharts } from "@trunkline/charts-echarts"
import { Layer } from "effect"
import { createRequire } from "node:module"

const { resolve } = createRequire(import.meta.url)

/** True where a package that is only needed by some is installed. */
export const isInstalled = (name: string): boolean => {
  try {
    resolve(name)
    return true
  } catch {
    return false
  }
}

/** Scripts of India that charts are labelled in, by the names of their fonts. */
const scripts = ["bengali", "devanagari", "gujarati", "gurmukhi", "kannada", "malayalam", "oriya", "tamil", "telugu"]

/** Packages that draw charts, which are only needed by those who show charts. */
const chartPackages = [
  "echarts",
  "@resvg/resvg-js",
  "@expo-google-fonts/noto-sans",
  ...scripts.map((script) => `@expo-google-fonts/noto-sans-${script}`)
]

/** The renderer of charts, or one that says which packages are missing. */
export const chartsLayer = () => {
  const missing = chartPackages.filter((name) => !isInstalled(name))
  if (missing.length === 0) return ChartsEcharts.layer()
  return Layer.succeed(ChartRenderer, {
    render: () =>
      new ChartError({
        kind: "unavailable",
        message: `Charts need packages that are not installed: npm i ${missing.join(" ")}`
      })
  })
}
