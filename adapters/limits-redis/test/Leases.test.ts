import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import type { Bucket, TakeResult } from "@trunkline/rate-limits"
import { ExactBucket } from "@trunkline/rate-limits/testing"
import { Effect, FastCheck } from "effect"
import { largestLease, Leases } from "../src/Leases.js"
import type { LeaseGrant } from "../src/LuaScripts.js"

const start = 1_767_225_600_000_000
const second = 1_000_000

/** Runs pending microtasks. */
const settle = Effect.promise(() => Promise.resolve())

/** One bucket with the script's behavior and immediate responses, and any number of processes that lease from it. */
const simulated = (bucket: Bucket) => {
  let now = start
  let full = 0
  let fetches = 0
  const replies: Array<() => void> = []
  let holding = false

  const grant = (want: number): LeaseGrant => {
    const { burst, interval } = bucket
    const filling = Math.max(full - now, 0)
    const granted = Math.min(want, burst - Math.ceil(filling / interval))
    const filled = filling + granted * interval
    full = now + filled
    const retryAfter = Math.max(0, filling + interval * (1 - burst))
    return { at: now, granted, remaining: burst - Math.ceil(filled / interval), retryAfter, resetAfter: filled }
  }

  const process = () => {
    const leases = new Leases({
      now: () => now / 1000,
      fetch: ({ want }, done) => {
        fetches++
        const answer = () => done(grant(want))
        if (holding) replies.push(answer)
        else answer()
      }
    })
    const ask = (cost = 1): { result: TakeResult | undefined } => {
      const result = leases.serve("key", cost)
      const answer = { result }
      if (result === undefined) {
        leases.join("key", bucket, (grant) => {
          answer.result = grant
        })
      }
      return answer
    }
    return { ask, leases }
  }

  return {
    process,
    pass: (micros: number) => {
      now += micros
    },
    now: () => now,
    fetches: () => fetches,
    /** Holds fetches until they are released. */
    hold: () => {
      holding = true
    },
    letGo: () => {
      holding = false
      replies.splice(0).forEach((answer) => answer())
    }
  }
}

const fast: Bucket = { owner: "acme", name: "chat", interval: 7_813, burst: 1_000 }

/** Requests `times` times in sequence; returns how many were admitted. */
const askInTurn = (process: { ask: () => { result: TakeResult | undefined } }, times: number) =>
  Effect.gen(function*() {
    let admitted = 0
    for (let index = 0; index < times; index++) {
      const answer = process.ask()
      yield* settle
      if (answer.result?.isAdmitted === true) admitted++
    }
    return admitted
  })

