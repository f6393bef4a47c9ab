import { Deferred, Effect } from "effect"
import type { FrameKind } from "./frames/FrameRing.js"
import type { ThreadEvent, ToThread } from "./frames/MediaMessages.js"
import { makeKeyMerge } from "./KeyMerge.js"
import {
  isOnHold,
  type MediaDescription,
  type MediaEvent,
  type MediaOpenOptions,
  type MediaSession,
  rateOf
} from "./Media.js"
import { monotonicMillis } from "./MonotonicClock.js"
import { clearPlayed, hasArrived, quietMillis, readStatistics, type SharedCall } from "./shared/SharedCall.js"
import { makeSharedCodes, tapOf } from "./shared/SharedCodes.js"

/** A session with what the media thread tells about it. */
export interface SipMediaSession {
  readonly session: MediaSession
  readonly onFrame: (samples: Float32Array, kind: FrameKind) => void
  readonly onEvent: (event: ThreadEvent) => void
  /** Ends the session: its events stop, and nothing more is played. */
  readonly end: () => void
  /** Ends the session because the media thread has crashed. */
  readonly crash: () => void
}

/** Parts of a session. */
export interface CallSessionOptions extends MediaOpenOptions {
  readonly call: number
  readonly port: number
  readonly shared: SharedCall
  readonly post: (message: ToThread, transfer?: ReadonlyArray<ArrayBuffer>) => void
  readonly deadAfterMillis: number
}

/** Makes the main thread's side of a call whose ports are open. */
export const makeCallSession = (options: CallSessionOptions): Effect.Effect<SipMediaSession> =>
  Effect.map(Deferred.make<void>(), (crash) => {
    const { address, call, deadAfterMillis, port, post, sendInfo, shared } = options
    const isNewKey = makeKeyMerge()
    let listener: (event: MediaEvent) => void = () => undefined
    /** Listener of the sound before the answer; null without one, and from the answer on. */
    let early: ((samples: Float32Array, isConcealed: boolean) => void) | null = null
    let description: MediaDescription | null = null
    let rate: MediaSession["rate"] = 8_000
    let isHeld = false
    let isOver = false
    let generation = 0
    /** Time from which silence of the network counts. */
    let watchedSince = Number.POSITIVE_INFINITY

    const emit = (event: MediaEvent): void => {
      if (!isOver) listener(event)
    }

    const onKey = (digit: string, way: "rtp" | "info"): void => {
      if (isNewKey(digit, way, monotonicMillis())) emit({ _tag: "Pressed", digit })
    }

    const isWatched = (): boolean => description?.direction === "sendrecv" && !isOnHold(description)

    const isExpected = (): boolean => description?.direction === "sendrecv" || description?.direction === "recvonly"

    const watch = Effect.gen(function*() {
      const start = monotonicMillis()
      for (;;) {
        const now = monotonicMillis()
        const quiet = isWatched() ? Math.min(now - start, now - watchedSince, quietMillis(shared, now)) : 0
        if (quiet >= deadAfterMillis) return
        yield* Effect.sleep(Math.max(1, deadAfterMillis - quiet))
      }
    })

    const negotiate = (changedDescription: MediaDescription): void => {
      if (isOver) return
      const wasWatched = isWatched()
      if (description === null) rate = rateOf(changedDescription)
      description = changedDescription
      early = null
      if (!wasWatched) watchedSince = monotonicMillis()
      post({ _tag: "Negotiate", call, description: changedDescription })
      if (isHeld === isOnHold(changedDescription)) return
      isHeld = !isHeld
      emit({ _tag: "Held", on: isHeld })
    }

    const press = (digits: string) =>
      Effect.suspend(() => {
        if (isOver) return Effect.void
        if (description !== null && description.telephoneEvent === null) {
          const keys = digits.replaceAll(/[^0-9*#A-D]/g, "")
          return sendInfo === undefined ? Effect.void : Effect.forEach(keys, sendInfo, { discard: true })
        }
        post({ _tag: "Press", call, digits })
        return Effect.void
      })

    const end = (): void => {
      isOver = true
      early = null
      listener = () => undefined
    }

    return {
      session: {
        get rate() {
          return rate
        },
        local: { address, port },
        negotiate,
        overhear: (earlyMedia, hear) => {
          if (isOver || description !== null) return
          early = hear
          post({ _tag: "Overhear", call, description: earlyMedia })
        },
        hear: (hear) => {
          if (!isOver) listener = hear
        },
        play: (samples, mark) => {
          if (isOver) return
          const copy = samples.slice()
          post({ _tag: "Play", call, generation, samples: copy, mark }, [copy.buffer])
        },
        clear: () => {
          generation += 1
          return clearPlayed(shared, generation)
        },
        tap: () => {
          const codes = makeSharedCodes()
          if (!isOver) post({ _tag: "Tap", call, codes })
          return tapOf(codes)
        },
        press,
        reportKey: (digit) => onKey(digit, "info"),
        dead: Effect.raceFirst(Deferred.await(crash), watch),
        isDeaf: () => isExpected() && !hasArrived(shared),
        statistics: () => readStatistics(shared)
      },
      onFrame: (samples, { isConcealed: concealed, isEarly }) => {
        if (isEarly) early?.(samples, concealed)
        else if (!isHeld) emit({ _tag: "Frame", samples, concealed })
      },
      onEvent: (event) => {
        if (event._tag === "Pressed") onKey(event.digit, "rtp")
        else if (event.generation === generation) emit({ _tag: "Reached", mark: event.mark })
      },
      end,
      crash: () => {
        end()
        Deferred.unsafeDone(crash, Effect.void)
      }
    }
  })
