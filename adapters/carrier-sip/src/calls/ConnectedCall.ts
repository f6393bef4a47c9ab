import type { CallEnd, SipCall } from "@trunkline/sip"
import type { AudioLine, EndedBy, LineEvent, LineTrouble, ReferRequest, ReferResult } from "@trunkline/telephony"
import { Clock, Duration, Effect, Option, type Scope, Stream } from "effect"
import type { MediaSession } from "../media/Media.js"
import { failureReason, notAnswered } from "../outcomes/CallOutcomes.js"

const takenReferResult: ReferResult = { _tag: "Taken" }

const unsupportedReferResult: ReferResult = { _tag: "Unsupported" }

const endedBy = ({ by, kind }: CallEnd): EndedBy => {
  if (by === "remote") return "user"
  return by === "local" || kind === "closed" ? "agent" : "provider"
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

/** Time beyond that of ringing in which the other side reports how a transfer has gone. */
const reportTime = Duration.seconds(10)

/** Result of a transfer by the status that the other side reports of its own call. */
const notTaken = (status: number, rang: boolean): ReferResult => {
  const { reason, status: outcome } = notAnswered({ _tag: "Refused", status, cause: null, rang, retryAfter: null })
  return reason === "declined"
    ? { _tag: "NotTaken", outcome: "declined", reason: null }
    : { _tag: "NotTaken", outcome: outcome === "provider_error" ? "failed" : outcome, reason }
}

/**
 * Makes the line of an answered call. It ends when the other side hangs up, when we do, when the signalling breaks, or
 * when its sound is dead. `over` is called at its end, once; `scope` is that of the carrier, in which it is watched.
 */
export const connectCall = (
  call: SipCall,
  session: MediaSession,
  { natLatch, over, refer, scope, targetOf }: {
    /** The line takes sound from any address. */
    readonly natLatch: boolean
    /** Transfers that the other side may be asked for. */
    readonly refer: "none" | "blind" | "attended"
    /** URI of an address: a number, or a URI as it is. */
    readonly targetOf: (to: string) => string
    readonly over: Effect.Effect<void>
    readonly scope: Scope.Scope
  }
): Effect.Effect<AudioLine> =>
  Effect.gen(function*() {
    let endSide: EndedBy | null = null
    let listener: (event: LineEvent) => void = () => {}
    /** Samples that were played until the end, of those given since the last clear. */
    let playedAtEnd = 0
    let trouble: LineTrouble | null = null

    const since = yield* Clock.currentTimeMillis

    // A call without sound may end before its answer is given up.
    const troubleAt = (by: EndedBy, now: number, kind?: CallEnd["kind"]): LineTrouble | null => {
      if (kind === "no-ack") return notAcknowledged
      if (!session.isDeaf()) return null
      if (by !== "user" && !call.isConfirmed()) return notAcknowledged
      return now - since < soundMillis ? null : noSound(natLatch)
    }

    const end = (by: EndedBy, kind?: CallEnd["kind"]): Effect.Effect<void> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (endSide !== null) return Effect.void
        endSide = by
        trouble = troubleAt(by, now, kind)
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
      endSide === null
        ? Effect.zipRight(end("agent"), Effect.forkIn(call.bye(), scope))
        : Effect.void
    ).pipe(
      Effect.zipRight(Effect.timeout(Effect.interruptible(call.ended), byeTimeout)),
      Effect.ignore,
      Effect.uninterruptible
    )

    const died = Effect.zipRight(session.dead, Effect.zipRight(end("provider"), call.bye()))
    yield* Effect.forkIn(
      Effect.raceFirst(Effect.flatMap(call.ended, (ending) => end(endedBy(ending), ending.kind)), died),
      scope
    )

    const hasEnded = Effect.raceFirst(Effect.as(call.ended, true), Effect.as(Effect.yieldNow(), false))

    /** Asks the other side to call an address instead (RFC 3515), and hangs up once it has reached it. */
    const transfer = ({ replacing, ringTimeout, to }: ReferRequest): Effect.Effect<ReferResult> =>
      Effect.gen(function*() {
        if (replacing !== undefined && refer !== "attended") return unsupportedReferResult
        let rang = false
        const reports = Stream.tap(yield* call.refer(targetOf(to), replacing), ({ status }) =>
          Effect.sync(() => rang ||= status > 100 && status < 200))
        const last = yield* Effect.timeoutOption(Stream.runLast(reports), Duration.sum(ringTimeout, reportTime))
        const status = Option.match(Option.flatten(last), {
          onNone: () =>
            100,
          onSome: (progress) => progress.status
        })
        // Without a final report, the other side has hung up, or tries another target that it was given meanwhile.
        if (status < 200) return (yield* hasEnded) ? takenReferResult : notTaken(408, true)
        if (status >= 300) return notTaken(status, rang)
        yield* hangUp
        return takenReferResult
      }).pipe(Effect.catchAll(() => Effect.succeed(unsupportedReferResult)))

    return {
      _tag: "AudioLine",
      rate: session.rate,
      hear: (hear) => {
        if (endSide !== null) return hear({ _tag: "Ended", by: endSide })
        listener = hear
        session.hear((event) => {
          if (endSide === null) listener(event)
        })
      },
      play: (samples, mark) => {
        if (endSide === null) session.play(samples, mark)
      },
      clear: () => {
        if (endSide === null) return session.clear()
        const sampleCount = playedAtEnd
        playedAtEnd = 0
        return sampleCount
      },
      ...(session.rate === 8_000 && { tap: session.tap }),
      press: (digits) => Effect.suspend(() => endSide === null ? session.press(digits) : Effect.void),
      hangUp,
      signalling: call.signalling,
      replaces: call.replaces,
      ...(refer !== "none" && { refer: transfer }),
      trouble: () => trouble
    }
  })
