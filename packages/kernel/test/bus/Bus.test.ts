import { assert, describe, it } from "@effect/vitest"
import { Bus, makeBusMember, makeMemoryBus } from "@trunkline/kernel"
import { busLaws } from "@trunkline/kernel/testing"
import { Effect, Fiber } from "effect"

busLaws("memory", Effect.map(makeMemoryBus, (join) => ({ join })))

/** A bus whose members send to each other as over a network, in this process. */
const overTexts = Effect.sync(() => {
  const members = new Set<ReturnType<typeof makeBusMember>>()
  let isAway = false
  let back = Effect.unsafeMakeLatch(true)
  const join = Effect.gen(function*() {
    const member = makeBusMember(`member ${members.size}`)
    members.add(member)
    yield* Effect.forkScoped(member.sendOver({
      ready: Effect.suspend(() => back.await),
      send: (texts) =>
        Effect.sync(() => {
          if (isAway) return false
          for (const text of texts) for (const { receive } of members) receive(text)
          return true
        })
    }))
    return member.bus
  })
  const outage = {
    begin: Effect.sync(() => {
      isAway = true
      back = Effect.unsafeMakeLatch(false)
    }),
    end: Effect.sync(() => {
      isAway = false
      back.unsafeOpen()
      for (const { onConnected } of members) onConnected()
    })
  }
  return { join, outage }
})

busLaws("texts", overTexts)

describe("a bus", () => {
  it.effect("is not shared unless it is provided, and then nothing comes", () =>
    Effect.gen(function*() {
      const bus = yield* Bus
      yield* bus.publish("news", "nobody hears it")
      const waiting = yield* Effect.fork(Effect.scoped(Effect.flatten(bus.subscribe("news"))))
      yield* Effect.yieldNow()
      assert.isFalse(bus.isShared)
      assert.strictEqual((yield* Fiber.poll(waiting))._tag, "None")
      yield* Fiber.interrupt(waiting)
    }))

  it.scopedLive("sends a null hint in place of a sending that failed", () =>
    Effect.gen(function*() {
      const member = makeBusMember("a")
      const sentTexts: Array<string> = []
      yield* member.bus.publish("news", "lost")
      const sending = yield* Effect.fork(member.sendOver({
        ready: Effect.void,
        send: (texts) => Effect.sync(() => sentTexts.push(...texts) > 1)
      }))
      while (sentTexts.length < 2) yield* Effect.sleep("1 millis")
      yield* Fiber.interrupt(sending)
      assert.deepStrictEqual(sentTexts, [`{"s":"a","t":"news","p":"lost"}`, `{"s":"a","t":"news"}`])
    }))

  it.scopedLive("ignores texts that are no hints", () =>
    Effect.gen(function*() {
      const member = makeBusMember("a")
      const take = yield* member.bus.subscribe("news")
      for (const text of ["", "null", "[]", `{"t":"news"}`, `{"s":"b","t":3}`, `{"s":"b","t":"news","p":"heard"}`]) {
        member.receive(text)
      }
      assert.strictEqual(yield* take, "heard")
    }))
})
