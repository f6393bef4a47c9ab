import { readFileSync } from "node:fs"
import { createRequire } from "node:module"

/** Scripts that have their own font, in the order of their blocks of 128 characters from U+0900 on. */
const blocks = [
  "Devanagari",
  "Bengali",
  "Gurmukhi",
  "Gujarati",
  "Oriya",
  "Tamil",
  "Telugu",
  "Kannada",
  "Malayalam"
] as const

/** A script of India, or null for everything in the font of Latin, Greek and Cyrillic. */
export type WritingScript = (typeof blocks)[number] | null

/** Script whose font a character is drawn with. */
export const scriptOf = (character: number): WritingScript => blocks[(character - 0x900) >> 7] ?? null

/** Family name of the font of a script. */
export const fontFamily = (script: WritingScript): string => script === null ? "Noto Sans" : `Noto Sans ${script}`

/** Font families of an SVG: these fonts where the viewer has them, otherwise those of its system. */
export const fontStack = [...[null, ...blocks].map((script) => `'${fontFamily(script)}'`), "system-ui", "sans-serif"]
  .join(
    ", "
  )

const require = createRequire(import.meta.url)

const pathOf = (script: WritingScript, weight: "400Regular" | "700Bold"): string => {
  const folder = script === null ? "noto-sans" : `noto-sans-${script.toLowerCase()}`
  const file = fontFamily(script).replaceAll(" ", "")
  return require.resolve(`@expo-google-fonts/${folder}/${weight}/${file}_${weight}.ttf`)
}

/** Font files of these scripts and of Latin, regular and bold. */
export const fontFiles = (scripts: ReadonlySet<WritingScript>): ReadonlyArray<string> =>
  [...new Set<WritingScript>([null, ...scripts])].flatMap(
    (script) => [pathOf(script, "400Regular"), pathOf(script, "700Bold")]
  )

/** Offset of a table in the font file. */
const tableOffset = (view: DataView, name: string): number => {
  const tables = view.getUint16(4)
  for (let entry = 12; entry < 12 + tables * 16; entry += 16) {
    const tag = [0, 1, 2, 3].map((each) => String.fromCharCode(view.getUint8(entry + each))).join("")
    if (tag === name) return view.getUint32(entry + 8)
  }
  throw new RangeError(`The font has no table ${name}`)
}

/** Adds the characters of a table of format 4: segments of characters of 16 bits. */
const addSegments = (view: DataView, at: number, into: Set<number>): void => {
  const bytes = view.getUint16(at + 6)
  for (let each = 0; each < bytes; each += 2) {
    const last = view.getUint16(at + 14 + each)
    const first = view.getUint16(at + 16 + bytes + each)
    const delta = view.getUint16(at + 16 + 2 * bytes + each)
    const offsetAt = at + 16 + 3 * bytes + each
    const offset = view.getUint16(offsetAt)
    for (let character = first; character <= last && character < 0xFFFF; character++) {
      const glyph = offset === 0
        ? (character + delta) & 0xFFFF
        : view.getUint16(offsetAt + offset + 2 * (character - first))
      if (glyph !== 0) into.add(character)
    }
  }
}

/** Adds the characters of a table of format 12: groups of characters of 32 bits. */
const addGroups = (view: DataView, at: number, into: Set<number>): void => {
  const end = at + 16 + view.getUint32(at + 12) * 12
  for (let group = at + 16; group < end; group += 12) {
    for (let character = view.getUint32(group); character <= view.getUint32(group + 4); character++) into.add(character)
  }
}

/** Reads the characters of a TrueType font from its table `cmap` (OpenType 1.9, formats 4 and 12). */
const coverageOf = (font: Uint8Array): ReadonlySet<number> => {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength)
  const cmap = tableOffset(view, "cmap")
  const codePoints = new Set<number>()
  for (let table = 0; table < view.getUint16(cmap + 2); table++) {
    const at = cmap + view.getUint32(cmap + 4 + table * 8 + 4)
    const format = view.getUint16(at)
    if (format === 4) addSegments(view, at, codePoints)
    if (format === 12) addGroups(view, at, codePoints)
  }
  return codePoints
}

const coverages = new Map<WritingScript, ReadonlySet<number>>()

/** True when the font of its script has a character. */
export const hasGlyph = (character: number): boolean => {
  const script = scriptOf(character)
  const entry = coverages.get(script)
  if (entry !== undefined) return entry.has(character)
  const coverage = coverageOf(readFileSync(pathOf(script, "400Regular")))
  coverages.set(script, coverage)
  return coverage.has(character)
}
