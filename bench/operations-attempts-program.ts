import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createTrunkline } from "trunkline"

/** Attempts a second, and their CPU time in microseconds each. */
export interface AttemptFigures {
  readonly rate: number
  readonly cpu: number
}

const calls = 200

const folder = mkdtempSync(join(tmpdir(), "trunkline-attempts-"))
const isWatched = process.argv[2] === "on"
const collector = createServer((request, response) => request.resume().on("end", () => response.end("{}")))
await new Promise<void>((resolve) => void collector.listen(0, "127.0.0.1", resolve))
const address = collector.address()
const port = typeof address === "object" && address !== null ? address.port : 0

const trunkline = await createTrunkline({
  data: folder,
  limits: false,
  logLevel: "none",
  agents: [{ app_id: "reminder", first_message: "Hello {{name}}, your table is booked for tonight." }],
  lines: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"], max_channels: 1_000 }],
  simulator: { speed: 600 },
  ...(isWatched && { telemetry: { endpoint: `http://127.0.0.1:${port}`, sampling: 0.1 } })
})
const scrape = isWatched ? setInterval(() => void trunkline.metrics(), 1_000) : undefined

/** Figures of calls that are started together. */
const attempts = async (): Promise<AttemptFigures> => {
  const start = performance.now()
  const before = process.cpuUsage()
  const started = await Promise.all(
    Array.from({ length: calls }, (_, index) =>
      trunkline.calls.create({
        agent: "reminder",
        to: `+9198765${String(10_000 + index)}`,
        variables: { name: "Asha" }
      }))
  )
  await Promise.all(started.map(({ ended }) => ended))
  const { system, user } = process.cpuUsage(before)
  return { rate: (1_000 * calls) / (performance.now() - start), cpu: (system + user) / calls }
}

process.on("message", () => void attempts().then((figures) => process.send?.(figures)))
process.once("disconnect", () => {
  clearInterval(scrape)
  collector.close()
  void trunkline.close().then(() => rmSync(folder, { recursive: true, force: true }))
})
process.send?.("ready")
