import { once } from "node:events"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { Agent, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { CallHungUp, CallRejected, createTrunkline, type PlainCall, type PlainCarrier, type PlainLeg } from "trunkline"

/**
 * Makes many calls of each kind and many requests of each family, twice, and prints what the process holds after the first and
 * after the second time. Run it with `--expose-gc` and the number of each.
 */
const total = Number(process.argv[2] ?? 100)
const folder = mkdtempSync(join(tmpdir(), "trunkline-leaks-"))

const leg = (turns: Partial<PlainLeg>): PlainLeg => ({
  say: ({ text }) => Promise.resolve({ heard: text, interrupted: false }),
  listen: () => Promise.reject(new CallHungUp()),
  hangUp: () => Promise.resolve(),
  ...turns
})

let calls = 0
const call = (answered: Promise<PlainLeg>): Promise<PlainCall> =>
  Promise.resolve({ provider_call_id: `call-${++calls}`, answered, cancel: () => Promise.resolve() })

/** A call of somebody who asks for the tool, once. */
const withTools = (): Promise<PlainCall> => {
  const requests = [{ text: "Use the tool" }]
  return call(
    Promise.resolve(leg({
      listen: () => {
        const next = requests.shift()
        return next === undefined ? Promise.reject(new CallHungUp()) : Promise.resolve(next)
      }
    }))
  )
}

/** Kinds of calls, by their lines. */
const kinds: Readonly<Record<string, () => Promise<PlainCall>>> = {
  refused: () => call(Promise.reject(new CallRejected("busy"))),
  answered: () => call(Promise.resolve(leg({}))),
  broken: () => call(Promise.resolve(leg({ say: () => Promise.reject(new Error("the media died")) }))),
  tools: () => withTools(),
  interrupted: () => withTools(),
  ringing: async () => {
    let stop: (reason: Error) => void = () => undefined
    const answered = new Promise<PlainLeg>((_, reject) => {
      stop = reject
    })
    return { ...await call(answered), cancel: () => Promise.resolve(stop(new CallRejected("no_answer"))) }
  }
}

/** Tools of hung-up calls that were interrupted when their time was over. */
let interrupted = 0

const carrierOf = (place: () => Promise<PlainCall>): PlainCarrier => ({ place })

const trunkline = await createTrunkline({
  data: folder,
  limits: false,
  logLevel: "none",
  callLimits: { max_concurrent_calls: 2_000 },
  agents: [{
    app_id: "leaks",
    first_message: "Hello",
    tools: [{ name: "fail", description: "Fails.", run: () => Promise.reject(new Error("no table is free")) }]
  }, {
    app_id: "waits",
    first_message: "Hello",
    tools: [{
      name: "wait",
      description: "Goes on until it is interrupted.",
      run: (_, { attempt_id, signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            interrupted += 1
            reject(new Error("interrupted"))
          })
          void trunkline.attempts.hangUp(attempt_id)
        })
    }]
  }],
  model: {
    generate: ({ messages, tools = [] }) => {
      const tool = tools.find(({ name }) => name === "fail" || name === "wait")
      return Promise.resolve(
        tool !== undefined && messages.every(({ role }) => role !== "tool")
          ? { toolRequests: [{ id: "call_1", name: tool.name, arguments: "{}" }] }
          : "Goodbye"
      )
    }
  },
  lines: Object.entries(kinds).map(([connection_id, place], index) => ({
    connection_id,
    provider: connection_id,
    carrier: carrierOf(place),
    max_channels: 2_000,
    phone_numbers: [`+91114000000${index}`]
  }))
})
const { url } = await trunkline.listen({ port: 0, host: "127.0.0.1" })
const { key } = await trunkline.keys.create({ features: ["beta"] })
const workspace = "/v1/orgs/main/workspaces/main"
const agent = new Agent({ keepAlive: true, maxSockets: 20 })

const send = async (method: string, path: string, body?: unknown): Promise<void> => {
  const sent = request(`${url}${path}`, {
    agent,
    method,
    headers: { "api-subscription-key": key, "content-type": "application/json" }
  })
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = await once(sent, "response")
  for await (const _ of response) { /* Reads the answer to its end. */ }
}

