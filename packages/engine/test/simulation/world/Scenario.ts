import { CreateCampaign } from "@trunkline/campaigns"
import { PhoneNumber } from "@trunkline/kernel"
import { Connection } from "@trunkline/telephony"
import { Schema } from "effect"
import { type Conditions, randomConditions, reliableConditions } from "./Conditions.js"
import type { SeededRandom } from "./SeededRandom.js"

/** Campaign that is created during a run. */
export interface PlannedCampaign {
  /** Milliseconds after the start of the run. */
  readonly at: number
  readonly body: CreateCampaign
  /** Cohorts, with the milliseconds after the creation of the campaign. */
  readonly cohorts: ReadonlyArray<{ readonly after: number; readonly numbers: ReadonlyArray<PhoneNumber> }>
}

/** Crash of the engine: at the n-th pass of a point, after a number of points, or at a time. */
export type PlannedCrash =
  | { readonly _tag: "Point"; readonly name: string; readonly nth: number }
  | { readonly _tag: "Passage"; readonly total: number }
  | { readonly _tag: "Moment"; readonly after: number }

/** Action of an operator; `at` is in milliseconds after the start of the run. */
export interface PlannedAction {
  readonly at: number
  readonly action:
    | "pause"
    | "resume"
    | "cancel"
    | "edit"
    | "stop file"
    | "cohort"
    | "block"
    | "unblock"
    | "call"
    | "clock"
}

/** Plan of a run, chosen at random before it begins. */
export interface Scenario {
  /** Epoch milliseconds. */
  readonly start: number
  readonly conditions: Conditions
  readonly numbers: ReadonlyArray<PhoneNumber>
  readonly connections: ReadonlyArray<Connection>
  readonly maxConcurrentCalls: number
  readonly campaigns: ReadonlyArray<PlannedCampaign>
  readonly actions: ReadonlyArray<PlannedAction>
  /** One for each process but the last, in order. */
  readonly crashes: ReadonlyArray<PlannedCrash>
  /** Downtimes after crashes, in milliseconds. */
  readonly downtimes: ReadonlyArray<number>
  readonly receiverDown: { readonly from: number; readonly until: number }
  /** Limit of the run, in milliseconds; a correct run ends long before. */
  readonly longest: number
}

const minute = 60_000
const hour = 60 * minute

/** Longer than the longest campaign and its webhooks. */
const maxSpan = 36 * hour
const week = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const

/** A day in a time zone. */
interface Day {
  readonly timezone: string
  readonly morning: number
}

/** Days in three time zones, two of them before a change of daylight saving time. */
const days: readonly [Day, ...ReadonlyArray<Day>] = [
  { timezone: "Asia/Kolkata", morning: Date.parse("2024-05-20T04:30:00Z") },
  { timezone: "America/New_York", morning: Date.parse("2024-03-10T05:40:00Z") },
  { timezone: "Europe/London", morning: Date.parse("2024-10-26T23:50:00Z") }
]

const phone = (index: number) => PhoneNumber.make(`+9198765${String(10_000 + index)}`)

const timeIn = (timeZone: string, at: number) =>
  new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(at)

const lines = (random: SeededRandom): ReadonlyArray<Connection> =>
  ["line-1", "line-2"].map((connection_id, index) =>
    Schema.decodeUnknownSync(Connection)({
      connection_id,
      provider: "double",
      phone_numbers: [`+91114000000${index}`, `+91114000001${index}`],
      ...(random.chance(0.5) && { max_channels: random.between(1, 3) })
    })
  )

const own = (random: SeededRandom) => ({
  enabled: random.chance(0.8),
  max_retries: random.between(0, 2),
  retry_interval_minutes: random.between(1, 10)
})

const retries = (random: SeededRandom) => ({
  max_retries: random.between(0, 3),
  retry_interval_minutes: random.chance(0.5) ? random.between(1, 15) : [1, random.between(2, 10), 20],
  retry_on: {
    busy: { enabled: random.chance(0.8) },
    no_answer: { enabled: random.chance(0.8) },
    failed: { enabled: random.chance(0.5) },
    short_duration: { enabled: random.chance(0.4), threshold_seconds: 20 },
    provider_error: own(random),
    internal_error: own(random)
  }
})

const rate = (random: SeededRandom) => random.pick([0.1, 0.2, 0.5, 1, 2, 5, 30])

/** Schedule of a campaign: open at `from` or shortly after, for half an hour to four hours. */
export const scheduleOf = (random: SeededRandom, timezone: string, from: number) => {
  const opens = timeIn(timezone, from + random.pick([-hour, -hour, 0, 10 * minute]))
  const end = from + random.between(30, 240) * minute
  const closes = timeIn(timezone, end)
  return {
    allowed_start_time: opens,
    // In the hour that a change of daylight saving time repeats, both ends may have the same local time.
    allowed_end_time: closes === opens ? timeIn(timezone, end + 15 * minute) : closes,
    allowed_days: week,
    timezone
  }
}

