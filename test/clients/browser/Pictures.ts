import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { whenSettled } from "./Settled.js"

/** Size of an approved picture: one grey for each part of a window. */
const columns = 40
const rows = 30

/** Largest difference of a part, and largest share of parts that differ more than a little: fonts differ between machines. */
const limits = { little: 24, share: 0.06 }

const file = new URL("./recorded/pictures.json", import.meta.url)

const approved: Record<string, string> = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {}

const digits = "0123456789abcdefghijklmnopqrstuvwxyz"

const shotOf = async (page: Page) =>
  (await page.screenshot({ animations: "disabled", caret: "hide" })).toString("base64")

/** A window once nothing goes on in it, and nothing changes from one shot to the next. */
const stillShotOf = async (page: Page): Promise<string> => {
  await whenSettled(page)
  for (let before = await shotOf(page);;) {
    const shot = await shotOf(page)
    if (shot === before) return shot
    before = shot
  }
}

/** Greys of a window at rest, each in one of 36 steps. */
export const pictureOf = async (page: Page): Promise<string> => {
  const shot = await stillShotOf(page)
  const greys = await page.evaluate<ReadonlyArray<number>>(`(async () => {
    const picture = new Image()
    picture.src = "data:image/png;base64,${shot}"
    await picture.decode()
    const canvas = new OffscreenCanvas(${columns}, ${rows})
    const pen = canvas.getContext("2d")
    pen.imageSmoothingQuality = "high"
    pen.drawImage(picture, 0, 0, ${columns}, ${rows})
    const { data } = pen.getImageData(0, 0, ${columns}, ${rows})
    return Array.from({ length: ${columns * rows} }, (_, at) =>
      Math.round((data[at * 4] + data[at * 4 + 1] + data[at * 4 + 2]) / 3))
  })()`)
  return greys.map((grey) => digits[Math.round((grey / 255) * 35)] ?? "0").join("")
}

const greyAt = (picture: string, at: number) => (digits.indexOf(picture[at] ?? "0") / 35) * 255

/**
 * Compares a picture with the approved one; null when they look the same. With `APPROVE=1` in the environment it approves the
 * picture instead: look at the pages before that.
 */
export const comparePicture = async (name: string, picture: string): Promise<string | null> => {
  if (process.env["APPROVE"] === "1") {
    approved[name] = picture
    mkdirSync(new URL(".", file), { recursive: true })
    const sorted = Object.fromEntries(Object.entries(approved).sort(([a], [b]) => (a < b ? -1 : 1)))
    writeFileSync(file, `${JSON.stringify(sorted, null, 1)}\n`)
    return null
  }
  const before = approved[name]
  if (before === undefined) return `${name} was never approved`
  const parts = Array.from({ length: columns * rows }, (_, at) => Math.abs(greyAt(picture, at) - greyAt(before, at)))
  const differing = parts.filter((difference) => difference > limits.little).length
  return differing / parts.length <= limits.share
    ? null
    : `${name} differs from what was approved in ${Math.round((100 * differing) / parts.length)} % of its parts`
}
