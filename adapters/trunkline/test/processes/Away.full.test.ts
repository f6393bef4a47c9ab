import { assert, describe, it } from "@effect/vitest"
import { StoreUnavailable } from "@trunkline/kernel"
import { Cause, Effect, Exit } from "effect"
import { join } from "node:path"
import { untilOnTime } from "../../../../test/setup/OnTime.js"
import { canStartServers, emptyDatabase, onPostgres, onServer, privateServer } from "../../../../test/setup/Postgres.js"
import { proxyBefore } from "../../../../test/setup/Proxy.js"
import { Journal } from "./EngineProcesses.js"
import { createCampaign, ended, everybody, people, scope, temporaryFolder } from "./SharedCampaign.js"
import { channels, sharedEngine } from "./SharedEngine.js"

/** Processes that share the database, and how many of them have ended since the others took over their work. */
const shared = (count: number, server?: string) =>
  Effect.gen(function*() {
    const database = server ?? (yield* emptyDatabase)
    const proxy = yield* proxyBefore(database)
    const folder = yield* temporaryFolder
    const journal = new Journal()
    const lost: Array<number> = []
    const engines = yield* Effect.forEach(Array.from({ length: count }, (_, index) => index), (process) =>
      sharedEngine({
        database: proxy.url,
        data: join(folder, String(process)),
        tell: (news) => journal.hear(process, news),
        onLost: () => Effect.sync(() => void lost.push(process))
      }))
    // Engines store the results of their calls before they stop.
    yield* Effect.addFinalizer(() => Effect.sync(proxy.open))
    const [engine] = engines
    if (engine === undefined) return yield* Effect.dieMessage("There is no engine")
    return { database, engine, journal, lost, proxy }
  })

const until = (condition: () => boolean) =>
  Effect.repeat(Effect.delay(Effect.sync(condition), "10 millis"), { until: (holds) => holds })

const assertOnce = ({ dials, most }: Journal) => {
  assert.lengthOf(dials, people)
  assert.strictEqual(new Set(dials.map(({ id }) => id)).size, people)
  assert.strictEqual(new Set(dials.map(({ to }) => to)).size, people)
  assert.isAtMost(most, channels)
}

/** Slow tests run with TEST_SCALE=1 only. */
const isFull = process.env["TEST_SCALE"] === "1"

/** Times for which the database is away: less than a lease, and longer than one in the full form. */
const times = isFull ? ["1 second", "5 seconds"] as const : ["1 second"] as const

onPostgres(() => {
  describe("while the database is away", () => {
    for (const time of times) {
      it.live(
        `for ${time}, nothing new is dialled, and calls are ended once it is back, each once`,
        (context) =>
          Effect.gen(function*() {
            const { engine, journal, lost, proxy } = yield* shared(2)
            const campaign = yield* createCampaign(engine)
            yield* until(() => journal.dials.length >= channels)
            proxy.close()
            const refused = yield* Effect.exit(engine.campaigns.get(scope, campaign))
            assert.isTrue(Exit.isFailure(refused) && Cause.squash(refused.cause) instanceof StoreUnavailable)
            // Calls that were claimed before are dialled and over by then.
            yield* Effect.sleep("700 millis")
            const dialled = journal.dials.length
            yield* Effect.sleep(time)
            assert.strictEqual(journal.dials.length, dialled)
            assert.isBelow(dialled, people)
            proxy.open()
            assert.deepInclude(yield* ended(engine, campaign), everybody)
            assertOnce(journal)
            assert.deepStrictEqual(lost, [])
          }).pipe((test) => untilOnTime(context, test, undefined, "4 minutes"))
      )
    }
  })

  it.scopedLive.skipIf(!isFull)(
    "four processes lose no one and call nobody twice, though all connections break again and again",
    () =>
      Effect.gen(function*() {
        const { database, engine, journal, lost, proxy } = yield* shared(4)
        const name = new URL(database).pathname.slice(1)
        const campaign = yield* createCampaign(engine)
        let breaks = 0
        const breaking = Effect.gen(function*() {
          yield* until(() => journal.dials.length > breaks * 4)
          breaks += 1
          if (breaks % 2 === 0) return proxy.cut()
          yield* Effect.promise(() =>
            onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
          )
        })
        yield* Effect.forkScoped(Effect.forever(breaking))
        const isOver = engine.campaigns.get(scope, campaign).pipe(
          Effect.map(({ status }) => status === "ended"),
          Effect.catchAllDefect(() => Effect.succeed(false))
        )
        yield* Effect.repeat(Effect.delay(isOver, "100 millis"), { until: (isOver) => isOver })
        assert.deepInclude(yield* ended(engine, campaign), everybody)
        assertOnce(journal)
        assert.isAbove(breaks, 5)
        assert.deepStrictEqual(lost, [])
      })
  )

  it.scopedLive.skipIf(!isFull || !canStartServers)(
    "four processes lose no one and call nobody twice, though the server crashes, once for longer than a lease",
    () =>
      Effect.gen(function*() {
        const server = yield* privateServer
        const { engine, journal, lost } = yield* shared(4, server.url)
        const campaign = yield* createCampaign(engine)
        for (const time of ["0 seconds", "5 seconds", "0 seconds", "1 second"] as const) {
          const before = journal.dials.length
          yield* until(() => journal.dials.length > before + 2)
          yield* server.crash
          yield* Effect.sleep(time)
          yield* server.start
        }
        const ending = ended(engine, campaign).pipe(Effect.sandbox, Effect.retry({ times: 100 }))
        assert.deepInclude(yield* ending, everybody)
        assertOnce(journal)
        assert.deepStrictEqual(lost, [])
      })
  )
})
