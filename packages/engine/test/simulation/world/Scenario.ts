import { CreateCampaign } from "@trunkline/campaigns"
import { PhoneNumber } from "@trunkline/kernel"
import { Connection } from "@trunkline/telephony"
import { Schema } from "effect"
import type { Dice } from "./Dice.js"
import { fairWeather, type Weather, weatherOf } from "./Weather.js"

/** A campaign that is created in the course of a run. */
export interface PlannedCampaign {
  /** Milliseconds after the run has begun. */
  readonly at: number
  readonly body: CreateCampaign
  /** Cohorts: who, and when after the campaign's creation. */
  readonly cohorts: ReadonlyArray<{ readonly after: number; readonly numbers: ReadonlyArray<PhoneNumber> }>
}

/** Where the engine dies: behind the n-th passage of a point, behind so many passages of any, or at a moment. */
export type PlannedCrash =
  | { readonly _tag: "Point"; readonly name: string; readonly nth: number }
  | { readonly _tag: "Passage"; readonly total: number }
  | { readonly _tag: "Moment"; readonly after: number }

/** What an operator does, milliseconds after the run has begun. */
export interface PlannedDeed {
  readonly at: number
  readonly deed:
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

/** All that chance decides of a run before it begins. */
export interface Scenario {
  /** Epoch milliseconds. */
  readonly start: number
  readonly weather: Weather
  readonly numbers: ReadonlyArray<PhoneNumber>
  readonly connections: ReadonlyArray<Connection>
  readonly maxConcurrentCalls: number
  readonly campaigns: ReadonlyArray<PlannedCampaign>
  readonly deeds: ReadonlyArray<PlannedDeed>
  /** One for each life but the last, in order. */
  readonly crashes: ReadonlyArray<PlannedCrash>
  /** How long the engine stays down, in milliseconds. */
  readonly downtimes: ReadonlyArray<number>
  readonly receiverDown: { readonly from: number; readonly until: number }
  /** When whatever still goes on is left alone, in milliseconds: a good run is over long before. */
  readonly longest: number
}

const minute = 60_000
const hour = 60 * minute

/** Longer than the longest campaign, and the webhooks after it. */
const LONGEST = 36 * hour
const week = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const

/** A day, and when it begins there. */
interface Day {
  readonly timezone: string
  readonly morning: number
}

/** Days in three zones; two of them change their clocks in the night that follows. */
const days: readonly [Day, ...ReadonlyArray<Day>] = [
  { timezone: "Asia/Kolkata", morning: Date.parse("2024-05-20T04:30:00Z") },
  { timezone: "America/New_York", morning: Date.parse("2024-03-10T05:40:00Z") },
  { timezone: "Europe/London", morning: Date.parse("2024-10-26T23:50:00Z") }
]

const phone = (index: number) => PhoneNumber.make(`+9198765${String(10_000 + index)}`)

const timeIn = (timeZone: string, at: number) =>
  new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(at)

const lines = (dice: Dice): ReadonlyArray<Connection> =>
  ["line-1", "line-2"].map((connection_id, index) =>
    Schema.decodeUnknownSync(Connection)({
      connection_id,
      provider: "double",
      phone_numbers: [`+91114000000${index}`, `+91114000001${index}`],
      ...(dice.often(0.5) && { max_channels: dice.between(1, 3) })
    })
  )

const own = (dice: Dice) => ({
  enabled: dice.often(0.8),
  max_retries: dice.between(0, 2),
  retry_interval_minutes: dice.between(1, 10)
})

const retries = (dice: Dice) => ({
  max_retries: dice.between(0, 3),
  retry_interval_minutes: dice.often(0.5) ? dice.between(1, 15) : [1, dice.between(2, 10), 20],
  retry_on: {
    busy: { enabled: dice.often(0.8) },
    no_answer: { enabled: dice.often(0.8) },
    failed: { enabled: dice.often(0.5) },
    short_duration: { enabled: dice.often(0.4), threshold_seconds: 20 },
    provider_error: own(dice),
    internal_error: own(dice)
  }
})

const rate = (dice: Dice) => dice.of([0.1, 0.2, 0.5, 1, 2, 5, 30])

/** The hours of a campaign: open at `from` or a little later, for half an hour to four hours. */
export const scheduleOf = (dice: Dice, timezone: string, from: number) => {
  const opens = timeIn(timezone, from + dice.of([-hour, -hour, 0, 10 * minute]))
  const end = from + dice.between(30, 240) * minute
  const closes = timeIn(timezone, end)
  return {
    allowed_start_time: opens,
    // In the hour that a change of the clocks repeats, two moments have one time; a window needs two.
    allowed_end_time: closes === opens ? timeIn(timezone, end + 15 * minute) : closes,
    allowed_days: week,
    timezone
  }
}

/** The configuration of a campaign. */
export const configOf = (dice: Dice, connections: ReadonlyArray<Connection>) => ({
  app_id: "collections",
  app_version: 1,
  attempts_per_second: rate(dice),
  connection_configs: connections.slice(0, dice.between(1, connections.length)).map((
    { connection_id, phone_numbers }
  ) => ({
    connection_id,
    phone_numbers,
    weight: dice.between(1, 3)
  })),
  retry_config: dice.often(0.85) ? retries(dice) : null,
  webhook_config: { url: `https://hooks.example.com/${dice.between(1, 2)}` },
  phone_rotation: { agent: dice.often(0.3) }
})

const campaign = (
  dice: Dice,
  parts: Pick<Scenario, "connections" | "numbers" | "start"> & { readonly timezone: string }
): PlannedCampaign => {
  const at = dice.between(0, 5) * minute
  const begins = parts.start + at + dice.of([-minute, -minute, 5 * minute])
  const some = () => parts.numbers.filter(() => dice.often(0.5))
  return {
    at,
    body: Schema.decodeUnknownSync(CreateCampaign)({
      name: "Reminders",
      app_config: configOf(dice, parts.connections),
      start_timestamp: new Date(begins).toISOString(),
      end_timestamp: new Date(begins + dice.weighted([[1, 8], [2, 8], [3, 4], [25, 1]]) * hour).toISOString(),
      allowed_schedule: scheduleOf(dice, parts.timezone, begins)
    }),
    cohorts: [some(), ...(dice.often(0.4) ? [some()] : [])].map((numbers) => ({
      after: dice.between(0, 20) * 10_000,
      numbers
    }))
  }
}

/** A point that few runs pass, so that more of them have to be meant to end there. */
const RARE = "withdraw.kept"

const crash = (dice: Dice, points: ReadonlyArray<string>): PlannedCrash => {
  const [first = "claim.kept", ...rest] = points
  switch (dice.of(["Point", "Point", "Rare", "Passage", "Moment"])) {
    case "Point":
      return { _tag: "Point", name: dice.of([first, ...rest]), nth: dice.of([1, 1, 1, 2, 3, 6]) }
    case "Rare":
      return { _tag: "Point", name: RARE, nth: 1 }
    case "Passage":
      return { _tag: "Passage", total: dice.between(1, 300) }
    default:
      return { _tag: "Moment", after: dice.between(100, 20 * minute) }
  }
}

const deedsOf = (dice: Dice): ReadonlyArray<PlannedDeed> =>
  Array.from({ length: dice.between(0, 8) }, (): PlannedDeed => ({
    at: dice.between(1, 60 * 60) * 1000,
    deed: dice.weighted([
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

/** A run by chance. `points` are the fault points that there are. */
export const scenarioOf = (dice: Dice, points: ReadonlyArray<string>): Scenario => {
  const { morning: start, timezone } = dice.of(days)
  const numbers = Array.from({ length: dice.between(3, 10) }, (_, index) => phone(index))
  const connections = lines(dice)
  const crashes = Array.from(
    { length: dice.weighted([[0, 1], [1, 3], [2, 3], [3, 2], [5, 1]]) },
    () => crash(dice, points)
  )
  const down = dice.often(0.5) ? dice.between(0, 30) * minute : -1
  return {
    start,
    weather: weatherOf(dice),
    numbers,
    connections,
    maxConcurrentCalls: dice.between(1, 5),
    campaigns: Array.from(
      { length: dice.of([1, 1, 2, 3]) },
      () => campaign(dice, { connections, numbers, start, timezone })
    ),
    deeds: deedsOf(dice),
    crashes,
    downtimes: crashes.map(() => dice.of([100, 3_000, 20_000, 90_000, 400_000])),
    receiverDown: { from: down, until: down + dice.between(1, 40) * minute },
    longest: LONGEST
  }
}

/** A little campaign in which everything happens that can, and that crashes where it is told. */
export const littleScenario = (dice: Dice, dedupe: Weather["dedupe"], crash: PlannedCrash | null): Scenario => {
  const { morning: start, timezone } = days[0]
  const numbers = Array.from({ length: 4 }, (_, index) => phone(index))
  const connections = lines(dice)
  return {
    start,
    weather: fairWeather(dedupe),
    numbers,
    connections,
    maxConcurrentCalls: 2,
    campaigns: [campaign(dice, { connections, numbers, start, timezone })],
    deeds: [{ at: 30_000, deed: "call" }, { at: 40_000, deed: "pause" }, { at: 50_000, deed: "resume" }],
    crashes: crash === null ? [] : [crash],
    downtimes: [5_000],
    receiverDown: { from: -1, until: -1 },
    longest: LONGEST
  }
}
