import { assert, describe, it } from "@effect/vitest"
import { rehearse } from "@trunkline/rehearsal"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { bundled } from "../../../test/programs/Programs.js"
import { rehearseWithLog, small } from "./SmallRehearsal.js"

/** Runs an effect while timers and promises keep the event loop busy. */
const onBusyEventLoop = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const noise = { on: true }
      const turn = (count: number) => {
        if (!noise.on) return
        void Promise.resolve().then(() => (count % 3 === 0 ? setTimeout : setImmediate)(() => turn(count + 1)))
      }
      for (let seed = 0; seed < 5; seed += 1) turn(seed)
      return noise
    }),
    () => effect,
    (noise) => Effect.sync(() => void (noise.on = false))
  )

describe("a rehearsal with the same seed", () => {
  it.live("gives the same report and log, byte for byte, also on a busy event loop", () =>
    Effect.gen(function*() {
      const first = yield* rehearseWithLog(small)
      assert.isAbove(first.log.length, 10_000)
      assert.deepStrictEqual(yield* rehearseWithLog(small), first)
      assert.deepStrictEqual(yield* onBusyEventLoop(rehearseWithLog(small)), first)
    }))

  it.live("gives the same report in another process", () =>
    Effect.gen(function*() {
      const { report } = yield* rehearseWithLog(small)
      const script = yield* Effect.promise(() => bundled("packages/rehearsal/test/SmallRehearsalMain.ts"))
      const { stderr, stdout } = spawnSync(process.execPath, [script], { encoding: "utf8" })
      assert.strictEqual(stdout.trim(), report.log.sha256, stderr)
    }))

  it.live("names contacts by position and logs every event", () =>
    Effect.gen(function*() {
      const { log, report } = yield* rehearseWithLog(small)
      assert.notMatch(log, /\+91|\d{10}/)
      const lines = log.trimEnd().split("\n")
      assert.strictEqual(lines.length, report.log.lines)
      assert.strictEqual(lines[0], "2026-03-02T03:30:00.000Z 1 person 1 call 1: dialled")
      assert.lengthOf(lines.filter((line) => line.endsWith(": dialled")), report.dials)
      assert.isTrue(
        lines.every((line, index) => index === 0 || line.slice(0, 24) >= (lines[index - 1] ?? "").slice(0, 24))
      )
    }))

  it.live("differs with another seed", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* rehearse({ ...small, seed: 1 }), yield* rehearse({ ...small, seed: 2 })]
      assert.notStrictEqual(one.log.sha256, other.log.sha256)
    }))
})
