import { createClient } from "@trunkline/client"
import Database from "better-sqlite3"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { createTrunkline, type TrunklineOptions } from "trunkline"

/** Figures of operations. */
export interface OperationFigures {
  /** CPU time of a request in microseconds, through `fetch` and through the client. */
  readonly requests: { readonly fetch: number; readonly client: number }
  /** 99th percentile of requests in milliseconds, idle and while a backup is made, and its seconds. */
  readonly backup: { readonly idle: number; readonly busy: number; readonly seconds: number }
}

const folder = mkdtempSync(join(tmpdir(), "trunkline-operations-"))

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const engineIn = (data: string, further: Partial<TrunklineOptions> = {}) =>
  createTrunkline({
    data: join(folder, data),
    limits: false,
    logLevel: "none",
    agents: [{ app_id: "reminder", first_message: "Hello {{name}}, your table is booked for tonight." }],
    lines: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"], max_channels: 1_000 }],
    simulator: { speed: 600 },
    ...further
  })

const measureRequests = async (): Promise<OperationFigures["requests"]> => {
  const trunkline = await engineIn("requests")
  const { url } = await trunkline.listen({ port: 0, host: "127.0.0.1" })
  const { key } = await trunkline.keys.create()
  const client = createClient({ baseUrl: url, apiKey: key })
  const plain = async () => {
    const response = await fetch(`${url}/v1/orgs/main/workspaces/main/campaigns?limit=10`, {
      headers: { "api-subscription-key": key }
    })
    return response.json()
  }
  const ways = { fetch: plain, client: async () => client.campaigns.list({ limit: 10 }) }
  const figures: { readonly fetch: Array<number>; readonly client: Array<number> } = { fetch: [], client: [] }
  for (let round = -1; round < 15; round++) {
    for (const name of ["fetch", "client"] as const) {
      const before = process.cpuUsage()
      for (let request = 0; request < 300; request++) await ways[name]()
      const { system, user } = process.cpuUsage(before)
      if (round >= 0) figures[name].push((system + user) / 300)
    }
  }
  await trunkline.close()
  return { fetch: median(figures.fetch), client: median(figures.client) }
}

const facts = 1_000_000

/** Writes many facts into the database of an engine that is closed. */
const fillFacts = (data: string): void => {
  const database = new Database(join(folder, data, "trunkline.db"))
  const insert = database.prepare(
    "insert into facts (org_id, workspace_id, attempt_id, user_identifier, body) values ('main', 'other', ?, ?, ?)"
  )
  const body = JSON.stringify({ v2v_connectivity_status: "connected", audio_duration: 22, notes: "x".repeat(300) })
  database.transaction(() => {
    for (let index = 0; index < facts; index++) insert.run(`attempt-${index}`, `person-${index}`, body)
  })()
  database.close()
}

/** 99th percentile in milliseconds of requests at a steady rate, until the work is done. */
const p99While = async (ask: () => Promise<unknown>, work: Promise<unknown>): Promise<number> => {
  const times: Array<number> = []
  const waiting: Array<Promise<void>> = []
  let isDone = false
  void work.then(() => {
    isDone = true
  })
  while (!isDone) {
    const start = performance.now()
    waiting.push(ask().then(() => void times.push(performance.now() - start)))
    await pause(5)
  }
  await Promise.all(waiting)
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
}

const measureBackup = async (): Promise<OperationFigures["backup"]> => {
  await (await engineIn("facts")).close()
  fillFacts("facts")
  const trunkline = await engineIn("facts", { simulator: {} })
  const { url } = await trunkline.listen({ port: 0, host: "127.0.0.1" })
  const { key } = await trunkline.keys.create()
  const client = createClient({ baseUrl: url, apiKey: key })
  const ask = () => client.campaigns.list({ limit: 10 })
  await p99While(async () => ask(), pause(2_000))
  const idle = await p99While(async () => ask(), pause(5_000))
  const start = performance.now()
  const busy = await p99While(async () => ask(), trunkline.backup({ to: join(folder, "backup") }))
  const seconds = (performance.now() - start) / 1_000
  await trunkline.close()
  return { idle, busy, seconds }
}

const figures: OperationFigures = {
  requests: await measureRequests(),
  backup: await measureBackup()
}
rmSync(folder, { recursive: true, force: true })
process.send?.(figures)
process.disconnect?.()
