import { VirtualClock } from "@trunkline/kernel"
import { Effect, Fiber, TestClock, TestContext } from "effect"

const fibers = 20

/** Fibers that sleep repeatedly, and together wake up `wakeUps` times. */
const sleepers = (wakeUps: number) =>
  Effect.forEach(
    Array.from({ length: fibers }, (_, index) => index),
    (index) => Effect.repeatN(Effect.sleep(fibers + index), wakeUps / fibers - 1),
    { concurrency: "unbounded", discard: true }
  )

const onVirtualClock = (wakeUps: number) => VirtualClock.run(sleepers(wakeUps))

const onTestClock = (wakeUps: number) =>
  Effect.gen(function*() {
    const fiber = yield* Effect.fork(sleepers(wakeUps))
    yield* TestClock.adjust("1 day")
    yield* Fiber.join(fiber)
  }).pipe(Effect.provide(TestContext.TestContext))

const perSecond = async (wakeUps: number, program: (wakeUps: number) => Effect.Effect<void>): Promise<number> => {
  const start = performance.now()
  await Effect.runPromise(program(wakeUps))
  return wakeUps / ((performance.now() - start) / 1_000)
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Prints the timed wake-ups per second of VirtualClock and TestClock, taking turns, and their ratio. */
export const run = async (): Promise<void> => {
  const virtual: Array<number> = []
  const test: Array<number> = []
  for (let round = 0; round < 3; round++) {
    virtual.push(await perSecond(100_000, onVirtualClock))
    test.push(await perSecond(200, onTestClock))
  }
  const [ours, theirs] = [median(virtual), median(test)]
  console.log(`virtual clock: ${Math.round(ours).toLocaleString("en")} wake-ups per second`)
  console.log(`effect TestClock: ${Math.round(theirs).toLocaleString("en")} wake-ups per second`)
  console.log(`ratio: ${(ours / theirs).toFixed(0)}x`)
}
