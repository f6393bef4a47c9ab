/** Size of charts. */
export interface Size {
  /** In units of the SVG, which are pixels where it is shown unscaled. */
  readonly width: number
  readonly height: number
  /** Pixels of a PNG per unit. */
  readonly scale: number
}

/**
 * Colours of series, distinct with any kind of colour blindness, with a contrast of at least 3 to 1 against white (WCAG
 * 2.2, success criterion 1.4.11). They are those of Okabe and Ito, except for the ones too light for lines.
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
export const colours = {
  background: "#FFFFFF",
  text: "#1F2933",
  muted: "#52606D",
  line: "#E4E7EB",
  axis: "#9AA5B1"
} as const

/** Sizes of texts. */
export const fontSizes = { title: 18, note: 12, label: 12.5 } as const

/** Distance of everything from the edge. */
export const margin = 20

/** A character that no text of a chart has, because XML cannot contain it. */
const escapeMark = "\uFFFF"

/**
 * Escapes a text for ECharts, which caches widths of lines in plain objects: a line such as `__proto__` would change every
 * object of the thread. Such lines get a mark that `unescapeLabel` removes.
 */
export const escapeLabel = (text: string): string =>
  text.split("\n").map((line) => line in Object.prototype ? line + escapeMark : line).join("\n")

/** Removes the marks from a text or a file. */
export const unescapeLabel = (text: string): string => text.replaceAll(escapeMark, "")
