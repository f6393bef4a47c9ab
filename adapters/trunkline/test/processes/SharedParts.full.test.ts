import { assert, describe, it } from "@effect/vitest"
import { OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { CreateOutbound } from "@trunkline/telephony"
import { Chunk, Effect, Fiber, Schema, Stream } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { emptyDatabase, onPostgres } from "../../../../test/setup/Postgres.js"
import { canStart, ownRedis } from "../../../../test/setup/Redis.js"
import { sharedEngine } from "./SharedEngine.js"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })

const body = Schema.decodeUnknownSync(CreateOutbound)({
  app_config: {
    app_id: "reminder",
    app_version: 1,
    connection_config: { connection_id: "trunk", agent_phone_number: "+911140000001" }
  },
  user_config: { user_phone_number: "9876543210" }
})

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "trunkline-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Two engines on one database. */
const twoEngines = (redis?: string) =>
  Effect.gen(function*() {
    const database = yield* emptyDatabase
    const folder = yield* temporaryFolder
    const engineOf = (name: string) =>
      sharedEngine({ database, data: join(folder, name), tell: () => {}, ...(redis !== undefined && { redis }) })
    return [yield* engineOf("one"), yield* engineOf("two")] as const
  })

/** Every event of a call through one engine reaches a watcher of the other. */
const watchElsewhere = (redis?: string) =>
  Effect.gen(function*() {
    const [calling, watching] = yield* twoEngines(redis)
    const events = (yield* watching.live.watch(scope)).pipe(Stream.takeUntil(({ type }) => type === "attempt.ended"))
    const taken = yield* Effect.fork(Stream.runCollect(events))
    // The other process hears within some milliseconds that somebody watches; what it does before then is not shown.
    yield* Effect.sleep("500 millis")
    const attempt_id = yield* calling.outbounds.start(scope, body)
    const shown = Array.from(Chunk.toReadonlyArray(yield* Fiber.join(taken)))
    assert.deepStrictEqual(
      shown.map((event) => [event.type, "attempt_id" in event ? event.attempt_id : null]),
      [["attempt.started", attempt_id], ["attempt.ended", attempt_id]]
    )
  })

/** Requests a minute of the starter plan. */
const perMinute = 60

/** Two engines admit together what the plan allows, and the little that comes back meanwhile. */
const spendTogether = (redis?: string) =>
  Effect.gen(function*() {
    const engines = yield* twoEngines(redis)
    const subject = { account_id: "acme", plan: "starter" } as const
    const spend = ({ limits }: typeof engines[number]) => limits.decide({ subject, api: "chat" })
    const decisions = yield* Effect.forEach(
      Array.from({ length: perMinute }).flatMap(() => engines),
      spend,
      { concurrency: 16 }
    )
    const admitted = decisions.filter((decision) => decision.isAdmitted).length
    assert.isAtLeast(admitted, perMinute)
    assert.isBelow(admitted, perMinute * 1.5)
  })

onPostgres(() => {
  describe("engines on one database", () => {
    it.scopedLive("show the same live events", () => watchElsewhere())
    it.scopedLive("count requests together", () => spendTogether())
  })

  describe.skipIf(!canStart)("engines on one database and one Redis", () => {
    const withRedis = <A, E, R>(run: (redis: string) => Effect.Effect<A, E, R>) =>
      Effect.gen(function*() {
        const { start, url } = yield* ownRedis()
        yield* start
        return yield* run(url)
      })
    it.scopedLive("show the same live events", () => withRedis(watchElsewhere))
    it.scopedLive("count requests together", () => withRedis(spendTogether))
  })
})
