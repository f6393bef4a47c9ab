import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, LogLevel } from "effect"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import { json } from "node:stream/consumers"
import { emptyDatabase, onPostgres, onServer } from "../../../../test/setup/Postgres.js"
import { proxyBefore } from "../../../../test/setup/Proxy.js"
import { Journal, start } from "./EngineProcesses.js"
import { createCampaign, endedPatiently, temporaryFolder } from "./SharedCampaign.js"
import { channels, lostCode, sharedEngine } from "./SharedEngine.js"

const isFull = process.env["TEST_SCALE"] === "1"
const people = 150

/** A receiver that counts the webhooks of each ended call. */
const receiver = Effect.acquireRelease(
  Effect.promise(async () => {
    const counts = new Map<string, number>()
    const server = createServer((request, response) => {
      void json(request).then((body) => {
        const id = String(Reflect.get(Object(body), "attempt_id"))
        counts.set(id, (counts.get(id) ?? 0) + 1)
        response.writeHead(204).end()
      })
    })
    await once(server.listen(0, "127.0.0.1"), "listening")
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return { url: `http://127.0.0.1:${port}/ended`, counts, server }
  }),
  ({ server }) => Effect.promise(() => new Promise((resolve) => server.close(() => resolve(undefined))))
)

const exitOf = (child: ChildProcess) =>
  Effect.promise(async () => child.exitCode ?? child.signalCode ?? (await once(child, "exit"))[0])

onPostgres(() => {
  describe.skipIf(!isFull)("four processes on one database", () => {
    it.scopedLive("lose nobody, dial no attempt twice and send every webhook, whatever is done to them", () =>
      Effect.gen(function*() {
        const proxy = yield* proxyBefore(yield* emptyDatabase)
        const folder = yield* temporaryFolder
        const journal = new Journal()
        const { counts, url } = yield* receiver
        let process = 1
        /** Starts one more process, with effects that kill it and stop it: others take over its calls. */
        const add = Effect.suspend(() => {
          const number = process += 1
          return Effect.map(start(number, folder, { database: proxy.url, journal, webhook: url }), (child) => ({
            child,
            end: (signal: "SIGKILL" | "SIGSTOP") =>
              Effect.sync(() => {
                child.kill(signal)
                journal.forget(number)
              })
          }))
        })
        const engine = yield* sharedEngine({
          database: proxy.url,
          data: `${folder}/1`,
          tell: (news) => journal.hear(1, news),
          webhook: url
        })
        const [killed, stopped, left] = [yield* add, yield* add, yield* add]
        const campaign = yield* createCampaign(engine, people)
        /** Waits until some more people have been called, or everybody. */
        const progress = (count: number) => {
          const wanted = Math.min(journal.dials.length + count, people)
          return Effect.repeat(Effect.sleep("50 millis"), { until: () => journal.dials.length >= wanted })
        }

        yield* progress(20)
        yield* killed.end("SIGKILL")
        const next = yield* add
        yield* progress(20)
        const database = new URL(proxy.url).pathname.slice(1)
        yield* Effect.promise(() =>
          onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`)
        )
        yield* progress(20)
        yield* stopped.end("SIGSTOP")
        yield* progress(20)
        proxy.close()
        yield* Effect.sleep("2 seconds")
        proxy.open()
        yield* progress(20)
        left.child.kill("SIGTERM")
        yield* next.end("SIGKILL")
        yield* add

        const contacts = yield* endedPatiently(engine, campaign)
        assert.deepInclude(contacts, { waiting: 0, calling: 0, finished: people })
        const ids = journal.dials.map(({ id }) => id)
        assert.strictEqual(new Set(ids).size, ids.length)
        assert.strictEqual(new Set(journal.dials.map(({ to }) => to)).size, ids.length)
        assert.isAtMost(journal.most, channels)
        // A process that is killed can have dialled without a word of it.
        assert.isAtLeast(ids.length, people - 3 * channels)
        yield* Effect.repeat(Effect.sleep("100 millis"), { until: () => counts.size >= people })
        assert.strictEqual(counts.size, people)
        stopped.child.kill("SIGCONT")
        assert.strictEqual(yield* exitOf(stopped.child), lostCode)
      }).pipe(Logger.withMinimumLogLevel(LogLevel.None)))
  })
})
