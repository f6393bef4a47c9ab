import { assert, describe, it } from "@effect/vitest"
import { cohortLimits } from "@trunkline/cohorts"
import { CohortId } from "@trunkline/kernel"
import { Cause, Effect, Exit } from "effect"
import { once } from "node:events"
import { MessageChannel } from "node:worker_threads"
import { serveImports } from "../../src/imports/ImportServer.js"
import { decodeOutcome, encodeSettings, endRequest, importRequest } from "../../src/imports/ImportThread.js"
import { scope, temporaryPlace } from "./Harness.js"

describe("serveImports", () => {
  it.scopedLive("reports the kind and the place of a defect, and ends when it is asked to", () =>
    Effect.gen(function*() {
      const place = yield* temporaryPlace
      const { port1, port2 } = new MessageChannel()
      serveImports(port1, encodeSettings({ place, fence: 1, limits: cohortLimits }))
      port2.postMessage(importRequest({ scope, cohort_id: CohortId.make("coh-1") }))
      const [message] = yield* Effect.promise(() => once(port2, "message"))
      const exit = yield* decodeOutcome(message)
      const [defect] = Exit.isFailure(exit) ? [...Cause.defects(exit.cause)] : []
      assert.instanceOf(defect, Error)
      assert.strictEqual(String(defect), "DatabaseMissing: An import crashed in its thread")
      assert.notInclude(JSON.stringify(message), place.file)
      port2.postMessage(endRequest)
      yield* Effect.promise(() => once(port2, "close"))
    }))
})
