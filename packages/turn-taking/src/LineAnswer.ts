import type { AnswerVerdict } from "@trunkline/kernel"
import { type AnswerDetector, type AnswerSense, makeAnswerDetector } from "@trunkline/telephony"
import { Deferred, Effect, FiberId } from "effect"

/** Detection of the party on a line: a detector that is fed with frames and words, and what the leg tells of it. */
export interface LineAnswer {
  readonly detector: AnswerDetector
  /** Tells what the detector has found since; called after everything that it is fed with. */
  readonly notice: () => void
  readonly sense: AnswerSense
}

/** Makes the answer of a line at a rate in hertz. */
export const makeLineAnswer = (rate: number): LineAnswer => {
  const detector = makeAnswerDetector({ rate })
  const verdict = Deferred.unsafeMake<AnswerVerdict>(FiberId.none)
  const ready = Deferred.unsafeMake<void>(FiberId.none)
  let last: AnswerVerdict | null = null
  let isReady = false
  /** The first verdict that took the place of another one, and each after it. */
  let revision = Deferred.unsafeMake<AnswerVerdict>(FiberId.none)

  return {
    detector,
    notice: () => {
      const now = detector.verdict
      if (now !== last && now !== null) {
        if (last === null) Deferred.unsafeDone(verdict, Effect.succeed(now))
        else {
          const previous = revision
          revision = Deferred.unsafeMake(FiberId.none)
          Deferred.unsafeDone(previous, Effect.succeed(now))
        }
        last = now
      }
      if (!isReady && detector.isReady) {
        isReady = true
        Deferred.unsafeDone(ready, Effect.void)
      }
    },
    sense: {
      verdict: Deferred.await(verdict),
      revision: (of) =>
        Effect.suspend(() => last === null || last === of ? Deferred.await(revision) : Effect.succeed(last)),
      ready: Deferred.await(ready)
    }
  }
}
