import { createHash } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { campaignsPath, createCampaign, json } from "../Requests.js"
import { type Launch, type ServerProcess, startServer, temporaryFolder, writeBootstrap } from "../ServerProcess.js"
import { importFile, importTransformation } from "./ImportFile.js"
import { filesIn, peopleIn, storesIn } from "./ImportOutcome.js"
import { serveSlowly, type SlowFile } from "./SlowFile.js"

/** When a server is killed: while it takes or fetches the file, or once so much of its rows are kept. */
export type Kill = { readonly during: "receiving" | "reading"; readonly share: number }

/** An import and the kills that it has to survive. */
export interface Trial {
  /** Command that starts the server; by default from its source. */
  readonly command?: Launch["command"]
  readonly rows: number
  readonly source: "upload" | "url"
  readonly kills: ReadonlyArray<Kill>
}

interface Cohort {
  readonly cohort_id: string
  readonly status: string
  readonly failure_reason: string | null
  readonly progress: { readonly total_records: number } | null
  readonly result: unknown
}

/** Duration of an upload, rounded up: a server that receives one is killed at a share of it. */
const uploadMillis = 250

/** Starts an import, kills the server as often as asked, and tells how it ended; `hits` counts kills that it went on after. */
export const surviveKills = async ({ command, kills, rows, source }: Trial) => {
  const folder = temporaryFolder()
  const csv = importFile(rows)
  const web = await serveSlowly(csv, 10)
  const bootstrap = writeBootstrap(folder.path, { simulator: { speed: 1 } })
  const start = () =>
    startServer(["--no-demo", "--data", folder.path, "--bootstrap", bootstrap], command && { command })
  try {
    let server = await start()
    const campaign = await createCampaign(server, {}, 1)
    const path = `${campaignsPath}/${campaign}/cohorts`
    const send = () => source === "url" ? requestUrl(server, path, web.url) : requestUpload(server, path, csv)
    let keptCount = 0
    let hits = 0
    let requests = 0
    for (const kill of kills) {
      const sending = await only(server, path) === null ? send() : Promise.resolve()
      sending.catch(() => undefined)
      if (kill.during === "reading") keptCount = await keptRows(server, path, Math.max(keptCount, kill.share * rows))
      else if (source === "url") await fetched(web, requests, kill.share)
      else await pause(kill.share * uploadMillis)
      requests = web.requests()
      await server.stop("SIGKILL")
      server = await start()
      const found = await only(server, path)
      if (found?.status !== "completed") hits += 1
      if (found?.progress && found.progress.total_records < keptCount) throw new Error("rows that were kept are lost")
    }
    if (await only(server, path) === null) await send()
    const outcome = await importOutcome(server, path, csv)
    await server.stop("SIGTERM")
    return {
      hits,
      outcome: { ...outcome, files: filesIn(folder.path), ...await peopleIn(storesIn(folder.path), campaign) }
    }
  } finally {
    web.close()
    folder.remove()
  }
}

/** The outcome of an import, once it is over, as its routes tell it. */
export const importOutcome = async (server: ServerProcess, path: string, csv: string) => {
  const { cohort_id, failure_reason, result, status } = await ended(server, path)
  const rejected = await server.request(`${path}/${cohort_id}/files?file_type=rejected_records`)
  const original = await server.request(`${path}/${cohort_id}/files?file_type=cohort`)
  return {
    status,
    failure_reason,
    result,
    rejected: digest(await rejected.text()),
    isWhole: await original.text() === csv
  }
}

const digest = (text: string) => createHash("sha256").update(text).digest("hex")

/** Uploads a file of people. */
export const requestUpload = async (server: ServerProcess, path: string, csv: string): Promise<void> => {
  const form = new FormData()
  form.set("name", "People")
  form.set("cohort_transformation_file", new Blob([JSON.stringify(importTransformation)]), "transformation.json")
  form.set("cohort_file", new Blob([csv]), "people.csv")
  await json(await server.request(`${path}/upload`, { method: "POST", body: form }))
}

const requestUrl = async (server: ServerProcess, path: string, url: string): Promise<void> => {
  const body = JSON.stringify({ name: "People", source: { url }, cohort_transformation: importTransformation })
  await json(await server.request(path, { method: "POST", headers: { "content-type": "application/json" }, body }))
}

/** The campaign's cohort, if it was accepted. */
const only = async (server: ServerProcess, path: string): Promise<Cohort | null> => {
  const { items } = await json<{ readonly items: ReadonlyArray<Cohort> }>(await server.request(path))
  if (items.length > 1) throw new Error("there are two cohorts")
  return items[0] ?? null
}

/** Waits until one more request has been sent so much of the file, if there is to be one. */
const fetched = async (web: SlowFile, before: number, share: number): Promise<void> => {
  for (let waits = 0; waits < 200 && (web.requests() === before || web.sent() < share); waits++) await pause(5)
}

/** Waits until so many rows are kept, or all of them, and answers how many. */
const keptRows = async (server: ServerProcess, path: string, rows: number): Promise<number> => {
  for (;;) {
    const cohort = await only(server, path)
    const kept = cohort?.progress?.total_records ?? 0
    if (kept >= rows || cohort?.status === "completed") return kept
    await pause(10)
  }
}

const ended = async (server: ServerProcess, path: string): Promise<Cohort> => {
  for (;;) {
    const cohort = await only(server, path)
    if (cohort !== null && cohort.status !== "processing") return cohort
    await pause(20)
  }
}
