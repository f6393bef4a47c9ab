import { type AudioCodecs, type AudioEncoder, makeResampler } from "@trunkline/audio"
import { describeCause } from "@trunkline/kernel"
import { Cause, Effect, Option, type Scope, Stream } from "effect"
import { toCodecError } from "../forms/FormErrors.js"
import type { StreamRequest } from "../forms/StreamForm.js"
import type { Reference, SpeechFailure, Synthesizer } from "../Synthesizer.js"
import { pipeThrough } from "../voices/AudioStages.js"
import { billableCharacters, noAudio, renderScript, type SpeechScript } from "./Script.js"
import type { SpeechMeter, SpeechRequestFailure } from "./SpeechMeter.js"

interface StreamJob {
  readonly request: StreamRequest
  readonly script: SpeechScript
  readonly reference: Reference
  readonly meter: SpeechMeter
}

const encodeWith = ({ end, push }: AudioEncoder) => <E>(audio: Stream.Stream<Float32Array, E>) =>
  Stream.mapEffect(audio, push).pipe(
    Stream.concat(Stream.fromEffect(end)),
    Stream.filter((bytes) => bytes.length > 0)
  )

const logUnsettled = (cause: Parameters<typeof describeCause>[0]) =>
  Effect.logError("Charging a streamed speech failed after it was sent", describeCause(cause))

/**
 * Streams encoded speech, and completes with the first bytes: an earlier error fails this effect, a later one fails the
 * stream. A failed stream costs nothing. A client that stops reading pays for the clauses that were started. The stream
 * lives as long as the scope.
 */
export const speakStream = (
  { codecs, synthesizer }: { readonly codecs: AudioCodecs["Type"]; readonly synthesizer: Synthesizer["Type"] },
  { request: { format, pace }, meter, reference, script }: StreamJob
): Effect.Effect<Stream.Stream<Uint8Array, SpeechFailure>, SpeechRequestFailure, Scope.Scope> =>
  Effect.gen(function*() {
    const encoder = yield* Effect.mapError(codecs.encoder(format), toCodecError)
    const { nativeRate } = synthesizer.ability
    let startedClauses = 0
    let due: "nothing" | "begun" | "all" = "nothing"

    yield* Effect.acquireRelease(meter.reserve(script.characters), () =>
      Effect.suspend(() =>
        due === "nothing"
          ? meter.release
          : Effect.catchAllCause(
            meter.settle(due === "all" ? script.characters : billableCharacters(script, startedClauses)),
            logUnsettled
          )
      ))
    const audio = renderScript(synthesizer, { script, pace, reference, take: 0, onClause: () => startedClauses += 1 })
    const bytes = audio.pipe(
      pipeThrough(() => makeResampler({ from: nativeRate, to: format.rate })),
      encodeWith(encoder)
    )
    const pull = yield* Stream.toPull(bytes)
    const first = yield* Effect.mapError(pull, Option.getOrElse(() => noAudio))
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
