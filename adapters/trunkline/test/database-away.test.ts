import { assert, describe, it } from "@effect/vitest"
import { StoreBusy } from "@trunkline/kernel"
import { Cause, Effect, Exit, Logger, LogLevel } from "effect"
import { emptyDatabase, onPostgres } from "../../../test/setup/Postgres.js"
import { throughRelay } from "../../../test/setup/Relay.js"
import { createCampaign, endedPatiently, scope, temporaryFolder } from "./SharedCampaign.js"
import { type CallNews, sharedEngine } from "./SharedEngine.js"

const people = 24

/** Waits until something holds. */
const until = (holds: () => boolean) => Effect.repeat(Effect.sleep("20 millis"), { until: holds })

onPostgres(() => {
  describe("an engine whose database is away", () => {
    it.scopedLive("dials nobody, refuses requests, and goes on afterwards: everybody is called once", () =>
      Effect.gen(function*() {
        const relay = yield* throughRelay(yield* emptyDatabase)
        const news: Array<CallNews> = []
        const dialled = () => news.flatMap((one) => one._tag === "Dialled" ? [one.to] : [])
        const ends = () => news.filter(({ _tag }) => _tag === "Ended").length
        const engine = yield* sharedEngine({
          database: relay.url,
          data: yield* temporaryFolder,
          tell: (one) => news.push(one)
        })
        const campaign = yield* createCampaign(engine, people)
        yield* until(() => dialled().length >= people / 4)

        yield* relay.cut
        // Calls in progress end, and give back lines that nobody is called on.
        yield* until(() => ends() === dialled().length)
        const before = dialled().length
        yield* Effect.sleep("1 second")
        assert.lengthOf(dialled(), before)
        assert.isBelow(before, people)
        const request = yield* Effect.exit(engine.campaigns.get(scope, campaign))
        const defects = Exit.isFailure(request) ? [...Cause.defects(request.cause)] : []
        assert.isTrue(defects.some((defect) => defect instanceof StoreBusy))

        yield* relay.join
        const contacts = yield* endedPatiently(engine, campaign)
        assert.deepInclude(contacts, { waiting: 0, calling: 0, finished: people })
        assert.lengthOf(dialled(), people)
        assert.strictEqual(new Set(dialled()).size, people)
      }).pipe(Logger.withMinimumLogLevel(LogLevel.None)))
  })
})
