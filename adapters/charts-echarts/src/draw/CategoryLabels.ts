import type { Fit } from "./Fit.js"
import { fontSizes } from "./Look.js"

/** How the labels of categories are written under an axis. */
export interface CategoryLabels {
  readonly texts: ReadonlyArray<string>
  /** By how many degrees they are turned. */
  readonly rotate: number
  /** Every how manieth is written. */
  readonly step: number
}

const font = { size: fontSizes.label }
const gap = 10
const longest = 130

const isFull = (lines: ReadonlyArray<string>, label: string): boolean => lines.join(" ") === label

/**
 * Labels under categories of this width: level if all have room, on two lines if that helps, and else turned and cut in
 * the middle. Where there is no room even so, every second or third is written; with `thin`, rather that than turned ones.
 */
export const categoryLabels = (
  labels: ReadonlyArray<string>,
  band: number,
  { fit, thin }: { readonly fit: Fit; readonly thin: boolean }
): CategoryLabels => {
  const widest = labels.reduce((width, label) => Math.max(width, fit.width(label, font)), 0)
  if (widest + gap <= band) return { texts: labels, rotate: 0, step: 1 }
  if (!thin && band >= 48) {
    const wrapped = labels.map((label) => fit.wrap(label, font, { width: band - gap, lines: 2 }))
    if (wrapped.every((lines, index) => isFull(lines, labels[index] ?? ""))) {
      return { texts: wrapped.map((lines) => lines.join("\n")), rotate: 0, step: 1 }
    }
  }
  const texts = labels.map((label) => fit.cutMiddle(label, font, longest))
  if (thin) {
    const step = Math.ceil((Math.min(widest, longest) + gap) / band)
    return { texts, rotate: 0, step }
  }
  return { texts, rotate: 40, step: Math.max(1, Math.ceil(1.5 * fontSizes.label / band)) }
}
