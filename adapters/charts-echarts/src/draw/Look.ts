/** The size of charts. */
export interface Size {
  /** In the units of the SVG, which are pixels where it is shown as large as it is. */
  readonly width: number
  readonly height: number
  /** How many pixels of a PNG a unit is. */
  readonly scale: number
}

/**
 * The colours of series, which people with any kind of colour blindness tell apart, and all of which stand out from
 * white by 3 to 1 at least (WCAG 2.2, 1.4.11). Those of Okabe and Ito, but for the ones too light for lines.
 */
export const seriesColours = [
  "#0072B2",
  "#D55E00",
  "#009E73",
  "#CC5FA0",
  "#2B2B2B",
  "#8C6D00",
  "#3D8FD1",
  "#7A4FA3"
] as const

/** All other colours. */
export const look = {
  background: "#FFFFFF",
  text: "#1F2933",
  quiet: "#52606D",
  line: "#E4E7EB",
  axis: "#9AA5B1"
} as const

/** The sizes of texts. */
export const fontSizes = { title: 18, note: 12, label: 12.5 } as const

/** How far everything stays from the edge. */
export const margin = 20
