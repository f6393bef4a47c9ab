import type { CallEnd, SipCall } from "@trunkline/sip"
import type { AudioLine, EndedBy, LineEvent, LineTrouble } from "@trunkline/telephony"
import { Clock, Effect, Option, type Scope, Stream } from "effect"
import type { MediaSession } from "../media/Media.js"
import { failureReason } from "../outcomes/CallOutcomes.js"

/** A call that was answered. */
export interface ConnectedCall {
  readonly line: AudioLine
  /**
   * Asks the other side to call a URI instead (RFC 3515), and hangs up once it does; false when it refuses, or when another
   * transfer has taken the place of this one.
   */
  readonly transfer: (target: string) => Effect.Effect<boolean>
}

const endedBy = ({ by, why }: CallEnd): EndedBy => {
  if (by === "remote") return "user"
  return by === "local" || why === "closed" ? "agent" : "provider"
}

/** Trouble of a call whose answer was never acknowledged, so that it was none. */
export const notAcknowledged: LineTrouble = {
  reason: failureReason("the answer was never acknowledged"),
  isFailed: true
}

/** Trouble of a call without any sound from the other side, with what may help. */
const noSound = (natLatch: boolean): LineTrouble => ({
  reason: failureReason(
    `no sound came from the other side${natLatch ? "" : "; if it is behind a NAT, set nat_latch"}`
  ),
  isFailed: false
})

/** Time in milliseconds for which a call must have lasted to say that it had no sound. */
const soundMillis = 1_000

/** Time that a hang-up waits for its confirmation before nobody waits for it any more. */
const byeTimeout = "2 seconds"

/** Time that the other side has to reach the target of a transfer. */
const transferTimeout = "40 seconds"

/**
 * Makes the line of an answered call. It ends when the other side hangs up, when we do, when the signalling breaks, or
 * when its sound is dead. `over` is called at its end, once; `scope` is that of the carrier, in which it is watched.
 */
export const connectCall = (
  call: SipCall,
  session: MediaSession,
  { natLatch, over, scope }: {
    /** The line takes sound from any address. */
    readonly natLatch: boolean
    readonly over: Effect.Effect<void>
    readonly scope: Scope.Scope
  }
): Effect.Effect<ConnectedCall> =>
  Effect.gen(function*() {
    let ended: EndedBy | null = null
    let listener: (event: LineEvent) => void = () => {}
    /** Samples that were played until the end, of those given since the last clear. */
    let playedAtEnd = 0
    let trouble: LineTrouble | null = null

    const since = yield* Clock.currentTimeMillis

    // A call without sound may end before its answer is given up.
    const troubleAt = (by: EndedBy, now: number, why?: CallEnd["why"]): LineTrouble | null => {
      if (why === "no-ack") return notAcknowledged
      if (!session.isDeaf()) return null
      if (by !== "user" && !call.isConfirmed()) return notAcknowledged
      return now - since < soundMillis ? null : noSound(natLatch)
    }

    const end = (by: EndedBy, why?: CallEnd["why"]): Effect.Effect<void> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (ended !== null) return Effect.void
        ended = by
        trouble = troubleAt(by, now, why)
        playedAtEnd = session.clear()
        listener({ _tag: "Ended", by })
        // The line may be kept for long, without the sound that its listener has gathered.
        listener = () => {}
        const warn = trouble === null ? Effect.void : Effect.logWarning(`A call had trouble: ${trouble.reason}`)
        return Effect.zipRight(Effect.zipRight(warn, logSound), over)
      })

    // Tells a bad network or a late machine from a bad product.
    const logSound = Effect.suspend(() =>
      Effect.annotateLogs(Effect.logDebug("The sound of a SIP call has ended"), { ...session.statistics() })
    )

    const hangUp = Effect.suspend(() =>
      ended === null
        ? Effect.zipRight(end("agent"), Effect.forkIn(call.bye(), scope))
        : Effect.void
    ).pipe(
      Effect.zipRight(Effect.timeout(Effect.interruptible(call.ended), byeTimeout)),
      Effect.ignore,
      Effect.uninterruptible
    )

    const died = Effect.zipRight(session.dead, Effect.zipRight(end("provider"), call.bye()))
    yield* Effect.forkIn(
      Effect.raceFirst(Effect.flatMap(call.ended, (how) => end(endedBy(how), how.why)), died),
      scope
    )

    const line: AudioLine = {
      _tag: "AudioLine",
      rate: session.rate,
      hear: (hear) => {
        if (ended !== null) return hear({ _tag: "Ended", by: ended })
        listener = hear
        session.hear((event) => {
          if (ended === null) listener(event)
        })
      },
      play: (samples, mark) => {
        if (ended === null) session.play(samples, mark)
      },
      clear: () => {
        if (ended === null) return session.clear()
        const played = playedAtEnd
        playedAtEnd = 0
        return played
      },
      press: (digits) => Effect.suspend(() => ended === null ? session.press(digits) : Effect.void),
      hangUp,
      signalling: call.signalling,
      trouble: () => trouble
    }

    const hasEnded = Effect.raceFirst(Effect.as(call.ended, true), Effect.as(Effect.yieldNow(), false))

    const transfer = (target: string): Effect.Effect<boolean> =>
      Effect.gen(function*() {
        const last = yield* Effect.timeout(Stream.runLast(yield* call.refer(target)), transferTimeout)
        const status = Option.match(last, { onNone: () => 100, onSome: (progress) => progress.status })
        // Without a final report, the other side has hung up, or tries another target that it was given meanwhile.
        if (status < 200) return yield* hasEnded
        if (status >= 300) return false
        yield* hangUp
        return true
      }).pipe(Effect.catchAll(() => Effect.succeed(false)))

    return { line, transfer }
  })
