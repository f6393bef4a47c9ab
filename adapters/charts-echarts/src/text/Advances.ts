import { Resvg } from "@resvg/resvg-js"
import { escapeXml } from "@trunkline/charts"
import { fontFamily, fontFiles, hasGlyph, type WritingScript } from "./Fonts.js"
import { endsWithRa, invisibleBase, isRightOfBase, type TextUnit, textUnits } from "./Syllables.js"

/** Measures the widths of texts. */
export interface Advances {
  /** Measures all units of these texts at once, which is faster than one by one on demand. */
  readonly measureAll: (texts: Iterable<string>) => void
  /** Advance width of a text, in font sizes. */
  readonly widthOf: (text: string, bold: boolean) => number
  /** Advance width of one unit, in font sizes. */
  readonly unitWidth: (unit: TextUnit, bold: boolean) => number
  /** Distance by which a unit is drawn before its position: the width of an invisible base at its left. */
  readonly leadOf: (unit: TextUnit, bold: boolean) => number
}

/** Font size of measurements. */
const size = 1_000

/** Maximum number of cached widths; the cache is cleared beyond it. */
const maxCached = 20_000

/** Width of a character that no font has: a square. */
const unknownWidth = 1

/**
 * A sign of each script that can follow any syllable and stands to its right at a constant distance. Its position after a
 * syllable gives the width of the syllable.
 */
const sentinels: Readonly<Record<string, string>> = {
  Devanagari: "\u0903",
  Bengali: "\u0983",
  Gurmukhi: "\u0A03",
  Gujarati: "\u0A83",
  Oriya: "\u0B03",
  Tamil: "\u0BD7",
  Telugu: "\u0C03",
  Kannada: "\u0C83",
  Malayalam: "\u0D03"
}

/** A consonant of each script that is a single glyph. */
const consonants: Readonly<Record<string, string>> = {
  Devanagari: "क",
  Bengali: "ক",
  Gurmukhi: "ਕ",
  Gujarati: "ક",
  Oriya: "କ",
  Tamil: "க",
  Telugu: "క",
  Kannada: "ಕ",
  Malayalam: "ക"
}

interface Sample {
  readonly text: string
  readonly script: WritingScript
  readonly bold: boolean
}

/** Right edges of the outlines of a sample, and of the line under it. */
interface Extent {
  readonly ink: number
  readonly underline: number
}

const sampleText = ({ bold, script, text }: Sample, id: number): string =>
  `<text id="s${id}" y="${size}" xml:space="preserve" text-decoration="underline" font-size="${size}" font-weight="${
    bold ? 700 : 400
  }" font-family="${fontFamily(script)}">${escapeXml(text)}</text>`

const rightmost = (path: string): number => {
  let right = 0
  for (const [, x] of path.matchAll(/(-?[\d.]+) -?[\d.]+/g)) right = Math.max(right, Number(x))
  return right / size
}

/** Renders samples to outlines and measures them; samples without outlines are missing in the result. */
const measureExtents = (samples: ReadonlyArray<Sample>): ReadonlyMap<number, Extent> => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1">${samples.map(sampleText).join("")}</svg>`
  const files = fontFiles(new Set(samples.map(({ script }) => script)))
  const outlines = new Resvg(svg, { font: { loadSystemFonts: false, fontFiles: [...files] } }).toString()
  const groups = outlines.matchAll(/<g id="s(\d+)"[^>]*>([\s\S]*?)<\/g>/g)
  return new Map(Array.from(groups, ([, id, inside = ""]) => {
    const [underline = 0, ink = 0] = [...inside.matchAll(/ d="([^"]*)"/g)].map(([, path = ""]) => rightmost(path))
    return [Number(id), { underline, ink }]
  }))
}

const keyOf = ({ script, text }: TextUnit, bold: boolean): string => `${script ?? ""} ${bold ? 700 : 400} ${text}`

const hasInvisibleBase = ({ script, text }: TextUnit): boolean =>
  script !== null && text !== invisibleBase && text.startsWith(invisibleBase)

/** Threshold between the shift of a syllable's end by a sentinel and the width of a dotted circle, which replaces a missing base. */
const circleThreshold = 0.25

/** Distance between the outlines of two letters where it cannot be measured. */
const bearing = 0.05

/**
 * Measures with resvg itself. The line under a text is as wide as the text when each syllable is one glyph. For syllables
 * of several glyphs it is as wide as the widest glyph (linebender/resvg#1043), so those are measured with a sentinel.
 */
export const makeAdvances = (): Advances => {
  const cache = new Map<string, number>()

  const measure = (units: ReadonlyArray<TextUnit>): void => {
    const scripts = [...new Set(units.map(({ script }) => script))].filter((script) => script !== null)
    const samples = [
      ...scripts.map((script) => ({ script, text: consonants[script] ?? "" })),
      ...units
    ].flatMap(({ script, text }) => [false, true].map((bold): Sample => ({ script, text, bold })))
    const extents = measureExtents(
      samples.flatMap((sample) => [sample, { ...sample, text: sample.text + (sentinels[sample.script ?? ""] ?? "") }])
    )
    const distances = new Map<string, number>()
    samples.forEach((sample, index) => {
      const { bold, script, text } = sample
      const alone = extents.get(2 * index)
      const pairInk = extents.get(2 * index + 1)?.ink ?? 0
      const distanceKey = keyOf({ script, text: "" }, bold)
      if (alone === undefined || !hasGlyph(text.codePointAt(0) ?? 0)) {
        return void cache.set(keyOf(sample, bold), unknownWidth)
      }
      if (!distances.has(distanceKey)) distances.set(distanceKey, pairInk - alone.underline)
      const end = pairInk - (distances.get(distanceKey) ?? 0)
      const isSingle = script === null || [...text].length === 1
      const hasCircle = !hasInvisibleBase(sample) && end - alone.ink > circleThreshold
      const several = endsWithRa(text) ? alone.ink + bearing : hasCircle ? alone.ink : end
      cache.set(keyOf(sample, bold), Math.max(alone.underline, isSingle ? alone.underline : several))
    })
  }

  const measureAll = (texts: Iterable<string>) => {
    if (cache.size > maxCached) cache.clear()
    const unknownTextUnits = new Map<string, TextUnit>()
    for (const text of texts) {
      for (const unit of textUnits(text)) {
        if (!cache.has(keyOf(unit, false))) unknownTextUnits.set(keyOf(unit, false), unit)
      }
    }
    if (unknownTextUnits.size > 0) measure([...unknownTextUnits.values()])
  }

  const fullWidth = (unit: TextUnit, bold: boolean): number => {
    const key = keyOf(unit, bold)
    if (!cache.has(key)) measure([unit])
    return cache.get(key) ?? unknownWidth
  }

  const baseWidth = (unit: TextUnit, bold: boolean): number =>
    hasInvisibleBase(unit) ? fullWidth({ ...unit, text: invisibleBase }, bold) : 0

  const unitWidth = (unit: TextUnit, bold: boolean): number => fullWidth(unit, bold) - baseWidth(unit, bold)

  return {
    measureAll,
    leadOf: (unit, bold) => isRightOfBase(unit.text) ? baseWidth(unit, bold) : 0,
    unitWidth,
    widthOf: (text, bold) => textUnits(text).reduce((width, unit) => width + unitWidth(unit, bold), 0)
  }
}
