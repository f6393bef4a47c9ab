import { ContactStore } from "@trunkline/campaigns"
import { CampaignId } from "@trunkline/kernel"
import { StoragePostgres } from "@trunkline/storage-postgres"
import { Effect } from "effect"
import { once } from "node:events"
import pg from "pg"
import { carryOut, contactOf } from "./queues-cycle.js"
import { forgetJobs, queues } from "./queues-peers.js"
import { writeAttempt } from "./queues-rows.js"

/** Work of this process: `prepare` or `forget` for all, else to carry out attempts until it is told to stop. */
const [, , work = "", contender = "", url = "", count = "0", index = "0", processes = "1"] = process.argv
const attempts = Number(count)

/** Batches that a process of ours has in progress. */
const lanes = 6

const laneOf = (process: number | string, lane: number) => CampaignId.make(`camp-${process}-${lane}`)

const enrol = (campaign_id: CampaignId, first: number, contacts: number) =>
  Effect.flatMap(ContactStore, ({ enrol }) =>
    Effect.forEach(
      Array.from({ length: Math.ceil(contacts / 500) }, (_, chunk) => chunk * 500),
      (from) =>
        enrol(
          campaign_id,
          Array.from(
            { length: Math.min(500, contacts - from) },
            (_, index) => contactOf(campaign_id, first + from + index)
          ),
          { completed_seq: 1, row: from + 1 }
        ),
      { discard: true }
    ))

/** Makes the tables, and the contacts of each lane of ours, or the jobs of a peer. */
const prepare = async () => {
  const each = Math.ceil(attempts / (Number(processes) * lanes))
  const contacts = contender === "ours"
    ? Effect.forEach(
      Array.from({ length: Number(processes) * lanes }, (_, index) => index),
      (index) => enrol(laneOf(Math.floor(index / lanes), index % lanes), index * each, each)
    )
    : enrol(CampaignId.make("camp-peer"), 0, attempts)
  await Effect.runPromise(Effect.provide(contacts, StoragePostgres.layer({ url })))
  await queues[contender]?.add(url, attempts)
}

let done = 0

/** Carries out the attempts of the lanes of this process. */
const runOurs = Effect.gen(function*() {
  yield* Effect.promise(async () => {
    process.send?.("ready")
    await once(process, "message")
  })
  const lane = (campaign_id: CampaignId) =>
    Effect.repeat(
      Effect.tap(carryOut(campaign_id), (carried) =>
        Effect.sync(() => {
          done += carried
        })),
      { until: (carried) => carried === 0 }
    )
  yield* Effect.forEach(
    Array.from({ length: lanes }, (_, lane) => laneOf(index, lane)),
    lane,
    { concurrency: "unbounded" }
  )
  return yield* Effect.never
})

const runPeer = async () => {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  await Promise.all(Array.from({ length: 10 }, () => pool.query("select pg_sleep(0.01)")))
  process.send?.("ready")
  await once(process, "message")
  await queues[contender]?.work(url, async (job) => {
    if (work === "cycle") {
      await writeAttempt(pool, job).catch((error: unknown) => {
        console.error(error)
        process.exit(1)
      })
    }
    done += 1
  })
}

const main = async () => {
  if (work === "prepare") return prepare()
  if (work === "forget") return forgetJobs(url)
  let last = 0
  let before: NodeJS.CpuUsage | undefined
  process.once("message", () => before = process.cpuUsage())
  setInterval(() => {
    if (done === last) return
    last = done
    const { system, user } = process.cpuUsage(before)
    process.send?.({ done, micros: system + user })
  }, 20)
  return contender === "ours"
    ? Effect.runPromise(Effect.provide(runOurs, StoragePostgres.layer({ url })))
    : runPeer()
}

void main().then(() => work === "prepare" || work === "forget" ? process.exit(0) : undefined)
