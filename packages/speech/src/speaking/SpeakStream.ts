import { type AudioCodecs, type AudioEncoder, makeResampler } from "@trunkline/audio"
import { describeCause } from "@trunkline/kernel"
import { Cause, Effect, Option, type Scope, Stream } from "effect"
import { codecRefused } from "../forms/Rules.js"
import type { StreamAsked } from "../forms/StreamForm.js"
import type { Reference, SpeechFailure, Synthesizer } from "../ports/Synthesizer.js"
import { streamThrough } from "./InSlices.js"
import { charactersOf, type Script } from "./Script.js"
import type { SpeakingFailure } from "./SpeakingFailure.js"
import type { SpeechMeter } from "./SpeechMeter.js"
import { silent, spoken } from "./Spoken.js"

/** A stream of speech that is ready to begin. */
interface Ready {
  readonly asked: StreamAsked
  readonly script: Script
  readonly reference: Reference
  readonly meter: SpeechMeter
}

const encodedBy = ({ end, push }: AudioEncoder) => <E>(sound: Stream.Stream<Float32Array, E>) =>
  Stream.mapEffect(sound, push).pipe(
    Stream.concat(Stream.fromEffect(end)),
    Stream.filter((bytes) => bytes.length > 0)
  )

const unsettled = (cause: Parameters<typeof describeCause>[0]) =>
  Effect.logError("A speech that was sent could not be charged", describeCause(cause))

/**
 * Speaks, and completes once the first bytes are there: what fails before them fails here, what fails later breaks the
 * stream off. It costs nothing when it fails; who leaves pays for the clauses that were begun. The stream lives as long
 * as the scope.
 */
export const speakStream = (
  { codecs, synthesizer }: { readonly codecs: AudioCodecs["Type"]; readonly synthesizer: Synthesizer["Type"] },
  { asked: { format, pace }, meter, reference, script }: Ready
): Effect.Effect<Stream.Stream<Uint8Array, SpeechFailure>, SpeakingFailure, Scope.Scope> =>
  Effect.gen(function*() {
    const encoder = yield* Effect.mapError(codecs.encoder(format), codecRefused)
    const { nativeRate } = synthesizer.ability
    let begun = 0
    let due: "nothing" | "begun" | "all" = "nothing"

    yield* Effect.acquireRelease(meter.reserve(script.characters), () =>
      Effect.suspend(() =>
        due === "nothing"
          ? meter.release
          : Effect.catchAllCause(
            meter.settle(due === "all" ? script.characters : charactersOf(script, begun)),
            unsettled
          )
      ))
    const sound = spoken(synthesizer, { script, pace, reference, take: 0, onBegin: () => begun += 1 })
    const bytes = sound.pipe(
      streamThrough(() => makeResampler({ from: nativeRate, to: format.rate })),
      encodedBy(encoder)
    )
    const pull = yield* Stream.toPull(bytes)
    const first = yield* Effect.mapError(pull, Option.getOrElse(() => silent))
    due = "begun"
    return Stream.fromChunk(first).pipe(
      Stream.concat(Stream.fromPull(Effect.succeed(pull))),
      Stream.concat(Stream.execute(Effect.sync(() => due = "all"))),
      Stream.tapErrorCause((cause) =>
        Effect.sync(() => {
          if (!Cause.isInterruptedOnly(cause)) due = "nothing"
        })
      )
    )
  })