describe("Leases", () => {
  it("are the refill of 250 ms, from one to 32 units, and at most the burst", () => {
    const at = (perMinute: number, burst = perMinute) =>
      largestLease({ ...fast, interval: Math.ceil(60_000_000 / perMinute), burst })
    assert.deepStrictEqual([1, 60, 479, 480, 600, 6_000, 7_680, 60_000].map((rate) => at(rate)), [
      1,
      1,
      1,
      2,
      2,
      25,
      31,
      32
    ])
    assert.strictEqual(at(60_000, 5), 5)
    assert.strictEqual(at(60_000, 1), 1)
  })

  it.effect("double when used up quickly and start over otherwise", () =>
    Effect.gen(function*() {
      const simulation = simulated(fast)
      const process = simulation.process()
      assert.strictEqual(yield* askInTurn(process, 1 + 2 + 4 + 8 + 16 + 31 + 31), 93)
      assert.strictEqual(simulation.fetches(), 7)
      yield* askInTurn(process, 1)
      simulation.pass(second)
      yield* askInTurn(process, 2)
      assert.strictEqual(simulation.fetches(), 10)
    }))

  it.effect("expire after 1 s", () =>
    Effect.gen(function*() {
      const simulation = simulated(fast)
      const process = simulation.process()
      yield* askInTurn(process, 2)
      assert.strictEqual(simulation.fetches(), 2)
      simulation.pass(second - 1_000)
      yield* askInTurn(process, 1)
      assert.strictEqual(simulation.fetches(), 2)
      yield* askInTurn(process, 2)
      assert.strictEqual(simulation.fetches(), 3)
      simulation.pass(second)
      yield* askInTurn(process, 1)
      assert.strictEqual(simulation.fetches(), 4)
    }))

  it.effect("share one fetch between concurrent requests and the next one between later requests", () =>
    Effect.gen(function*() {
      const simulation = simulated({ ...fast, burst: 100 })
      const process = simulation.process()
      simulation.hold()
      const first = Array.from({ length: 64 }, () => process.ask())
      yield* settle
      const second = Array.from({ length: 64 }, () => process.ask())
      yield* settle
      assert.strictEqual(simulation.fetches(), 1)
      simulation.letGo()
      yield* settle
      assert.strictEqual(simulation.fetches(), 2)
      assert.isTrue(first.every(({ result }) => result?.isAdmitted))
      assert.deepStrictEqual(
        second.map(({ result }) => result?.isAdmitted),
        second.map((_, place) => place < 36)
      )
    }))

  it.effect("serve a larger request from the remaining units and report the rest as of the last fetch", () =>
    Effect.gen(function*() {
      const simulation = simulated(fast)
      const process = simulation.process()
      yield* askInTurn(process, 4)
      simulation.pass(5_000)
      assert.deepStrictEqual(process.leases.serve("key", 3), {
        isAdmitted: true,
        remaining: 993,
        retryAfter: 0,
        resetAfter: 7 * fast.interval - 5_000,
        at: start + 5_000
      })
      assert.isUndefined(process.leases.serve("key", 1))
    }))

  it.effect("report when the next unit is available", () =>
    Effect.gen(function*() {
      const simulation = simulated({ ...fast, burst: 3 })
      const process = simulation.process()
      const answers = Array.from({ length: 4 }, () => process.ask())
      yield* settle
      assert.deepStrictEqual(answers.map(({ result }) => result?.remaining), [2, 1, 0, 0])
      const answer = answers[3]?.result
      assert.deepStrictEqual(answer, {
        isAdmitted: false,
        remaining: 0,
        retryAfter: fast.interval,
        resetAfter: 3 * fast.interval,
        at: start
      })
      simulation.pass(fast.interval - 1)
      assert.strictEqual(yield* askInTurn(process, 1), 0)
      simulation.pass(1)
      assert.strictEqual(yield* askInTurn(process, 1), 1)
    }))

  it.effect("respond to every request when Redis is unavailable", () =>
    Effect.gen(function*() {
      const waiting: Array<(grant: LeaseGrant | undefined) => void> = []
      const leases = new Leases({ now: () => 0, fetch: (_, done) => void waiting.push(done) })
      const answers: Array<TakeResult | undefined> = []
      const ask = () => leases.join("key", fast, (result) => void answers.push(result))
      ask()
      yield* settle
      ask()
      waiting.splice(0).forEach((done) => done(undefined))
      assert.deepStrictEqual(answers, [undefined, undefined])
      ask()
      yield* settle
      assert.strictEqual(waiting.length, 1)
    }))

  it.effect("are kept for the 10,000 most recent buckets", () =>
    Effect.gen(function*() {
      const grant = { at: start, granted: 2, remaining: 0, retryAfter: 0, resetAfter: 0 }
      const leases = new Leases({ now: () => 0, fetch: (_, done) => done(grant) })
      for (let bucket = 0; bucket <= 10_000; bucket++) {
        leases.join(String(bucket), fast, () => {})
        yield* settle
      }
      assert.isUndefined(leases.serve("0", 1))
      assert.isDefined(leases.serve("1", 1))
    }))

  it.effect("never reject steady demand of several processes below the limit", () =>
    Effect.gen(function*() {
      const simulation = simulated({ ...fast, burst: 64 })
      const processes = Array.from({ length: 12 }, simulation.process)
      for (let round = 0; round < 600; round++) {
        for (const process of processes) {
          simulation.pass(8_334)
          assert.strictEqual(yield* askInTurn(process, 1), 1)
        }
      }
    }))

  const step = FastCheck.record({
    process: FastCheck.nat(2),
    asks: FastCheck.integer({ min: 1, max: 40 }),
    pause: FastCheck.oneof(FastCheck.nat(3_000), FastCheck.nat(2 * second)),
    holding: FastCheck.boolean()
  })

  const bucketOf = FastCheck.record({
    interval: FastCheck.integer({ min: 1_000, max: 250_000 }),
    burst: FastCheck.integer({ min: 1, max: 200 })
  })

  it.effect.prop(
    "never admit more than the bucket allows since it was full, or in any period more than that plus leased units",
    { of: bucketOf, steps: FastCheck.array(step, { minLength: 1, maxLength: 60 }) },
    ({ of, steps }) =>
      Effect.gen(function*() {
        const bucket = { ...fast, ...of }
        const simulation = simulated(bucket)
        const processes = Array.from({ length: 3 }, simulation.process)
        const oracle = new ExactBucket({ units: 1n, micros: BigInt(bucket.interval) }, bucket.burst)
        const leased = processes.length * (largestLease(bucket) - 1)
        let total = 0
        for (const { asks, holding, pause, process } of steps) {
          simulation.pass(pause)
          if (holding) simulation.hold()
          const answers = Array.from({ length: asks }, () => processes[process]?.ask())
          yield* settle
          simulation.letGo()
          yield* settle
          const admitted = answers.filter((answer) => answer?.result?.isAdmitted).length
          total += admitted
          oracle.take(admitted, simulation.now())
          assert.isAtMost(total, bucket.burst + Math.floor((simulation.now() - start) / bucket.interval))
          assert.isAtLeast(oracle.wholeUnits(simulation.now()), -leased)
        }
        yield* settle
      }),
    { fastCheck: { numRuns: propertyRuns(300) } }
  )
})
