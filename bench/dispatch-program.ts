import { Engine } from "@trunkline/engine"
import type { CampaignId } from "@trunkline/kernel"
import { Effect } from "effect"
import { mkdirSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { campaignOf, engineIn, type Receiver, resume, scope } from "./dispatch-engine.js"

const [, , name = "", folder = "", count = "10000", option = ""] = process.argv
const people = Number(count)

/** Highest dial rate that a campaign may have, in attempts a second. */
const fastest = 500

const firstNumber = 6_000_000_000

/** Numbers of one campaign. */
const numbersEach = 1_000_000

/** Attempts before the measurement, which warm up the program. */
const warmUp = Math.min(4_000, Math.ceil(people / 4))

const megabytes = () => Math.round(process.memoryUsage.rss() / 1_048_576)

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

/** Times of the dials of each campaign, by the position of the campaign. */
const dials: Array<Array<number>> = []
const engine = (receiver: Receiver) =>
  engineIn(folder, receiver, (to) => {
    const campaign = Math.floor((Number(to.slice("+91".length)) - firstNumber) / numbersEach)
    const times = dials[campaign] ??= []
    times.push(performance.now())
  })

/** Imports campaigns with these positions, and the given number of contacts each. */
const campaignsOf = (from: number, campaigns: number, each: number) =>
  Effect.forEach(
    Array.from({ length: campaigns }, (_, index) => from + index),
    (index) => campaignOf(each, fastest, firstNumber + index * numbersEach)
  )

/** Starts campaigns, and waits until all of them have ended. */
const runToEnd = (ids: ReadonlyArray<CampaignId>) =>
  Effect.gen(function*() {
    const { campaigns } = yield* Engine
    yield* Effect.forEach(ids, resume)
    yield* Effect.forEach(
      ids,
      (id) =>
        Effect.repeat(Effect.delay(campaigns.get(scope, id), "5 millis"), { until: ({ status }) => status === "ended" })
    )
  })

/** Attempts per second when many campaigns dial at their highest rate. */
const throughput = Effect.gen(function*() {
  const campaigns = Number(process.env["CAMPAIGNS"] ?? 40)
  const each = Math.ceil(people / campaigns)
  const ids = yield* campaignsOf(0, campaigns, each)
  yield* runToEnd(yield* campaignsOf(campaigns, campaigns, Math.ceil(warmUp / campaigns)))
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  const [started, before] = [performance.now(), process.cpuUsage()]
  yield* runToEnd(ids)
  const { system, user } = process.cpuUsage(before)
  return {
    attempts: each * campaigns,
    seconds: (performance.now() - started) / 1000,
    micros: (system + user) / (each * campaigns),
    delay: delays.percentile(99) / 1e6
  }
})

/** A dial is due one interval after the previous dial of its campaign was due or made, whichever is later. */
const latenessOf = (times: ReadonlyArray<number>) =>
  times.slice(1).map((at, index) => Math.max(0, at - (times[index] ?? at) - 1000 / fastest))

/** Lateness of dials of campaigns at their highest rate, and memory of the process meanwhile. */
const lateness = Effect.gen(function*() {
  const campaigns = Number(option)
  const ids = yield* campaignsOf(0, campaigns, people)
  const before = megabytes()
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  yield* Effect.forEach(ids, resume)
  let most = before
  const measured = Math.min(people, fastest * 20)
  while (dials.length < campaigns || dials.some((times) => times.length < measured)) {
    yield* Effect.sleep("100 millis")
    most = Math.max(most, megabytes())
  }
  const late = dials.flatMap((times) => latenessOf(times.slice(0, measured)))
  const perSecond = dials.map(([first = 0, ...later]) => (measured - 1) / (((later[measured - 2] ?? 0) - first) / 1000))
  return {
    p50: percentile(late, 0.5),
    p99: percentile(late, 0.99),
    worst: percentile(late, 1),
    perSecond: perSecond.reduce((sum, rate) => sum + rate, 0),
    before,
    most,
    loop: delays.max / 1e6
  }
})

const main = async () => {
  mkdirSync(folder, { recursive: true })
  const measured = Effect.gen(function*() {
    return name === "throughput" ? yield* throughput : yield* lateness
  })
  const receiver = name === "throughput" && option === "hangs" ? "hangs" : "accepts"
  const result = await Effect.runPromise(Effect.provide(measured, engine(receiver)))
  process.send?.(result)
}

void main().then(() => process.exit(0))
