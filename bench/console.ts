import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliCompressSync } from "node:zlib"
import { hasBrowser, startBrowser } from "../test/clients/browser/Browser.js"
import { addressOf, answerFrom, readRecording, servePage } from "../test/clients/browser/Recorded.js"
import { buildConsolePage } from "../tools/console-page.mjs"
import { longestTask } from "./console-tasks.js"
import { here } from "./published.js"
import { report } from "./report.js"

const rounds = 5

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const compressed = (path: string): number => brotliCompressSync(readFileSync(path)).length

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`

/** Bytes of the scripts and styles of our first visit, as they are sent. */
const ours = async (): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-page-"))
  await buildConsolePage(folder)
  const html = readFileSync(join(folder, "index.html"), "utf8")
  const names = [...html.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, name = ""]) => name)
  return names.reduce((sum, name) => sum + readFileSync(join(folder, `${name}.br`)).length, 0)
}

const allFiles = (folder: string): ReadonlyArray<string> =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name))
    : []

/** Bytes of the scripts and styles of a peer, compressed as ours; null where it is not installed. */
const peer = (folder: string, wanted: RegExp): number | null => {
  const files = allFiles(here(folder)).filter((name) => wanted.test(name))
  return files.length === 0 ? null : files.reduce((sum, name) => sum + compressed(name), 0)
}

/** A server that sends so many live events a second, each a turn of a call. */
const liveServer = async (perSecond: number) => {
  const event = JSON.parse(readRecording().events.find((each) => each.includes(`"turn"`)) ?? "{}")
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "access-control-allow-origin": "*" })
    let count = 0
    const timer = setInterval(() => {
      const turns = Array.from({ length: perSecond / 20 }, () => {
        count += 1
        const attempt_id = `018f9430-0000-7000-8000-${String(count % 400).padStart(12, "0")}`
        return `data: ${JSON.stringify({ ...event, attempt_id, text: `Words ${count}` })}\n\n`
      })
      response.write(turns.join(""))
    }, 50)
    response.on("close", () => clearInterval(timer))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}

/** A server of one JSON text. */
const serveText = async (text: string) => {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json", "access-control-allow-origin": "*" }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}

/** Frames of the next seconds, and the longest time between two of them. */
const countFrames = `new Promise((resolve) => {
  const begun = performance.now()
  let [frames, last, longest] = [0, begun, 0]
  const next = (now) => {
    frames += 1
    longest = Math.max(longest, now - last)
    last = now
    if (now - begun < 5000) requestAnimationFrame(next)
    else resolve({ perSecond: frames / ((now - begun) / 1000), longest })
  }
  requestAnimationFrame(next)
})`

/** Scrolls a table from its begin to its end in steps, one a frame. */
const scrollThrough = `new Promise((resolve) => {
  const table = document.querySelector(".virtual")
  let [at, last, longest, frames] = [0, performance.now(), 0, 0]
  const next = (now) => {
    longest = Math.max(longest, now - last)
    last = now
    frames += 1
    at += 1 / 240
    table.scrollTop = at * table.scrollHeight
    if (at < 1) requestAnimationFrame(next)
    else resolve({ frames, longest, rows: Number(table.getAttribute("aria-rowcount")) - 1 })
  }
  requestAnimationFrame(next)
})`

interface Scrolled {
  readonly frames: number
  readonly longest: number
  readonly rows: number
}

/** Reports a figure without a peer. */
const alone = (path: string, ours: string, goal: string): void => report({ path, ours, peer: "", ratio: "", goal })

const reportSizes = async (): Promise<void> => {
  const bytes = await ours()
  const peers = [
    ["@bull-board/ui", "node_modules/@bull-board/ui/dist/static", /\.(js|css)$/],
    ["@prisma/studio-core", "node_modules/@prisma/studio-core/dist", /dist\/(chunk-[^/]+\.js|ui\/index\.(js|css))$/]
  ] as const
  for (const [name, folder, wanted] of peers) {
    const size = peer(folder, wanted)
    report({
      path: "console, scripts and styles of a first visit, brotli",
      ours: kilobytes(bytes),
      peer: size === null ? `${name}: not installed` : `all scripts of ${name}, ${kilobytes(size)}`,
      ratio: size === null ? "" : (bytes / size).toFixed(2),
      goal: "at most 120 kB"
    })
  }
}

/** `npm run bench -- console`: bytes of the page beside peers, time to the first rows, and frames while much happens. */
export const run = async (): Promise<void> => {
  await reportSizes()
  if (!hasBrowser) return alone("console in a browser", "skipped: chromium is not installed", "")
  const recording = readRecording()
  const served = await servePage({ events: recording.events })
  const browser = await startBrowser()
  const address = (name: string) => `${served.url}/console/w/demo/main/${addressOf(recording, name)}`

  const times: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const page = await (await browser.newContext()).newPage()
    await answerFrom(page, recording)
    const start = performance.now()
    await page.goto(address("ended"))
    await page.locator(".virtual-row.link").first().waitFor()
    times.push(performance.now() - start)
    await page.context().close()
  }
  const first = median(times)
  alone("console, time to the first rows of ended calls, cold", `${first.toFixed(0)} ms`, "under 1 s")

  const live = await liveServer(500)
  const page = await (await browser.newContext()).newPage()
  await answerFrom(page, recording)
  await page.route(/\/calls\/live/, (route) => route.continue({ url: live.url }))
  await page.goto(address("calls"))
  await page.locator(".virtual-row.link").first().waitFor()
  const frames = await page.evaluate<{ readonly perSecond: number; readonly longest: number }>(countFrames)
  const figures = `${frames.perSecond.toFixed(0)}, longest ${frames.longest.toFixed(0)} ms`
  alone("console, frames a second with 500 live events a second", figures, "60")
  await page.context().close()
  live.close()

  const many = await (await browser.newContext()).newPage()
  await answerFrom(many, recording)
  const name = Object.keys(recording.answers).find((each) => /\/attempts\?limit=100&offset=0/.test(each)) ?? ""
  const one = JSON.parse(recording.answers[name]?.body ?? "{}")
  const items = Array.from({ length: 100_000 }, (_, index) => ({
    ...one.items[index % one.items.length],
    attempt_id: `018f9430-0000-7000-8000-${String(index).padStart(12, "0")}`
  }))
  const list = await serveText(JSON.stringify({ ...one, items, total: items.length }))
  await many.route(/\/attempts\?/, (route) => route.continue({ url: list.url }))
  await many.goto(address("ended"))
  await many.locator(".virtual-row.link").first().waitFor()
  const scrolled = await many.evaluate<Scrolled>(scrollThrough)
  await browser.startTracing(many, { categories: ["toplevel", "disabled-by-default-devtools.timeline"] })
  await many.evaluate(scrollThrough)
  const task = longestTask(await browser.stopTracing())
  alone(
    `console, longest frame while ${scrolled.rows} calls scroll by in ${scrolled.frames}`,
    `${scrolled.longest.toFixed(0)} ms, longest work of the page ${task.toFixed(0)} ms of CPU`,
    "under 50 ms"
  )
  await browser.close()
  served.close()
  list.close()
}
