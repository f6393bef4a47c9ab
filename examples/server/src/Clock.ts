import { AcceleratedTime, BusinessTime } from "@trunkline/kernel"
import { BusinessWatermark } from "@trunkline/storage-kysely"
import { Clock, Effect, Layer, Schedule } from "effect"

/** How often the reached business time is written down, in real time. */
const interval = "1 second"

/** How far ahead of itself it is written down: longer than the interval, so that no record is ever later. */
const marginSeconds = 2

/**
 * Business time at `speed`, never earlier than a run before this one reached on the same data: its mark is kept a
 * little ahead, so that even after a crash no record is older than one written before.
 */
export const persistentTime = (speed: number) =>
  Layer.unwrapEffect(Effect.gen(function*() {
    const watermark = yield* BusinessWatermark
    const reached = yield* watermark.load
    const now = yield* Clock.currentTimeMillis
    return Layer.scopedDiscard(Effect.gen(function*() {
      const mark = Effect.flatMap(
        BusinessTime.now,
        (at) => watermark.save(Math.ceil(at + marginSeconds * 1000 * speed))
      )
      yield* mark
      yield* Effect.forkScoped(Effect.repeat(mark, Schedule.spaced(interval)))
    })).pipe(
      Layer.provideMerge(AcceleratedTime.layer({ speed, start: Math.max(now, reached ?? 0) }))
    )
  }))
