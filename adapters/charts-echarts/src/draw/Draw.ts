import { Resvg } from "@resvg/resvg-js"
import { type Chart, mapTexts, type PictureFormat } from "@trunkline/charts"
import { Either } from "effect"
import { makeAdvances } from "../text/Advances.js"
import { drawableChart } from "../text/Drawable.js"
import { fontFilesOf } from "../text/Fonts.js"
import { scriptsOf } from "../text/Pieces.js"
import { setText } from "../text/SetText.js"
import type { Size } from "./Look.js"
import { drawSvg, measureBy } from "./Svg.js"

/** All that is written in a chart. */
const textsOf = (chart: Chart): ReadonlyArray<string> => {
  const texts: Array<string> = []
  mapTexts(chart, (text) => {
    texts.push(text)
    return text
  })
  return texts
}

/** All that numbers, times and shortened texts are written with. */
const always = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join("").concat("−–…")

const codeOf = (character: number): string => `U+${character.toString(16).toUpperCase().padStart(4, "0")}`

/** Draws charts of one size. It takes long for an event loop: tens to hundreds of milliseconds. */
export const makeDraw = (size: Size) => {
  const advances = makeAdvances()
  measureBy(advances)

  const drawPng = (chart: Chart): Uint8Array => {
    const svg = setText(drawSvg(chart, size, advances), advances)
    const fontFiles = [...fontFilesOf(scriptsOf(textsOf(chart).join("")))]
    const resvg = new Resvg(svg, {
      font: { loadSystemFonts: false, fontFiles, defaultFontFamily: "Noto Sans" },
      fitTo: { mode: "zoom", value: size.scale }
    })
    return Uint8Array.from(resvg.render().asPng())
  }

  /** The bytes, or why the fonts do not suffice for a PNG. */
  return (chart: Chart, format: PictureFormat): Either.Either<Uint8Array, string> => {
    advances.learn([always, ...textsOf(chart)])
    if (format === "svg") return Either.right(new TextEncoder().encode(drawSvg(chart, size, advances)))
    const drawable = drawableChart(chart)
    return drawable._tag === "Missing"
      ? Either.left(
        `A text of this chart is in a script that pictures have no font for (${codeOf(drawable.character)}); `
          + "a table or an SVG shows it"
      )
      : Either.right(drawPng(drawable.chart))
  }
}
