import { AcceleratedTime, BusinessTime, describeCause } from "@trunkline/kernel"
import { BusinessWatermark } from "@trunkline/storage-kysely"
import { Cause, Clock, Effect, Layer, Schedule } from "effect"

/** How often the reached business time is written down, in real time. */
const interval = "1 second"

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
    const keepMark = Effect.gen(function*() {
      const mark = (ahead: number) =>
        Effect.flatMap(BusinessTime.now, (at) => watermark.save(Math.ceil(at + ahead * speed * 1000)))
      yield* Effect.addFinalizer(() => mark(0))
      yield* mark(marginSeconds)
      yield* mark(marginSeconds).pipe(
        Effect.catchAllDefect((defect) =>
          Effect.logError("The reached business time could not be written down", describeCause(Cause.die(defect)))
        ),
        Effect.repeat(Schedule.spaced(interval)),
        Effect.forkScoped
      )
    })
    return Layer.provideMerge(Layer.scopedDiscard(keepMark), AcceleratedTime.layer({ speed, start }))
  }))
