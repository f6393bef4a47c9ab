// Records what a demo answers to each page of the console, for the tests of pages: starts the demo, waits until its campaign is
// half way, visits every page, and writes recorded/console.json.
import { spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { chromium } from "playwright-core"
import { bundled } from "../../../tools/run.mjs"
import { consolePages } from "./ConsolePages.ts"
import { requestName } from "./Recorded.ts"

const demo = spawn(process.execPath, [
  await bundled("examples/server/src/main.ts"),
  "--data",
  ":memory:",
  "--port",
  "0"
])
let output = ""
demo.stdout.on("data", (data) => (output += data))
demo.stderr.on("data", (data) => (output += data))
const printed = async (pattern) => {
  for (let tries = 0; tries < 600; tries++) {
    const found = pattern.exec(output)
    if (found !== null) return found[0]
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(output)
}

const link = await printed(/^http\S+#\S+$/m)
const values = new URLSearchParams(new URL(link).hash.slice(1))
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] })
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
const answers = {}
const events = []
const kept = 40
page.on("response", async (response) => {
  const url = response.url()
  if (!/\/(v1|v2|analytics|api|voices)(\/|\?|$)/.test(`${new URL(url).pathname}/`) || url.includes("/console/")) return
  if (!response.ok() || url.includes("/calls/live")) return
  const type = response.headers()["content-type"] ?? ""
  if (!/json|svg/.test(type)) return
  const body = await response.text().catch(() => null)
  if (body !== null) answers[requestName(response.request().method(), url)] = { type, body }
})
await page.goto(link)
await page.waitForTimeout(2_000)
const base = new URL(link).origin
const read = (path) =>
  page.evaluate(async ([url, key]) => (await fetch(url, { headers: { "api-subscription-key": key } })).json(), [
    base + path,
    values.get("key")
  ])
const live = fetch(`${base}/v1/orgs/demo/workspaces/main/calls/live`, {
  headers: { "api-subscription-key": values.get("key") ?? "" }
}).then(async ({ body }) => {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done || events.length >= kept) return
    events.push(...value.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trim()))
  }
})
await printed(/\b1\d of \d+ people done/)
const [{ app_id: agent }] = (await read("/v1/orgs/demo/workspaces/main/agents")).items
const day = (days) => new Date(Date.now() + days * 86_400_000).toISOString()
const range = new URLSearchParams({ start_datetime: day(-1), end_datetime: day(5), limit: "100" })
const ended = await read(
  `/analytics/v1/demo/main/${agent}/attempts?${range}`
)
const longest = [...ended.items].sort((a, b) => (b.duration_in_seconds ?? 0) - (a.duration_in_seconds ?? 0))[0]
const ids = { campaign: values.get("campaign"), board: values.get("board"), agent, call: longest.attempt_id }
const refused = new Set()
let visited = ""
page.on("response", (response) => response.status() === 429 && refused.add(visited))
const visit = async (path) => {
  visited = path
  await page.goto(`${base}/console/w/demo/main/${path.replaceAll(/\{(\w+)\}/g, (_, id) => ids[id])}`)
  await page.waitForLoadState("networkidle", { timeout: 4_000 }).catch(() => undefined)
  await page.waitForTimeout(path.startsWith("boards/") ? 5_000 : 1_500)
}
for (const path of Object.values(consolePages)) await visit(path)
// The smallest plan allows 60 requests a minute of a family.
if (refused.size > 0) await page.waitForTimeout(60_000)
for (const path of Array.from(refused)) await visit(path)
const at = new Date().toISOString()
mkdirSync(new URL("./recorded", import.meta.url), { recursive: true })
const recording = { at, ids, answers, events: events.slice(0, kept) }
writeFileSync(new URL("./recorded/console.json", import.meta.url), `${JSON.stringify(recording, null, 1)}\n`)
await browser.close()
demo.kill("SIGKILL")
await live.catch(() => undefined)
process.exit(0)
