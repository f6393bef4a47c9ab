import { type Chart, mapTexts } from "@trunkline/charts"
import { hasGlyph } from "./Fonts.js"

/** A text that can be drawn, perhaps without some symbols, or the letter that no font has. */
type DrawableText =
  | { readonly _tag: "Text"; readonly text: string; readonly leftOut: boolean }
  | { readonly _tag: "Missing"; readonly character: number }

/** Joiners and variation selectors, which have no glyphs. */
const invisible = /^[\p{Default_Ignorable_Code_Point}\p{Cf}]$/u

/** Characters that cannot be left out of a text: letters with their marks, and digits. */
const essential = /^[\p{L}\p{M}\p{N}]$/u

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

const drawableText = (text: string): DrawableText => {
  let output = ""
  let missingSymbol: number | null = null
  for (const { segment } of graphemes.segment(text)) {
    const missing = [...segment].find((each) => !invisible.test(each) && !hasGlyph(each.codePointAt(0) ?? 0))
    if (missing === undefined) {
      output += segment
      continue
    }
    missingSymbol = missing.codePointAt(0) ?? 0
    if (essential.test(missing)) return { _tag: "Missing", character: missingSymbol }
  }
  const rest = output.replace(/\s+/g, " ").trim()
  if (missingSymbol !== null && rest === "") return { _tag: "Missing", character: missingSymbol }
  return { _tag: "Text", text: missingSymbol === null ? text : rest, leftOut: missingSymbol !== null }
}

/** A chart that the fonts can draw, or the first letter that they lack. */
export type DrawableChart =
  | { readonly _tag: "Chart"; readonly chart: Chart }
  | { readonly _tag: "Missing"; readonly character: number }

const note = "Symbols that no font has are left out"

/**
 * Removes the symbols that the fonts lack, such as emoji, from texts that have others, and adds a note about it. A chart
 * with letters that they lack, or with a text of such symbols alone, is not drawn, as its parts could not be told apart.
 */
export const drawableChart = (chart: Chart): DrawableChart => {
  let missing: number | null = null
  let leftOut = false
  const plainChart = mapTexts(chart, (text) => {
    const result = drawableText(text)
    if (result._tag === "Missing") {
      missing ??= result.character
      return text
    }
    leftOut ||= result.leftOut
    return result.text
  })
  if (missing !== null) return { _tag: "Missing", character: missing }
  if (!leftOut || plainChart.kind === "number" || plainChart.kind === "empty") {
    return { _tag: "Chart", chart: plainChart }
  }
  return {
    _tag: "Chart",
    chart: { ...plainChart, note: plainChart.note === null ? note : `${plainChart.note}. ${note}` }
  }
}
