import { AcceleratedTime, BusinessTime, describeCause, EventQueue } from "@trunkline/kernel"
import { BusinessWatermark } from "@trunkline/storage-kysely"
import { Cause, Clock, Context, Effect, Layer, type Stream } from "effect"

/**
 * Lead of the stored mark over business time while it is read, in real seconds. At real speed a start after a crash waits for
 * it, so that it is shorter than a start takes. Time may pass such a mark when the process is late, as the wall clock goes on.
 */
const shortestLeadAt = (speed: number): number => speed === 1 ? 0.6 : 2

/** Longest lead of the mark while business time is not read, in real seconds. */
const maxLead = 16

/** Part of the shortest lead that is left when a mark is replaced. */
const notice = 1 / 2

/** At real speed, so much of a lead (that of a crash) is waited for rather than kept for good, in real seconds. */
const maxWaitSeconds = 5

/**
 * Business time at `speed`, never earlier than a run before this one reached on the same data. A mark is kept ahead of it
 * while it runs, so that even after a crash no record is older than one written before; a clean stop writes it exactly.
 *
 * While somebody asks for the time, the mark is two real seconds ahead and is moved every second; at real speed 0.6 seconds,
 * and every 0.3. At rest it is moved rarely: each time twice as far ahead, up to 16 seconds, but not beyond a moment that
 * somebody waits for, so that a crash does not skip it; it comes back as soon as somebody asks. `speeds` are lower speeds
 * that it takes later. Time that is the wall clock's own is not marked at rest, since the wall clock goes on by itself.
 */
export const persistentTime = (
  speed: number,
  speeds?: Stream.Stream<number>
): Layer.Layer<BusinessTime, never, BusinessWatermark> =>
  Layer.scoped(
    BusinessTime,
    Effect.gen(function*() {
      const watermark = yield* BusinessWatermark
      const lastTime = (yield* watermark.load) ?? 0
      const ahead = lastTime - (yield* Clock.currentTimeMillis)
      if (speed === 1 && ahead > 0 && ahead <= maxWaitSeconds * 1000) yield* Effect.sleep(ahead)
      const wall = yield* Clock.currentTimeMillis
      const start = Math.max(wall, lastTime)
      const time = Context.get(
        yield* Layer.build(AcceleratedTime.layer({ speed, start, ...(speeds !== undefined && { speeds }) })),
        BusinessTime
      )
      return yield* keepMark(time, {
        save: watermark.save,
        speed,
        isWall: speed === 1 && speeds === undefined && start === wall
      })
    })
  )

/** Keeps the mark of a time for as long as the scope is open; what it gives is that time, to be used by all others. */
const keepMark = (
  time: BusinessTime.Service,
  { isWall, save, speed }: {
    readonly save: (at: number) => Effect.Effect<void>
    readonly speed: number
    /** True when it is the time of the wall clock. */
    readonly isWall: boolean
  }
) =>
  Effect.gen(function*() {
    const awaitedQueue = EventQueue.make<null>()
    const bell = yield* Effect.makeLatch(false)
    let isAsked = false
    const inBusinessTime = (seconds: number) => seconds * speed * 1000
    const shortestLead = shortestLeadAt(speed)

    /** Writes down a time; business time waits for it. */
    const mark = (choose: (now: number) => number) =>
      time.hold(Effect.flatMap(time.now, (now) => {
        const at = choose(now)
        return Effect.as(save(Math.ceil(at)), at)
      }))
    const advance = (lead: number) =>
      Effect.suspend(() => {
        isAsked = false
        bell.unsafeClose()
        return mark((now) => {
          const next = awaitedQueue.peek()?.time ?? Infinity
          return Math.max(now + inBusinessTime(shortestLead), Math.min(now + inBusinessTime(lead), next))
        })
      })

    // Accelerated time does not pass a moment that somebody waits for: however late this one wakes, it wakes before the mark.
    const follow = Effect.fnUntraced(function*(first: number) {
      let [at, lead] = [first, shortestLead]
      for (;;) {
        const due = time.sleepUntil(at - inBusinessTime(notice * shortestLead))
        if (isWall) yield* Effect.zipRight(due, bell.await)
        else yield* lead === shortestLead ? due : Effect.raceFirst(due, bell.await)
        lead = isAsked ? shortestLead : Math.min(lead * 2, maxLead)
        at = yield* Effect.catchAllDefect(advance(lead), (defect) =>
          Effect.zipRight(
            Effect.logError("The reached business time could not be written down", describeCause(Cause.die(defect))),
            Effect.map(time.now, (now) => now + inBusinessTime(shortestLead))
          ))
      }
    })

    yield* Effect.addFinalizer(() => mark((now) => now))
    yield* Effect.forkScoped(follow(yield* advance(shortestLead)))
    return BusinessTime.observed(time, {
      onRead: () => {
        isAsked = true
        bell.unsafeOpen()
      },
      onWait: (at) => {
        const forget = awaitedQueue.add(at, null)
        return () => void forget()
      }
    })
  })
