import { Clock, Duration, Effect, Random, Stream } from "effect"
import type { ModelFailure } from "../LanguageModel.js"
import type { ModelRequest } from "../ModelRequest.js"
import type { Model } from "./Model.js"
import { type DeltaStream, unwrapped, watched } from "./Watched.js"

/**
 * When a model is asked again. The defaults keep to four attempts in all, three or four of them within three seconds
 * (design: llm 2.4 allows six, and four), and wait long enough for a provider that asks for some seconds.
 */
export interface RetryPolicy {
  /** How often it is asked, the first time included; default 4. */
  readonly attempts?: number
  /** The pause before the second attempt; it doubles each time. What is waited is half of it to all of it. Default 500 ms. */
  readonly firstPause?: Duration.DurationInput
  /** What pauses grow to; default 8 s. */
  readonly longestPause?: Duration.DurationInput
  /** From the first attempt to the beginning of the last; default 15 s. */
  readonly patience?: Duration.DurationInput
  /** Whether a model that took too long is asked again; default no, since that makes those wait who have waited long. */
  readonly timeouts?: boolean
}

/** Waits before the next attempt, or fails with the failure of the last one. */
type Pause = (failure: ModelFailure) => Effect.Effect<void, ModelFailure>

const pausing = ({
  attempts = 4,
  firstPause = "500 millis",
  longestPause = "8 seconds",
  patience = "15 seconds",
  timeouts = false
}: RetryPolicy): Effect.Effect<Pause> => {
  const first = Duration.toMillis(firstPause)
  const longest = Duration.toMillis(longestPause)
  const mayPass = (failure: ModelFailure) =>
    failure._tag === "ModelUnavailable"
      ? failure.lasting !== true
      : failure._tag !== "BadRequest" && (timeouts || failure._tag !== "ModelTimedOut")
  return Effect.map(Clock.currentTimeMillis, (began) => {
    const end = began + Duration.toMillis(patience)
    let made = 0
    return (failure) =>
      Effect.gen(function*() {
        made += 1
        if (made >= attempts || !mayPass(failure)) return yield* failure
        const asked = failure._tag === "ModelRateLimited" ? Duration.toMillis(failure.retryAfter) : 0
        const pause = Math.min(longest, first * 2 ** (made - 1)) * (0.5 + 0.5 * (yield* Random.next))
        const now = yield* Clock.currentTimeMillis
        if (now + asked + pause > end) return yield* failure
        yield* Effect.sleep(asked + pause)
      })
  })
}

/**
 * Asks a model again when it fails in a way that may pass: unavailable, failed, out of allowance, and too slow where the
 * policy says so. A stream is asked for again only until its first piece has been shown; from then on a failure goes
 * through. A stream that ends without its `Finish` counts as failed.
 *
 * Pauses grow and differ by chance (Effect's Random), and come on top of what `retryAfter` asks for. Where they would
 * outlast the patience, the failure is given at once, `retryAfter` included. How long an attempt may take is `bounded`'s
 * to say.
 */
export const retrying = (model: Model, policy: RetryPolicy = {}): Model => {
  const generate = (request: ModelRequest, pause: Pause): ReturnType<Model["generate"]> =>
    Effect.catchAll(
      model.generate(request),
      (failure) => Effect.zipRight(pause(failure), generate(request, pause))
    )
  const stream = (request: ModelRequest, pause: Pause): DeltaStream =>
    Stream.suspend(() => {
      let isShown = false
      const onFirst = Effect.sync(() => void (isShown = true))
      return Stream.catchAll(
        watched(model.stream(request), { onFirst }),
        (failure) => isShown ? Stream.fail(failure) : unwrapped(Effect.as(pause(failure), stream(request, pause)))
      )
    })
  return {
    generate: (request) => Effect.flatMap(pausing(policy), (pause) => generate(request, pause)),
    stream: (request) => unwrapped(Effect.map(pausing(policy), (pause) => stream(request, pause)))
  }
}
