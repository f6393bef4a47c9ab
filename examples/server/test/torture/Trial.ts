import { type DoubleProvider, randomFrom, startDouble } from "@trunkline/carrier-http/testing"
import Database from "better-sqlite3"
import { createServer } from "node:net"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { allAttempts, createCampaign, statusOf, uploadPeople } from "../Requests.js"
import { type ServerProcess, startServer, temporaryFolder, writeBootstrap } from "../ServerProcess.js"
import { rules, usual } from "./Callees.js"
import { type Mode, partsOf, speed } from "./Modes.js"
import { judge, type Verdict, webhookOf } from "./Oracle.js"
import { startTortureReceiver } from "./Receiver.js"

/** Settings of a trial. */
export interface TrialPlan {
  readonly mode: Mode
  readonly kills: number
  readonly seed: number
  /** The bundled server. */
  readonly entry: string
  /** Called after every kill. */
  readonly onKill: (kills: number, dials: number) => void
}

/** Result of the trial. */
export interface TrialOutcome extends Verdict {
  readonly mode: Mode
  readonly kills: number
  /** Times that the server was asked to stop instead. */
  readonly stops: number
  /** From the start of a process that finds work undone until it takes requests, in ms. */
  readonly ready: ReadonlyArray<number>
  /** From then until it dials, where it was left the time. */
  readonly dialling: ReadonlyArray<number>
}

/** Number of campaigns that run at the same time, and of contacts in each. */
const [together, people] = [4, 40]
const maxChannels = 8

const environment = { TORTURE_KEY: "the-key-of-the-double", TORTURE_EVENTS: "the-secret-of-its-events" }

/** When a server is killed after it has begun to dial, in ms, where one starts within a second; later on slower machines. */
const [soonest, latest] = [5, 300]

/** Share of kills before the server dials, while it settles the attempts of its predecessor. */
const earlyShare = 0.2

/** A server that has nothing to dial for so long, in ms, is killed all the same. */
const dialTimeout = 2_000

/** Share of ends in which the server is asked to stop instead of being killed. */
const stopShare = 0.1

/** A webhook that was being sent in the moment of a kill is sent again a minute later. */
const webhookRetryMillis = 90_000

/** Kills beyond its share that the control gets to dial somebody twice: one kill alone may do no harm. */
const controlKills = 40

/** A campaign in which nothing happens at the provider's for so long, in ms, will not end. */
const campaignPatience = 60_000

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer()
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** Looks every few ms whether something is done, for so long; whether it was. */
const within = async (millis: number, isDone: () => boolean, every = 2): Promise<boolean> => {
  for (const end = Date.now() + millis; Date.now() < end; await pause(every)) {
    if (isDone()) return true
  }
  return false
}

const startWorld = async ({ entry, mode, seed }: TrialPlan) => {
  const random = randomFrom(seed)
  const folder = temporaryFolder()
  const port = await freePort()
  const receiver = await startTortureReceiver(random)
  const { dedupe, keeps, pushes } = partsOf[mode]
  const double: DoubleProvider = await startDouble({
    apiKey: environment.TORTURE_KEY,
    keeps,
    settleMillis: 100,
    rules,
    default: usual,
    secondMillis: 1000 / speed,
    idleTimeoutMillis: 2_000,
    faults: { lateMillis: 30, cutAfter: mode === "key" ? 0.02 : 0 },
    ...(pushes && {
      pushes: {
        to: `http://127.0.0.1:${port}/v1/connections/sim-1/events`,
        secret: environment.TORTURE_EVENTS,
        duplicates: 0.2,
        losses: 0.5,
        shuffleMillis: 30
      }
    }),
    seed
  })
  const bootstrap = writeBootstrap(folder.path, {
    simulator: { speed },
    // No voice is heard: nothing has to be started for one.
    speech: { kind: "openai-compatible", base_url: "http://127.0.0.1:9" },
    connections: [{
      connection_id: "sim-1",
      provider: "http",
      phone_numbers: ["+911140000001"],
      max_channels: maxChannels,
      options: {
        base_url: double.url,
        api_key_env: "TORTURE_KEY",
        events_secret_env: "TORTURE_EVENTS",
        dedupe,
        poll_seconds: 0.1
      }
    }]
  })
  const args = ["--no-demo", "--data", folder.path, "--bootstrap", bootstrap, "--port", String(port)]
  const start = () => startServer(args, { command: ["--max-semi-space-size=64", entry], environment })
  return { random, folder, receiver, double, start }
}

