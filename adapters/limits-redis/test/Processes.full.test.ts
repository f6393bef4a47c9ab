import { assert, describe, it } from "@effect/vitest"
import { LimitsRedis } from "@trunkline/limits-redis"
import { Effect, Schema } from "effect"
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { bundled } from "../../../test/programs/Programs.js"
import { freshPrefix, sharedAnswers, sharedUrl } from "../../../test/setup/Redis.js"
import { largestLease } from "../src/Leases.js"
import { drain, type Drained, drained } from "./Drain.js"

/** Compares the units that several clients got with the bucket's capacity in that time. */
const check = (askers: ReadonlyArray<Drained>) => {
  const admitted = askers.reduce((sum, asker) => sum + asker.admitted, 0)
  const first = Math.min(...askers.map((asker) => asker.first))
  const allowance = (until: number) => drained.burst + Math.floor((until - first) / drained.interval)
  assert.isAtMost(admitted, allowance(Math.max(...askers.map((asker) => asker.last))))
  const empty = Math.max(...askers.map((asker) => asker.lastRefused))
  assert.isAbove(empty, first)
  assert.isAtLeast(admitted, allowance(empty) - 1 - askers.length * largestLease(drained))
}

const ChildResult = Schema.parseJson(Schema.Struct({
  admitted: Schema.Number,
  first: Schema.Number,
  last: Schema.Number,
  lastRefused: Schema.Number
}))

const script = await bundled("adapters/limits-redis/test/Child.ts")

/** A child process that drains the bucket on request. */
const childOn = (prefix: string) =>
  Effect.gen(function*() {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => spawn(process.execPath, [script, prefix], { stdio: ["pipe", "pipe", "inherit"] })),
      (child) => Effect.sync(() => void child.kill("SIGKILL"))
    )
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    const line = Effect.map(Effect.promise(() => lines.next()), ({ value }) => String(value))
    return {
      ready: Effect.map(line, (text) => assert.strictEqual(text, "ready")),
      drain: Effect.zipRight(
        Effect.sync(() => child.stdin.write("go\n")),
        Effect.flatMap(line, Schema.decode(ChildResult))
      )
    }
  })

describe.runIf(sharedAnswers)("leases over one Redis on 127.0.0.1:6379, skipped where none answers", () => {
  it.scopedLive("admits exactly the bucket's capacity, with little loss, for three connections", () =>
    Effect.gen(function*() {
      const prefix = yield* freshPrefix
      const asking = Effect.provide(drain, LimitsRedis.layer({ url: sharedUrl, prefix, timeout: "10 seconds" }))
      check(yield* Effect.replicateEffect(asking, 3, { concurrency: "unbounded" }))
    }))

  it.scopedLive("admits exactly the bucket's capacity, with little loss, for two processes", () =>
    Effect.gen(function*() {
      const prefix = yield* freshPrefix
      const children = yield* Effect.replicateEffect(childOn(prefix), 2)
      yield* Effect.forEach(children, ({ ready }) => ready)
      check(yield* Effect.forEach(children, (child) => child.drain, { concurrency: "unbounded" }))
    }))
})
