import { Effect } from "effect"
import { once } from "node:events"
import { mkdirSync } from "node:fs"
import { campaignOf, engineIn, resume } from "./dispatch-engine.js"

/** Work of this process: to `lead`, with campaigns of so many people in all, to `help`, or to `import` so many rows. */
const [, , work = "", folder = "", count = "0"] = process.argv
const people = Number(count)

/** Campaigns that run at the same time, at the highest rate. */
const campaigns = 40
const fastest = 500

let dials = 0

/** Tells the parent of the dials so far, and of the CPU since the first of them, in microseconds. */
const tellDials = () => {
  const before = process.cpuUsage()
  setInterval(() => {
    const { system, user } = process.cpuUsage(before)
    process.send?.({ dials, micros: system + user })
  }, 50)
}

const asked = (event: string) =>
  Effect.promise(async () => {
    process.send?.(event)
    await once(process, "message")
  })

const lead = Effect.gen(function*() {
  const each = Math.ceil(people / campaigns)
  const ids = yield* Effect.forEach(
    Array.from({ length: campaigns }, (_, index) => index),
    (index) => campaignOf(each, fastest, 6_000_000_000 + index * 1_000_000)
  )
  yield* asked("ready")
  tellDials()
  yield* Effect.forEach(ids, resume)
  return yield* Effect.never
})

const help = Effect.gen(function*() {
  yield* asked("ready")
  tellDials()
  return yield* Effect.never
})

const importRows = Effect.gen(function*() {
  const started = performance.now()
  let most = 0
  const watch = setInterval(() => most = Math.max(most, process.memoryUsage.rss()), 50)
  yield* campaignOf(people, 1, 6_000_000_000)
  clearInterval(watch)
  process.send?.({ seconds: (performance.now() - started) / 1000, megabytes: Math.round(most / 2 ** 20) })
})

mkdirSync(folder, { recursive: true })
const engine = engineIn(folder, "hangs", () => {
  dials += 1
}, "1 second")
const works = { lead, help, import: importRows }
const program = work === "lead" || work === "help" || work === "import"
  ? works[work]
  : Effect.dieMessage("no such work")
void Effect.runPromise(Effect.provide(program, engine)).then(() => process.exit(0))