type World = Awaited<ReturnType<typeof startWorld>>

const newCampaign = async ({ receiver }: World, server: ServerProcess): Promise<string> => {
  const campaign = await createCampaign(server, {
    attempts_per_second: 20,
    webhook_config: { url: receiver.url, secret: receiver.secret }
  })
  await uploadPeople(server, campaign, people)
  return campaign
}

const newCampaigns = (world: World, server: ServerProcess): Promise<ReadonlyArray<string>> =>
  Promise.all(Array.from({ length: together }, () => newCampaign(world, server)))

/** Waits until a campaign has ended, or nobody is called any more. */
const untilEnded = async ({ double }: World, server: ServerProcess, campaign: string): Promise<void> => {
  let [events, since] = [0, Date.now()]
  while (await statusOf(server, campaign) !== "ended" && Date.now() - since < campaignPatience) {
    if (double.journal.entries.length > events) [events, since] = [double.journal.entries.length, Date.now()]
    await pause(200)
  }
}

/** Asks the server to stop; what is wrong with how it did. */
const stopped = async (server: ServerProcess): Promise<ReadonlyArray<string>> => {
  const code = await server.stop("SIGTERM")
  return code === 0 ? [] : [`the server ended with ${code} when it was asked to stop`]
}

/** Waits until everything is over, and looks at what there is. */
const finish = async (world: World, server: ServerProcess, mode: Mode, campaigns: ReadonlyArray<string>) => {
  const { double, folder, receiver } = world
  for (const campaign of campaigns) await untilEnded(world, server, campaign)
  const traces = []
  for (const campaign of campaigns) {
    traces.push({ people, status: await statusOf(server, campaign), attempts: await allAttempts(server, campaign) })
  }
  const ids = traces.flatMap(({ attempts }) => attempts.map(webhookOf))
  await within(webhookRetryMillis, () => ids.every((id) => receiver.received.has(id)), 200)
  const problems = await stopped(server)
  const database = new Database(join(folder.path, "trunkline.db"), { readonly: true })
  const integrity = String(database.pragma("integrity_check", { simple: true }))
  database.close()
  const verdict = judge({ mode, campaigns: traces, double, receiver, integrity, maxChannels })
  receiver.close()
  await double.close()
  folder.remove()
  return { ...verdict, problems: [...verdict.problems, ...problems] }
}

/**
 * Kills the server in the middle of campaigns as often as planned; resolves when that is done. Then the last server works
 * until everything is over, while other trials may begin.
 */
export const runTrial = async (plan: TrialPlan): Promise<{ readonly outcome: Promise<TrialOutcome> }> => {
  const { kills, mode, onKill } = plan
  const world = await startWorld(plan)
  const { double, random, start } = world
  const ready: Array<number> = []
  const dialling: Array<number> = []
  const problems: Array<string> = []
  let stops = 0
  let server = await start()
  const campaigns = [...await newCampaigns(world, server)]
  const isHarmless = () => [...double.journal.dialsByAttempt.values()].every((dials) => dials < 2)
  const goesOn = (killed: number) =>
    killed < kills || (mode === "naive" && killed < kills + controlKills && isHarmless())
  let killed = 0
  while (goesOn(killed)) {
    const statuses = await Promise.all(campaigns.slice(-together).map((campaign) => statusOf(server, campaign)))
    if (statuses.every((status) => status === "ended")) campaigns.push(...await newCampaigns(world, server))
    const before = double.journal.entries.length
    const hasDialled = () => double.journal.entries.slice(before).some(({ what }) => what === "create")
    const since = performance.now()
    if (random() > earlyShare && await within(dialTimeout, hasDialled)) dialling.push(performance.now() - since)
    const slowness = Math.max(1, (ready.at(-1) ?? 0) / 1000)
    await pause((soonest + random() * (latest - soonest)) * slowness)
    if (random() < stopShare) {
      problems.push(...await stopped(server))
      stops += 1
    } else {
      await server.stop("SIGKILL")
      killed += 1
      onKill(killed, double.journal.dialsByAttempt.size)
    }
    const started = performance.now()
    server = await start()
    ready.push(performance.now() - started)
  }
  const finishing = finish(world, server, mode, campaigns)
  const whole = (verdict: Verdict): TrialOutcome => ({
    ...verdict,
    problems: [...problems, ...verdict.problems],
    mode,
    kills: killed,
    stops,
    ready,
    dialling
  })
  return { outcome: finishing.then(whole) }
}
