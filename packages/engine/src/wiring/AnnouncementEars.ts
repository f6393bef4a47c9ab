import type { Audio } from "@trunkline/audio"
import { ModelTimedOut } from "@trunkline/errors"
import { reasonOf, timeoutAfter, withReason } from "@trunkline/kernel"
import { Listener, type SpeechFailure, Transcriber } from "@trunkline/speech"
import { AnnouncementEar } from "@trunkline/telephony"
import { Duration, Effect, Layer } from "effect"

/** Technical time that the words of an announcement may take: the call they belong to is over, and its line waits. */
const maxListening = Duration.seconds(15)

const tookTooLong = new ModelTimedOut({ message: `it took more than ${Duration.format(maxListening)}` })

/** Sound that a live listener gets at once, in seconds, and the time between: ten times as fast as it was spoken. */
const portionSeconds = 1
const portionEvery = Duration.millis(100)

/** Words of a sound by a listener that expects it as it is spoken. */
const listenTo = ({ open }: Listener["Type"], { rate, samples }: Audio): Effect.Effect<string, SpeechFailure> =>
  Effect.scoped(
    Effect.flatMap(open({ rate, language: null }), ({ flush, push }) => {
      const portion = Math.round(portionSeconds * rate)
      const starts = Array.from({ length: Math.ceil(samples.length / portion) }, (_, index) => index * portion)
      const feed = Effect.forEach(
        starts,
        (from) => Effect.delay(Effect.sync(() => push(samples.subarray(from, from + portion))), portionEvery),
        { discard: true }
      )
      return Effect.zipRight(feed, flush)
    })
  )

/** True for an ear that is not set up, or not as it should be, which its calls tell as well. */
const isLasting = (failure: SpeechFailure): boolean => failure._tag === "ModelUnavailable" && failure.lasting === true

/**
 * The ear for announcements before an answer: the transcriber of the engine, or else its listener. The language is unknown,
 * since the exchange speaks and not the agent. A failure is logged, and nothing was heard then.
 */
export const announcementEarLayer: Layer.Layer<AnnouncementEar, never, Listener | Transcriber> = Layer.effect(
  AnnouncementEar,
  Effect.gen(function*() {
    const { available, transcribe } = yield* Transcriber
    const listener = yield* Listener
    const hear = (sound: Audio) => available ? transcribe(sound, { language: null }) : listenTo(listener, sound)
    const service: AnnouncementEar.Service = {
      wordsOf: (sound) =>
        hear(sound).pipe(
          timeoutAfter(maxListening, tookTooLong),
          Effect.catchAll((failure) => {
            const report = withReason("An announcement before an answer was not understood", reasonOf(failure))
            return Effect.as(isLasting(failure) ? Effect.logDebug(report) : Effect.logWarning(report), "")
          })
        )
    }
    return service
  })
)
