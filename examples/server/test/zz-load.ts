import { spawn } from "node:child_process"
import { readFileSync, rmSync } from "node:fs"
import { setTimeout as pause } from "node:timers/promises"
import { importFile, importTransformation } from "./ImportFile.js"
import { campaignsPath, createCampaign, json } from "./Requests.js"
import { temporaryFolder, writeBootstrap } from "./ServerProcess.js"
const rows = Number(process.argv[2] ?? 1_000_000)
const key = "sk_test_suite_aSecretOfTheTestSuite"
const folder = temporaryFolder()
const bootstrap = writeBootstrap(folder.path, { simulator: { speed: 1 } })
rmSync("/tmp/exp/eld.log", { force: true })
const child = spawn(process.execPath, ["--conditions=@trunkline/source", "--import", "tsx", "--import", "/tmp/exp/eld.mjs", new URL("../src/main.ts", import.meta.url).pathname, "--no-demo", "--port", "0", "--data", process.argv[3] === "memory" ? ":memory:" : folder.path, "--bootstrap", bootstrap], { env: { ...process.env, ELD: "/tmp/exp/eld.log" }, stdio: ["ignore", "pipe", "inherit"] })
let out = ""
const url = await new Promise<string>((r) => child.stdout.on("data", (d) => { out += d; const m = /ready (\S+)/.exec(out); if (m?.[1]) r(m[1]) }))
const server: any = { request: (p: string, init: any = {}) => fetch(url + p, { ...init, headers: { "api-subscription-key": key, ...init.headers } }) }
const campaign = await createCampaign(server, {}, 1)
const path = `${campaignsPath}/${campaign}/cohorts`
const eld = async () => { child.kill("SIGUSR2"); await pause(200); return readFileSync("/tmp/exp/eld.log", "utf8").trim().split("\n").at(-1) }
const q = (a: number[], p: number) => a.sort((x, y) => x - y)[Math.min(a.length - 1, Math.floor(a.length * p))]?.toFixed(1)
const measure = async (until: () => boolean) => {
  const get: number[] = [], post: number[] = []
  while (!until()) {
    let t = performance.now(); await json(await server.request(`${campaignsPath}/${campaign}`)); get.push(performance.now() - t)
    t = performance.now(); await json(await server.request(`${path.replace("/cohorts", "")}/cohorts/stream`.replace(/$/, ""), { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ name: "s", users: [{ user_phone_number: "9876543210" }] }) }).catch(() => new Response("{}"))).catch((e) => { if (post.length === 0) console.log(String(e).slice(0, 300)) }); post.push(performance.now() - t)
    await pause(5)
  }
  return { n: get.length, get50: q(get, 0.5), get99: q(get, 0.99), getMax: q(get, 1), post50: q(post, 0.5), post99: q(post, 0.99), postMax: q(post, 1) }
}
void campaign
let stop = false
await measure((() => { let n = 0; return () => n++ > 100 })())
await eld()
setTimeout(() => stop = true, 20000)
console.log("idle", await measure(() => stop)); console.log("     ", await eld())
const form = new FormData()
form.set("name", "People")
form.set("cohort_transformation_file", new Blob([JSON.stringify(importTransformation)]), "transformation.json")
form.set("cohort_file", new Blob([importFile(rows)]), "people.csv")
let t = performance.now()
const cohort: any = await json(await server.request(`${path}/upload`, { method: "POST", body: form }))
console.log("upload", Math.round(performance.now() - t), await eld())
let over = false
t = performance.now()
const poll = (async () => { for (;;) { const c: any = await json(await server.request(`${path}/${cohort.cohort_id}`)); if (c.status !== "processing") { over = true; return c } await pause(250) } })()
console.log("import", await measure(() => over)); console.log("     ", await eld())
console.log("took", Math.round(performance.now() - t), JSON.stringify((await poll).result), readFileSync(`/proc/${child.pid}/status`, "utf8").match(/VmHWM.*/)?.[0])
child.kill("SIGTERM"); await new Promise((r) => child.once("exit", r)); folder.remove()
