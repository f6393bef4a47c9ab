import type { FrameEvent } from "@trunkline/telephony"
import { Clock, Effect, Fiber } from "effect"
import { makeBrowserLines } from "../src/browser/BrowserLines.js"
import type { MediaClock } from "../src/media/MediaClock.js"
import { makeBrowserPerson, makeSocketPair } from "../src/testing/BrowserPerson.js"

/** The beat of streams in the time of Effect's Clock, until the scope ends. */
const virtualMediaClock = Effect.gen(function*() {
  const clock = yield* Clock.clockWith(Effect.succeed)
  const ticks = new Set<(now: number) => void>()
  const now = () => clock.unsafeCurrentTimeMillis()
  const beat = Effect.sync(() => ticks.forEach((tick) => tick(now())))
  yield* Effect.forkScoped(Effect.forever(Effect.delay(beat, "20 millis")))
  const mediaClock: MediaClock = {
    now,
    every: (tick) => {
      ticks.add(tick)
      return () => ticks.delete(tick)
    }
  }
  return mediaClock
})

/** A client at a socket in memory, in simulated time. The call may not be open yet. */
export const callFromBrowser = (
  { limitMillis = 600_000, starts = true }: { readonly limitMillis?: number; readonly starts?: boolean } = {}
) =>
  Effect.gen(function*() {
    const clock = yield* virtualMediaClock
    let hear: (event: FrameEvent) => void = () => {}
    const pair = makeSocketPair(() => hear)
    const person = makeBrowserPerson(clock, pair.client, { starts })
    hear = person.receive
    const lines = makeBrowserLines(clock)
    const opening = yield* Effect.forkScoped(lines.open(pair.server, { attempt_id: "attempt-1", limitMillis }))
    return { lines, pair, person, opening: Fiber.join(opening) }
  })
