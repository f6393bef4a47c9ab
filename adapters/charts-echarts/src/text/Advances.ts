import { Resvg } from "@resvg/resvg-js"
import { escapeXml } from "@trunkline/charts"
import { canDraw, familyOf, fontFilesOf, type Script } from "./Fonts.js"
import { endsWithRa, hiddenBase, isRightOfBase } from "./MalayalamRa.js"
import { type Piece, piecesOf } from "./Pieces.js"

/** How wide texts are. */
export interface Advances {
  /** Measures all pieces of these texts at once, which is quicker than one by one as they are asked for. */
  readonly learn: (texts: Iterable<string>) => void
  /** How far a text reaches from where it begins to where the next would, in font sizes. */
  readonly widthOf: (text: string, bold: boolean) => number
  /** The same of one piece. */
  readonly widthOfPiece: (piece: Piece, bold: boolean) => number
  /** How far before its place a piece is to be drawn: as far as a hidden base at its left is wide. */
  readonly leadOf: (piece: Piece, bold: boolean) => number
}

const size = 1_000

/** The most widths that are remembered; a thread that has met more begins anew. */
const most = 20_000

/** The width of a character that no font here has: as wide as it is high. */
const unknownWidth = 1

/**
 * A sign of each script that any syllable can end with and that stands at the right of it, always in the same
 * distance. Where it stands after a syllable tells how wide the syllable is.
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

/** A consonant of each script, which is one glyph. */
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
  readonly script: Script
  readonly bold: boolean
}

/** How far the outlines of a sample reach, and how far the line that is drawn under it. */
interface Reach {
  readonly ink: number
  readonly underline: number
}

const drawn = ({ bold, script, text }: Sample, id: number): string =>
  `<text id="s${id}" y="${size}" xml:space="preserve" text-decoration="underline" font-size="${size}" font-weight="${
    bold ? 700 : 400
  }" font-family="${familyOf(script)}">${escapeXml(text)}</text>`

const rightmost = (path: string): number => {
  let right = 0
  for (const [, x] of path.matchAll(/(-?[\d.]+) -?[\d.]+/g)) right = Math.max(right, Number(x))
  return right / size
}

/** Has samples drawn as outlines and looks how far they reach; one that leaves no trace is missing. */
const reachesOf = (samples: ReadonlyArray<Sample>): ReadonlyMap<number, Reach> => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1">${samples.map(drawn).join("")}</svg>`
  const fontFiles = fontFilesOf(new Set(samples.map(({ script }) => script)))
  const outlines = new Resvg(svg, { font: { loadSystemFonts: false, fontFiles: [...fontFiles] } }).toString()
  const groups = outlines.matchAll(/<g id="s(\d+)"[^>]*>([\s\S]*?)<\/g>/g)
  return new Map(Array.from(groups, ([, id, inside = ""]) => {
    const [underline = 0, ink = 0] = [...inside.matchAll(/ d="([^"]*)"/g)].map(([, path = ""]) => rightmost(path))
    return [Number(id), { underline, ink }]
  }))
}

const keyOf = ({ script, text }: Piece, bold: boolean): string => `${script ?? ""} ${bold ? 700 : 400} ${text}`

const isLed = ({ script, text }: Piece): boolean =>
  script !== null && text !== hiddenBase && text.startsWith(hiddenBase)

/** More than a sentinel moves a syllable's end; less than the circle that stands in for a consonant it cannot follow. */
const circle = 0.25

/** From the outline of a letter to the next, where it cannot be measured. */
const bearing = 0.05

/**
 * Measures with the renderer itself, which knows its fonts. A line under a text is as wide as the text where every
 * syllable is one glyph; of several it tells the widest (linebender/resvg#1043), so those are measured by a sentinel.
 */
export const makeAdvances = (): Advances => {
  const known = new Map<string, number>()

  const measure = (pieces: ReadonlyArray<Piece>): void => {
    const scripts = [...new Set(pieces.map(({ script }) => script))].filter((script) => script !== null)
    const all = [
      ...scripts.map((script) => ({ script, text: consonants[script] ?? "" })),
      ...pieces
    ].flatMap(({ script, text }) => [false, true].map((bold): Sample => ({ script, text, bold })))
    const reaches = reachesOf(
      all.flatMap((sample) => [sample, { ...sample, text: sample.text + (sentinels[sample.script ?? ""] ?? "") }])
    )
    const distances = new Map<string, number>()
    all.forEach((sample, index) => {
      const { bold, script, text } = sample
      const alone = reaches.get(2 * index)
      const followed = reaches.get(2 * index + 1)?.ink ?? 0
      const distanceKey = keyOf({ script, text: "" }, bold)
      if (alone === undefined || !canDraw(text.codePointAt(0) ?? 0)) {
        return void known.set(keyOf(sample, bold), unknownWidth)
      }
      if (!distances.has(distanceKey)) distances.set(distanceKey, followed - alone.underline)
      const end = followed - (distances.get(distanceKey) ?? 0)
      const isOne = script === null || [...text].length === 1
      const isLost = !isLed(sample) && end - alone.ink > circle
      const several = endsWithRa(text) ? alone.ink + bearing : isLost ? alone.ink : end
      known.set(keyOf(sample, bold), Math.max(alone.underline, isOne ? alone.underline : several))
    })
  }

  const learn = (texts: Iterable<string>) => {
    if (known.size > most) known.clear()
    const fresh = new Map<string, Piece>()
    for (const text of texts) {
      for (const piece of piecesOf(text)) {
        if (!known.has(keyOf(piece, false))) fresh.set(keyOf(piece, false), piece)
      }
    }
    if (fresh.size > 0) measure([...fresh.values()])
  }

  const wholeWidth = (piece: Piece, bold: boolean): number => {
    const key = keyOf(piece, bold)
    if (!known.has(key)) measure([piece])
    return known.get(key) ?? unknownWidth
  }

  const hiddenOf = (piece: Piece, bold: boolean): number =>
    isLed(piece) ? wholeWidth({ ...piece, text: hiddenBase }, bold) : 0

  const widthOfPiece = (piece: Piece, bold: boolean): number => wholeWidth(piece, bold) - hiddenOf(piece, bold)

  return {
    learn,
    leadOf: (piece, bold) => isRightOfBase(piece.text) ? hiddenOf(piece, bold) : 0,
    widthOfPiece,
    widthOf: (text, bold) => piecesOf(text).reduce((width, piece) => width + widthOfPiece(piece, bold), 0)
  }
}
