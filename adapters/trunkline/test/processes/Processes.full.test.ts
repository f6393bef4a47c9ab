import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { once } from "node:events"
import { join } from "node:path"
import { untilOnTime } from "../../../../test/setup/OnTime.js"
import { emptyDatabase, onPostgres, onServer } from "../../../../test/setup/Postgres.js"
import { Journal, start } from "./EngineProcesses.js"
import { createCampaign, ended, everybody, people, scope, temporaryFolder } from "./SharedCampaign.js"
import { channels, lostCode, sharedEngine } from "./SharedEngine.js"

/** The server ends the transactions of a stopped process after 15 seconds only: run it with TEST_SCALE=1. */
const isFull = process.env["TEST_SCALE"] === "1"

const beginning = Effect.all({
  database: emptyDatabase,
  folder: temporaryFolder,
  journal: Effect.sync(() => new Journal())
})

/** A test of processes with leases of seconds, which a machine that is late takes from them. */
const shared = <E>(name: string, test: Effect.Effect<void, E, Scope.Scope>, runs = true) =>
  it.live.skipIf(!runs)(name, (context) => untilOnTime(context, test, undefined, "4 minutes"))

onPostgres(() => {
  describe("engines on one database", () => {
    shared(
      "run a campaign together, call everybody once, and hold the limit of a trunk",
      Effect.gen(function*() {
        const { database, folder, journal } = yield* beginning
        const engineOf = (process: number) =>
          sharedEngine({ database, data: join(folder, String(process)), tell: (news) => journal.hear(process, news) })
        const [one, other] = [yield* engineOf(1), yield* engineOf(2)]
        const contacts = yield* ended(other, yield* createCampaign(one))
        assert.deepInclude(contacts, everybody)
        const numbers = journal.dials.map(({ to }) => to)
        assert.lengthOf(numbers, people)
        assert.strictEqual(new Set(numbers).size, people)
        assert.isAtMost(journal.most, channels)
        for (const process of [1, 2]) {
          assert.isAbove(journal.dials.filter((dial) => dial.process === process).length, 0)
        }
      })
    )

    shared(
      "keep the rate of a campaign, whoever has its turn",
      Effect.gen(function*() {
        const { database, folder, journal } = yield* beginning
        const [engine] = yield* Effect.forEach([1, 2], (process) =>
          sharedEngine({
            database,
            data: join(folder, String(process)),
            lines: 100,
            tell: (news) => journal.hear(process, news)
          }))
        if (engine === undefined) return assert.fail("no engine")
        const [rate, called] = [50, isFull ? 1_500 : 250]
        yield* ended(engine, yield* createCampaign(engine, called, rate))
        const rows = yield* Effect.promise(() =>
          onServer<{ readonly attempted_at: number }>("select attempted_at from attempts order by 1", database)
        )
        const times = rows.map(({ attempted_at }) => attempted_at)
        assert.lengthOf(times, called)
        const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000
        assert.isAtMost((called - 1) / seconds, rate * 1.01)
        for (const [index, at] of times.entries()) {
          assert.isAtLeast((times[index + rate + 1] ?? Infinity) - at, 1_000)
        }
        assert.isAbove(new Set(journal.dials.map(({ process }) => process)).size, 1)
      })
    )

    shared(
      "finish a campaign though each other process is killed in turn, and dial no attempt twice",
      Effect.gen(function*() {
        const { database, folder, journal } = yield* beginning
        const engine = yield* sharedEngine({
          database,
          data: join(folder, "1"),
          tell: (news) => journal.hear(1, news)
        })
        const children = yield* Effect.forEach([2, 3], (process) => start(process, folder, { database, journal }))
        const campaign = yield* createCampaign(engine)
        for (const [index, child] of children.entries()) {
          const process = index + 2
          const hasDialled = Effect.sync(() => journal.dials.some((dial) => dial.process === process))
          const isOver = Effect.map(engine.campaigns.get(scope, campaign), ({ status }) => status === "ended")
          yield* Effect.repeat(Effect.delay(Effect.all([hasDialled, isOver]), "50 millis"), {
            until: ([hasDialled, isOver]) => hasDialled || isOver
          })
          child.kill("SIGKILL")
          journal.forget(process)
        }
        const contacts = yield* ended(engine, campaign)
        assert.deepInclude(contacts, everybody)
        assert.strictEqual(new Set(journal.dials.map(({ id }) => id)).size, journal.dials.length)
        assert.strictEqual(new Set(journal.dials.map(({ to }) => to)).size, journal.dials.length)
        assert.isAtLeast(journal.dials.length, people - 2 * channels)
        assert.includeMembers([...new Set(journal.dials.map(({ process }) => process))], [1, 2, 3])
      })
    )

    shared(
      "go on without one that was stopped for longer than its lease, which then ends itself",
      Effect.gen(function*() {
        const { database, folder, journal } = yield* beginning
        const engine = yield* sharedEngine({
          database,
          data: join(folder, "1"),
          tell: (news) => journal.hear(1, news)
        })
        const child = yield* start(2, folder, { database, journal })
        const campaign = yield* createCampaign(engine)
        const hasDialled = Effect.sync(() => journal.dials.some(({ process }) => process === 2))
        yield* Effect.repeat(Effect.delay(hasDialled, "20 millis"), { until: (hasDialled) => hasDialled })
        child.kill("SIGSTOP")
        assert.deepInclude(yield* ended(engine, campaign), everybody)
        const exit = once(child, "exit")
        child.kill("SIGCONT")
        const [code] = yield* Effect.promise(() => exit)
        assert.strictEqual(code, lostCode)
        assert.strictEqual(new Set(journal.dials.map(({ id }) => id)).size, journal.dials.length)
        assert.strictEqual(new Set(journal.dials.map(({ to }) => to)).size, journal.dials.length)
      }),
      isFull
    )
  })
})
