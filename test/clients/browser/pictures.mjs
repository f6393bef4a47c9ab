// Makes the pictures of docs/console.md from the demo: node --import tsx test/clients/browser/pictures.mjs
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { chromium } from "playwright-core"
import { bundled } from "../../../tools/run.mjs"

const out = fileURLToPath(new URL("../../../docs/pictures/", import.meta.url))
mkdirSync(out, { recursive: true })
// Slower than the demo, so that its calls are seen while they go on.
const speed = 1.5
const bootstrap = JSON.parse(
  readFileSync(new URL("../../../examples/server/assets/bootstrap.json", import.meta.url), "utf8")
)
const slower = join(mkdtempSync(join(tmpdir(), "trunkline-pictures-")), "bootstrap.json")
writeFileSync(slower, JSON.stringify({ ...bootstrap, simulator: { ...bootstrap.simulator, speed } }))
const demo = spawn(process.execPath, [
  await bundled("examples/server/src/main.ts"),
  "--bootstrap",
  slower,
  "--data",
  ":memory:",
  "--port",
  "0"
])
let output = ""
demo.stdout.on("data", (data) => (output += data))
const printed = async (pattern) => {
  for (let tries = 0; tries < 900; tries++) {
    const found = pattern.exec(output)
    if (found !== null) return found[0]
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(output)
}
const link = await printed(/^http\S+#\S+$/m)
const { origin } = new URL(link)
const values = new URLSearchParams(new URL(link).hash.slice(1))
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] })
const page = await browser.newPage({ viewport: { width: 1200, height: 760 }, colorScheme: "light" })
const picture = async (name, path, wait) => {
  await page.goto(`${origin}/console/w/demo/main/${path}`)
  await page.waitForTimeout(wait)
  await page.screenshot({ path: `${out}console-${name}.png` })
}
await page.goto(link)
// Figures of campaigns are asked for every 15 seconds.
await picture("home", "home", 17_000)
await printed(/\b[1-4]\d of \d+ people done/)
const id = await page.evaluate(async ([key]) => {
  const ask = async (path) => (await fetch(path, { headers: { "api-subscription-key": key } })).json()
  const [{ app_id }] = (await ask("/v1/orgs/demo/workspaces/main/agents")).items
  const day = (days) => new Date(Date.now() + days * 86_400_000).toISOString()
  const range = new URLSearchParams({ start_datetime: day(-1), end_datetime: day(5), limit: "100" })
  const { items } = await ask(`/analytics/v1/demo/main/${app_id}/attempts?${range}`)
  const spoken = items.filter((each) => each.language_name === "English" && each.completion_status === "completed")
  return spoken.sort((a, b) => (b.duration_in_seconds ?? 0) - (a.duration_in_seconds ?? 0))[0].attempt_id
}, [values.get("key")])
await picture("call", `calls/${id}`, 2_000)
// The line of dials needs minutes.
await picture("campaign", `campaigns/${values.get("campaign")}`, 75_000)
await browser.close()
demo.kill("SIGKILL")
process.exit(0)
