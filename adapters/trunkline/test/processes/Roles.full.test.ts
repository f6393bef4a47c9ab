import { assert, describe, it } from "@effect/vitest"
import type { Engine, Role } from "@trunkline/engine"
import { NotServedHere } from "@trunkline/errors"
import { Cause, Effect, Exit, Fiber } from "effect"
import { fork } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { json } from "node:stream/consumers"
import { bundled } from "../../../../test/programs/Programs.js"
import { emptyDatabase, onPostgres } from "../../../../test/setup/Postgres.js"
import { createCampaign, ended, everybody, outboundBody, scope, temporaryFolder } from "./SharedCampaign.js"
import { type CallNews, sharedEngine } from "./SharedEngine.js"

const people = 8

/** Numbers of ended calls that a webhook has told of, in the order in which they came. */
const receiver = Effect.acquireRelease(
  Effect.promise(async () => {
    const attempts: Array<string> = []
    const server = createServer((request, response) => {
      void json(request).then((body) => {
        attempts.push(String(Reflect.get(Object(body), "attempt_id")))
        response.writeHead(204).end()
      })
    })
    await once(server.listen(0, "127.0.0.1"), "listening")
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return { url: `http://127.0.0.1:${port}/ended`, attempts, server }
  }),
  ({ server }) => Effect.promise(() => new Promise((resolve) => server.close(() => resolve(undefined))))
)

const until = (isSo: Effect.Effect<boolean>) =>
  Effect.repeat(Effect.delay(isSo, "50 millis"), { until: (isSo) => isSo })

/** Number of calls on the boards of an engine. */
const counted = ({ runs }: typeof Engine.Service) =>
  Effect.map(
    Effect.orDie(runs.preview(scope, { sql: "SELECT count(*) AS calls FROM EngagementFactsBoardsView" })),
    ({ rows }) => rows[0]?.[0]
  )

/** The defect of a query of boards. */
const refusal = (engine: typeof Engine.Service) =>
  Effect.map(Effect.exit(counted(engine)), (exit) => Exit.isFailure(exit) ? Cause.squash(exit.cause) : exit.value)

const actor = { type: "api_key", id: "tests" } as const

onPostgres(() => {
  describe("processes with roles", () => {
    it.scopedLive("do together what one of them accepts: import, dial, deliver each webhook once, fill boards", () =>
      Effect.gen(function*() {
        const database = yield* emptyDatabase
        const folder = yield* temporaryFolder
        const { attempts, url } = yield* receiver
        const dials: Array<{ readonly name: string; readonly to: string }> = []
        const engineOf = (name: string, roles: ReadonlyArray<Role>) =>
          sharedEngine({
            database,
            data: join(folder, name),
            roles,
            webhook: url,
            tell: (news) => void (news._tag === "Dialled" && dials.push({ name, to: news.to }))
          })
        const api = yield* engineOf("api", ["api"])
        yield* engineOf("dial", ["dial"])
        const others = yield* engineOf("others", ["webhooks", "boards", "imports"])

        const campaign = yield* createCampaign(api, people)
        const { attempt_id } = { attempt_id: yield* api.outbounds.start(scope, outboundBody) }
        assert.deepInclude(yield* ended(api, campaign), { ...everybody, finished: people })
        const calls = people + 1
        yield* until(Effect.sync(() => attempts.length >= calls))
        assert.lengthOf(new Set(attempts), calls)
        assert.lengthOf(attempts, calls)
        assert.include(attempts, attempt_id)
        assert.lengthOf(dials, calls)
        assert.deepStrictEqual([...new Set(dials.map(({ name }) => name))], ["dial"])
        assert.strictEqual(dials.filter(({ to }) => to === "+919000000001").length, 1)

        yield* until(Effect.map(counted(others), (count) => count === calls))
        const refused = yield* refusal(api)
        assert.instanceOf(refused, NotServedHere)
        assert.include(String(refused), "Send the request to a process with the role boards")
        assert.deepStrictEqual((yield* api.health).roles, ["api"])
        assert.isFalse(existsSync(join(folder, "api", "warehouse")))
      }))

    it.scopedLive("let boards be edited where there is no warehouse, and check their SQL", () =>
      Effect.gen(function*() {
        const database = yield* emptyDatabase
        const folder = yield* temporaryFolder
        const stale = join(folder, "api", "warehouse")
        mkdirSync(stale, { recursive: true })
        writeFileSync(join(stale, "facts.db"), "what was on boards before")
        const api = yield* sharedEngine({
          database,
          data: join(folder, "api"),
          roles: ["api", "dial", "webhooks", "imports"],
          tell: () => undefined
        })
        assert.isFalse(existsSync(stale))
        const { id } = yield* api.boards.create(scope, { name: "Calls", tag: null }, actor)
        const widget = (sql: string) =>
          api.boards.createWidget(scope, id, {
            tab_id: null,
            name: "Calls",
            sql,
            viz_type: "table",
            viz_config: {},
            filters: []
          }, actor)
        const { sql } = yield* widget("SELECT count(*) AS calls FROM EngagementFactsBoardsView")
        assert.include(sql, "EngagementFactsBoardsView")
        assert.strictEqual((yield* Effect.flip(widget("SELECT nothing FROM nowhere")))._tag, "BoardsFailure")
        assert.instanceOf(yield* refusal(api), NotServedHere)
      }))

    it.scopedLive("lose nothing that a process without dialling and imports has accepted before it was killed", () =>
      Effect.gen(function*() {
        const database = yield* emptyDatabase
        const folder = yield* temporaryFolder
        const program = yield* Effect.promise(() => bundled("adapters/trunkline/test/processes/AcceptingProcess.ts"))
        const child = yield* Effect.acquireRelease(
          Effect.sync(() => fork(program, [database, join(folder, "api"), String(people)], { stdio: "ignore" })),
          (child) => Effect.sync(() => void child.kill("SIGKILL"))
        )
        const [accepted] = yield* Effect.promise(() => once(child, "message"))
        child.kill("SIGKILL")
        const dials: Array<CallNews> = []
        const engine = yield* sharedEngine({
          database,
          data: join(folder, "rest"),
          roles: ["dial", "webhooks", "boards", "imports"],
          tell: (news) => void (news._tag === "Dialled" && dials.push(news))
        })
        assert.deepInclude(yield* ended(engine, Reflect.get(Object(accepted), "campaign")), {
          ...everybody,
          finished: people
        })
        yield* until(Effect.sync(() => dials.length > people))
        assert.lengthOf(dials, people + 1)
      }))
  })

  describe("erasure", () => {
    it.scopedLive("in a process without boards is followed where they are", () =>
      Effect.gen(function*() {
        const database = yield* emptyDatabase
        const folder = yield* temporaryFolder
        const engineOf = (name: string, roles: ReadonlyArray<Role>) =>
          sharedEngine({ database, data: join(folder, name), roles, tell: () => undefined })
        const api = yield* engineOf("api", ["api", "dial", "webhooks", "imports"])
        const boards = yield* engineOf("boards", ["boards"])
        yield* api.outbounds.start(scope, outboundBody)
        yield* until(Effect.map(counted(boards), (count) => count === 1))
        const erasing = yield* Effect.fork(api.erasure.user(scope, "+919000000001"))
        yield* until(Effect.map(counted(boards), (count) => count === 0))
        assert.strictEqual(yield* Fiber.join(erasing), 1)
      }))
  })
})
