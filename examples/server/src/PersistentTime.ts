import { AcceleratedTime, BusinessTime, describeCause } from "@trunkline/kernel"
import { BusinessWatermark } from "@trunkline/storage-kysely"
import { Cause, Clock, Effect, Layer } from "effect"

/** How often the reached business time is written down, in real seconds. */
const intervalSeconds = 1

/** How far ahead of itself it is written down, in real seconds: longer than the interval, so that no record is ever later. */
const marginSeconds = 2

/** At real speed, so much of a lead (the margin of a crash) is waited for rather than kept for good. */
const waitAtMostSeconds = 5

/**
 * Business time at `speed`, never earlier than a run before this one reached on the same data. Its mark is kept a little
 * ahead while running, so that even after a crash no record is older than one written before; a clean stop writes it
 * exactly.
 */
export const persistentTime = (speed: number) =>
  Layer.unwrapScoped(Effect.gen(function*() {
    const watermark = yield* BusinessWatermark
    const reached = (yield* watermark.load) ?? 0
    const lead = reached - (yield* Clock.currentTimeMillis)
    if (speed === 1 && lead > 0 && lead <= waitAtMostSeconds * 1000) yield* Effect.sleep(lead)
    const start = Math.max(yield* Clock.currentTimeMillis, reached)
    /** Writes down a time that is a little ahead; business time waits for it, and says what it was. */
    const mark = (ahead: number) =>
      BusinessTime.hold(Effect.tap(BusinessTime.now, (at) => watermark.save(Math.ceil(at + ahead * speed * 1000))))
    // Accelerated time does not pass a moment that somebody waits for: however late this one wakes, it wakes before the mark.
    const follow = Effect.fnUntraced(function*(first: number) {
      let at = first
      for (;;) {
        yield* BusinessTime.sleepUntil(at + intervalSeconds * speed * 1000)
        at = yield* Effect.catchAllDefect(mark(marginSeconds), (defect) =>
          Effect.zipRight(
            Effect.logError("The reached business time could not be written down", describeCause(Cause.die(defect))),
            BusinessTime.now
          ))
      }
    })
    const keepMark = Effect.gen(function*() {
      yield* Effect.addFinalizer(() => mark(0))
      yield* Effect.forkScoped(follow(yield* mark(marginSeconds)))
    })
    return Layer.provideMerge(Layer.scopedDiscard(keepMark), AcceleratedTime.layer({ speed, start }))
  }))