/** A request whose client leaves at once. */
const leave = async (): Promise<void> => {
  const sent = request(`${url}/v2/chat/completions`, { method: "POST", headers: { "api-subscription-key": key } })
  sent.on("error", () => undefined)
  sent.write("{")
  await pause(1)
  sent.destroy()
}

const messages = [{ role: "user", content: "Hello" }]
const families: Readonly<Record<string, () => Promise<void>>> = {
  health: () => send("GET", "/health"),
  lists: () => send("GET", `${workspace}/campaigns`),
  invalid: () => send("POST", `${workspace}/campaigns`, { name: 1 }),
  unknown: () => send("GET", "/nothing"),
  chat: () => send("POST", "/v2/chat/completions", { model: "core-105b", messages }),
  stream: () => send("POST", "/v2/chat/completions", { model: "core-105b", messages, stream: true }),
  boards: () => send("GET", "/api/analytics/v1/main/main/boards"),
  voices: () => send("GET", "/voices"),
  aborted: leave
}

/** Runs work a number of times, some of it at a time. */
const repeat = async (times: number, work: (index: number) => Promise<unknown>, width = 50): Promise<void> => {
  let next = 0
  await Promise.all(Array.from({ length: width }, async () => {
    while (next < times) await work(next++)
  }))
}

/** Calls people who never answer, and cancels the campaign while they ring. */
const cancelRinging = async (people: number): Promise<void> => {
  const { campaign_id } = await trunkline.campaigns.create({
    name: "Ringing",
    app_config: {
      app_id: "leaks",
      app_version: 1,
      attempts_per_second: 500,
      connection_configs: [{ connection_id: "ringing", phone_numbers: ["+911140000005"] }]
    },
    start_timestamp: new Date(Date.now() - 60_000).toISOString(),
    end_timestamp: new Date(Date.now() + 86_400_000).toISOString(),
    allowed_schedule: {
      allowed_start_time: "00:00",
      allowed_end_time: "24:00",
      allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    }
  })
  const users = Array.from(
    { length: people },
    (_, index) => ({ user_phone_number: `+91987${String(index).padStart(7, "0")}` })
  )
  await trunkline.cohorts.addToCampaign(campaign_id, { name: "People", users })
  const before = calls
  while (calls < before + people) await pause(20)
  await trunkline.campaigns.updateStatus(campaign_id, { action: "cancel", cancel_ringing: true })
  while ((await trunkline.lines.list()).items.some((line) => line.calls > 0)) await pause(20)
}

const round = async (): Promise<void> => {
  for (const line of ["refused", "answered", "broken", "tools", "interrupted"]) {
    await repeat(total, async (index) => {
      const to = `+91986${String(index).padStart(7, "0")}`
      const agent = line === "interrupted" ? "waits" : "leaks"
      await (await trunkline.calls.create({ agent, line, to })).ended
      // A tool goes on after a hang-up, until its time is over.
    }, line === "interrupted" ? 1_000 : 50)
  }
  for (let remaining = total; remaining > 0; remaining -= 500) await cancelRinging(Math.min(remaining, 500))
  for (const ask of Object.values(families)) await repeat(total, ask, 20)
}

/**
 * Memory, files and handles of the process once it rests: once ten looks in a row have found no less memory and no fewer files.
 * Closes the client's own connections first; some are kept alive for later requests, and their number is the client's choice.
 */
const held = async () => {
  agent.destroy()
  let heap = Infinity
  let files = Infinity
  for (let looks = 0; looks < 10; looks++) {
    await pause(500)
    globalThis.gc?.()
    const { heapUsed } = process.memoryUsage()
    const open = readdirSync("/proc/self/fd").length
    if (heapUsed < heap - 50_000 || open < files) looks = 0
    heap = Math.min(heap, heapUsed)
    files = Math.min(files, open)
  }
  const resources: Record<string, number> = {}
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1
  return { heap, resources, files }
}

await round()
const before = await held()
await round()
const after = await held()
await trunkline.close()
rmSync(folder, { recursive: true, force: true })
console.log(JSON.stringify({ before, after, interrupted }))
