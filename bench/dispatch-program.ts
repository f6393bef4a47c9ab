import { Engine } from "@trunkline/engine"
import { Effect } from "effect"
import { mkdirSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { campaignOf, engineIn, resume, scope } from "./dispatch-engine.js"

const [, , name = "", folder = "", count = "10000"] = process.argv
const people = Number(count)

/** Highest dial rate that a campaign may have, in attempts a second. */
const fastest = 500

const megabytes = () => Math.round(process.memoryUsage.rss() / 1_048_576)

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

const ended = (of: number) =>
  Effect.repeat(
    Effect.delay(Effect.sync(() => dials.length), "20 millis"),
    { until: (dialled) => dialled >= of }
  )

const dials: Array<number> = []
const engine = () => engineIn(folder, () => dials.push(performance.now()))

/** Attempts per second when many campaigns dial at their highest rate. */
const throughput = Effect.gen(function*() {
  const campaigns = Number(process.env["CAMPAIGNS"] ?? 40)
  const each = Math.ceil(people / campaigns)
  const ids = yield* Effect.forEach(
    Array.from({ length: campaigns }, (_, index) => index),
    (index) => campaignOf(each, fastest, 6_000_000_000 + index * 1_000_000)
  )
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  const [started, before] = [performance.now(), process.cpuUsage()]
  yield* Effect.forEach(ids, resume)
  yield* ended(each * campaigns)
  const { campaigns: service } = yield* Engine
  yield* Effect.forEach(
    ids,
    (id) =>
      Effect.repeat(Effect.delay(service.get(scope, id), "5 millis"), { until: ({ status }) => status === "ended" })
  )
  const { system, user } = process.cpuUsage(before)
  return {
    attempts: each * campaigns,
    seconds: (performance.now() - started) / 1000,
    micros: (system + user) / (each * campaigns),
    delay: delays.percentile(99) / 1e6
  }
})

/** Lateness of dials of one campaign at its highest rate, and memory of the process meanwhile. */
const lateness = Effect.gen(function*() {
  const id = yield* campaignOf(people, fastest, 6_000_000_000)
  const before = megabytes()
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  yield* resume(id)
  let most = before
  const measured = Math.min(people, fastest * 20)
  while (dials.length < measured) {
    yield* Effect.sleep("100 millis")
    most = Math.max(most, megabytes())
  }
  const beat = 1000 / fastest
  // A dial is due one interval after the previous dial was due or made, whichever is later.
  const late = dials.slice(1, measured).map((at, index) => Math.max(0, at - (dials[index] ?? at) - beat))
  const [first = 0] = dials
  const last = dials[measured - 1] ?? 0
  return {
    p50: percentile(late, 0.5),
    p99: percentile(late, 0.99),
    worst: percentile(late, 1),
    perSecond: (measured - 1) / ((last - first) / 1000),
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
  const result = await Effect.runPromise(Effect.provide(measured, engine()))
  process.send?.(result)
}

void main().then(() => process.exit(0))
