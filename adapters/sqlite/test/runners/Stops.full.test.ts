import { assert, describe, it } from "@effect/vitest"
import { macroTask } from "@trunkline/kernel"
import { Cause, Duration, Effect, Exit, Fiber, Schedule, Scope } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bundled } from "../../../../test/programs/Programs.js"
import { endless, poolWith, processesWith, temporaryFolder } from "./Databases.js"

const mebibyte = 1024 * 1024

/** Doubles a text until memory runs out. */
const memoryBomb =
  "WITH RECURSIVE n(x, t) AS (SELECT 1, 'ab' UNION ALL SELECT x + 1, t || t FROM n) SELECT max(x) FROM n"

/** Sorts endlessly, on disk. */
const diskBomb = `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
  SELECT count(*) FROM (SELECT x || printf('%.*c', 20000, 'x') AS wide FROM n GROUP BY wide)`

const stopped = (kind: string) => (failure: { readonly _tag: string; readonly kind?: string }) =>
  assert.deepStrictEqual([failure._tag, failure.kind], ["RunStopped", kind])

/** Polls until a condition holds that depends on other processes. */
const until = (condition: () => boolean) => Effect.repeat(Effect.sleep("5 millis"), { until: condition })

describe("a statement that never ends", () => {
  it.scopedLive("is killed at the time limit, and the next one runs", () =>
    Effect.gen(function*() {
      const { run } = yield* poolWith({ timeout: Duration.seconds(1) })
      stopped("Timeout")(yield* Effect.flip(run(endless)))
      assert.deepStrictEqual((yield* run("SELECT 1")).rows, [[1]])
    }))

  it.scopedLive("is killed with its child when it is interrupted", () =>
    Effect.gen(function*() {
      const { children, run } = yield* poolWith({ size: 1 })
      yield* run("SELECT 1")
      const fiber = yield* Effect.fork(run(endless))
      yield* Effect.yieldNow()
      const before = yield* children
      yield* Fiber.interrupt(fiber)
      const after = yield* children
      assert.strictEqual(before.filter((folder) => !after.includes(folder)).length, 1)
      assert.deepStrictEqual((yield* run("SELECT 1")).rows, [[1]])
    }))

  it.scopedLive("blocks neither the event loop nor other statements", () =>
    Effect.gen(function*() {
      const { run } = yield* poolWith()
      const fiber = yield* Effect.fork(run(endless, { lane: "other" }))
      for (let turn = 0; turn < 1_000; turn++) yield* macroTask
      assert.deepStrictEqual((yield* run("SELECT 1")).rows, [[1]])
      assert.isNull(fiber.unsafePoll())
      yield* Fiber.interrupt(fiber)
    }))

  it.scopedLive("ends with the scope of the pool, like all children and their folders", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const { children, run } = yield* Scope.extend(poolWith(), scope)
      yield* run("SELECT 1")
      const fiber = yield* Effect.fork(run(endless))
      const [folder = "none"] = yield* children
      assert.isAtLeast(processesWith(folder), 1)
      yield* Scope.close(scope, Exit.void)
      assert.isTrue(Exit.isInterrupted(yield* Fiber.await(fiber)))
      assert.strictEqual(processesWith(folder), 0)
    }))
})

describe("a statement that uses too much", () => {
  it.scopedLive("memory is killed, whether in one allocation or in many", () =>
    Effect.gen(function*() {
      const { run } = yield* poolWith({ memoryBytes: 192 * mebibyte })
      for (
        const text of [memoryBomb, "SELECT length(hex(zeroblob(400000000)))", "SELECT length(zeroblob(2000000000))"]
      ) {
        stopped("ResourceExceeded")(yield* Effect.flip(run(text)))
      }
      assert.deepStrictEqual((yield* run("SELECT 1")).rows, [[1]])
    }))

  it.scopedLive("temporary disk is killed, and its files are removed", () =>
    Effect.gen(function*() {
      const { children, run } = yield* poolWith({ temporaryBytes: 24 * mebibyte, size: 1 })
      yield* run("SELECT 1")
      const before = yield* children
      stopped("ResourceExceeded")(yield* Effect.flip(run(diskBomb)))
      yield* run("SELECT 1")
      const goneOf = Effect.map(children, (after) => before.filter((folder) => !after.includes(folder)).length)
      // The next statement does not wait until the folder is removed.
      const gone = yield* Effect.repeat(goneOf, {
        until: (count) => count > 0,
        schedule: Schedule.spaced("10 millis")
      }).pipe(Effect.zipRight(goneOf))
      assert.strictEqual(gone, 1)
    }))

  it.scopedLive("does not affect others", () =>
    Effect.gen(function*() {
      const { run } = yield* poolWith({ size: 3 })
      const counting =
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 300000) SELECT max(x) FROM n"
      const [bomb, ...others] = yield* Effect.all(
        [Effect.exit(run(memoryBomb)), run(counting, { lane: "two" }), run(counting, { lane: "three" })],
        { concurrency: "unbounded" }
      )
      assert.isTrue(Exit.isFailure(bomb))
      assert.deepStrictEqual(others.map(({ rows }) => rows), [[[300000]], [[300000]]])
    }))
})

describe("children", () => {
  it.scopedLive("do not outlive a parent that is killed, whether they are busy or idle", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const script = yield* Effect.promise(() => bundled("adapters/sqlite/test/runners/Parent.ts"))
      const parent = spawn(process.execPath, [script, folder], { stdio: ["ignore", "pipe", "inherit"] })
      yield* Effect.promise(() => once(parent.stdout, "data"))
      yield* until(() => readdirSync(folder).length >= 2)
      parent.kill("SIGKILL")
      yield* until(() => readdirSync(folder).length === 0 && processesWith(folder) === 0)
    }))

  it.scopedLive("do not keep an idle process alive", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const script = yield* Effect.promise(() => bundled("adapters/sqlite/test/runners/Idle.ts"))
      const parent = spawn(process.execPath, [script, folder], { stdio: ["ignore", "ignore", "inherit"] })
      const [code] = yield* Effect.promise(() => once(parent, "exit"))
      assert.strictEqual(code, 0)
      yield* until(() => readdirSync(folder).length === 0)
    }))

  it.scopedLive("that cannot start fail waiting statements, and are tried again", () =>
    Effect.gen(function*() {
      const folder = join(yield* temporaryFolder, "folder")
      writeFileSync(folder, "no folder")
      const { run } = yield* poolWith({ temporaryFolder: folder })
      const exit = yield* Effect.exit(run("SELECT 1"))
      assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
      rmSync(folder)
      assert.deepStrictEqual((yield* run("SELECT 1")).rows, [[1]])
    }))
})