/** Random configuration of a campaign. */
export const configOf = (random: SeededRandom, connections: ReadonlyArray<Connection>) => ({
  app_id: "collections",
  app_version: 1,
  attempts_per_second: rate(random),
  connection_configs: connections.slice(0, random.between(1, connections.length)).map((
    { connection_id, phone_numbers }
  ) => ({
    connection_id,
    phone_numbers,
    weight: random.between(1, 3)
  })),
  retry_config: random.chance(0.85) ? retries(random) : null,
  webhook_config: { url: `https://hooks.example.com/${random.between(1, 2)}` },
  phone_rotation: { agent: random.chance(0.3) }
})

const campaign = (
  random: SeededRandom,
  parts: Pick<Scenario, "connections" | "numbers" | "start"> & { readonly timezone: string }
): PlannedCampaign => {
  const at = random.between(0, 5) * minute
  const begins = parts.start + at + random.pick([-minute, -minute, 5 * minute])
  const some = () => parts.numbers.filter(() => random.chance(0.5))
  return {
    at,
    body: Schema.decodeUnknownSync(CreateCampaign)({
      name: "Reminders",
      app_config: configOf(random, parts.connections),
      start_timestamp: new Date(begins).toISOString(),
      end_timestamp: new Date(begins + random.weighted([[1, 8], [2, 8], [3, 4], [25, 1]]) * hour).toISOString(),
      allowed_schedule: scheduleOf(random, parts.timezone, begins)
    }),
    cohorts: [some(), ...(random.chance(0.4) ? [some()] : [])].map((numbers) => ({
      after: random.between(0, 20) * 10_000,
      numbers
    }))
  }
}

/** Point that few runs pass, so that more crashes must be planned there. */
const rareFault = "withdraw.kept"

const crash = (random: SeededRandom, points: ReadonlyArray<string>): PlannedCrash => {
  const [first = "claim.kept", ...rest] = points
  switch (random.pick(["Point", "Point", "Rare", "Passage", "Moment"])) {
    case "Point":
      return { _tag: "Point", name: random.pick([first, ...rest]), nth: random.pick([1, 1, 1, 2, 3, 6]) }
    case "Rare":
      return { _tag: "Point", name: rareFault, nth: 1 }
    case "Passage":
      return { _tag: "Passage", total: random.between(1, 300) }
    default:
      return { _tag: "Moment", after: random.between(100, 20 * minute) }
  }
}

const randomActions = (random: SeededRandom): ReadonlyArray<PlannedAction> =>
  Array.from({ length: random.between(0, 8) }, (): PlannedAction => ({
    at: random.between(1, 60 * 60) * 1000,
    action: random.weighted([
      ["pause", 3],
      ["resume", 4],
      ["edit", 4],
      ["cancel", 1],
      ["stop file", 2],
      ["cohort", 2],
      ["block", 2],
      ["unblock", 1],
      ["call", 3],
      ["clock", 1]
    ])
  })).toSorted((a, b) => a.at - b.at)

/** Random scenario. `points` are the fault points of the engine. */
export const scenarioOf = (random: SeededRandom, points: ReadonlyArray<string>): Scenario => {
  const { morning: start, timezone } = random.pick(days)
  const numbers = Array.from({ length: random.between(3, 10) }, (_, index) => phone(index))
  const connections = lines(random)
  const crashes = Array.from(
    { length: random.weighted([[0, 1], [1, 3], [2, 3], [3, 2], [5, 1]]) },
    () => crash(random, points)
  )
  const down = random.chance(0.5) ? random.between(0, 30) * minute : -1
  return {
    start,
    conditions: randomConditions(random),
    numbers,
    connections,
    maxConcurrentCalls: random.between(1, 5),
    campaigns: Array.from(
      { length: random.pick([1, 1, 2, 3]) },
      () => campaign(random, { connections, numbers, start, timezone })
    ),
    actions: randomActions(random),
    crashes,
    downtimes: crashes.map(() => random.pick([100, 3_000, 20_000, 90_000, 400_000])),
    receiverDown: { from: down, until: down + random.between(1, 40) * minute },
    longest: maxSpan
  }
}

/** Small campaign with every kind of event, and an optional crash. */
export const smallScenario = (
  random: SeededRandom,
  dedupe: Conditions["dedupe"],
  crash: PlannedCrash | null
): Scenario => {
  const { morning: start, timezone } = days[0]
  const numbers = Array.from({ length: 4 }, (_, index) => phone(index))
  const connections = lines(random)
  return {
    start,
    conditions: reliableConditions(dedupe),
    numbers,
    connections,
    maxConcurrentCalls: 2,
    campaigns: [campaign(random, { connections, numbers, start, timezone })],
    actions: [{ at: 30_000, action: "call" }, { at: 40_000, action: "pause" }, { at: 50_000, action: "resume" }],
    crashes: crash === null ? [] : [crash],
    downtimes: [5_000],
    receiverDown: { from: -1, until: -1 },
    longest: maxSpan
  }
}
