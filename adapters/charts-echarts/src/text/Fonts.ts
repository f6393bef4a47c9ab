import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { coverageOf, type FontCoverage } from "./FontCoverage.js"

/** The scripts that have a font of their own, in the order of their blocks of 128 characters from U+0900 on. */
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

/** A script of India, or null for everything that the font for Latin, Greek and Cyrillic has. */
export type Script = (typeof blocks)[number] | null

/** The script whose font a character is drawn with. */
export const scriptOf = (character: number): Script => blocks[(character - 0x900) >> 7] ?? null

/** The name of the font of a script, as files call it. */
export const familyOf = (script: Script): string => script === null ? "Noto Sans" : `Noto Sans ${script}`

/** For whoever opens an SVG: these fonts where they are installed, and else whatever reads best there. */
export const fontStack = [...[null, ...blocks].map((script) => `'${familyOf(script)}'`), "system-ui", "sans-serif"]
  .join(
    ", "
  )

const require = createRequire(import.meta.url)

const pathOf = (script: Script, weight: "400Regular" | "700Bold"): string => {
  const folder = script === null ? "noto-sans" : `noto-sans-${script.toLowerCase()}`
  const file = familyOf(script).replaceAll(" ", "")
  return require.resolve(`@expo-google-fonts/${folder}/${weight}/${file}_${weight}.ttf`)
}

/** The files of the fonts of these scripts, regular and bold; that for Latin is always among them. */
export const fontFilesOf = (scripts: ReadonlySet<Script>): ReadonlyArray<string> =>
  [...new Set<Script>([null, ...scripts])].flatMap((
    script
  ) => [pathOf(script, "400Regular"), pathOf(script, "700Bold")])

const coverages = new Map<Script, FontCoverage>()

/** Whether the font of its script has a character. */
export const canDraw = (character: number): boolean => {
  const script = scriptOf(character)
  const known = coverages.get(script)
  if (known !== undefined) return known.has(character)
  const coverage = coverageOf(readFileSync(pathOf(script, "400Regular")))
  coverages.set(script, coverage)
  return coverage.has(character)
}
