import { assert, describe, it } from "@effect/vitest"
import { sha256Hex } from "@trunkline/kernel"
import { Effect } from "effect"
import { plans, rehearsePlan } from "./Plans.js"
import { recorded } from "./Recorded.js"

/** The number of lines of the log, and the digests of the log and of the whole report. */
const digestsOf = (name: string) =>
  Effect.gen(function*() {
    const report = yield* rehearsePlan(plans[name] ?? assert.fail(`There is no plan ${name}`))
    const digest = yield* sha256Hex(JSON.stringify(report))
    return `${report.log.lines} ${report.log.sha256.slice(0, 16)} ${digest.slice(0, 16)}`
  })

describe("a rehearsal gives the log and the report that were recorded of the engine in virtual time", () => {
  it("for all of the plans", () => {
    assert.deepStrictEqual(Object.keys(recorded), Object.keys(plans))
  })

  for (const [name, digests] of Object.entries(recorded)) {
    it.live(name, () => Effect.map(digestsOf(name), (actual) => assert.strictEqual(actual, digests)))
  }
})
