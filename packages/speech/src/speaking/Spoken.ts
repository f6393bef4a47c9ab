import { makeStretcher } from "@trunkline/audio"
import { ModelFailed } from "@trunkline/errors"
import { Effect, Stream } from "effect"
import type { Reference, SpeechFailure, Synthesizer } from "../ports/Synthesizer.js"
import { inSlices, streamThrough } from "./InSlices.js"
import type { Script } from "./Script.js"

/** What is spoken, and how. */
export interface Speaking {
  readonly script: Script
  readonly pace: number
  readonly reference: Reference
  readonly take: number
  /** Called as each clause is begun. */
  readonly onBegin?: (index: number) => void
}

/** Pieces of sound that wait for their reader, so that the next clause is spoken while this one is sent. */
const ahead = 2

/** An engine that says nothing where there is something to say. */
export const silent = new ModelFailed({ message: "The speech engine gave no sound" })

const soundly = (sound: Stream.Stream<Float32Array, SpeechFailure>): Stream.Stream<Float32Array, SpeechFailure> =>
  Stream.suspend(() => {
    let samples = 0
    return Stream.concat(
      Stream.tap(sound, (piece) => Effect.sync(() => samples += piece.length)),
      Stream.suspend(() => samples > 0 ? Stream.empty : Stream.fail(silent))
    )
  })

/**
 * The sound of a text at the engine's rate, clause after clause, at the pace asked for. A clause without any sound is a
 * failure: an answer is never shorter than its text without a word.
 */
export const spoken = (
  { ability, speak }: Synthesizer["Type"],
  { onBegin = () => {}, pace, reference, script: { clauses, language }, take }: Speaking
): Stream.Stream<Float32Array, SpeechFailure> => {
  const isNative = ability.controls.includes("pace")
  const clause = (text: string, index: number) =>
    Stream.suspend(() => {
      onBegin(index)
      return soundly(speak({ text, language, pace: isNative ? pace : 1, reference, take }))
    })
  const whole = inSlices(
    Stream.flatMap(Stream.zipWithIndex(Stream.fromIterable(clauses)), ([text, index]) => clause(text, index))
  )
  const paced = isNative || pace === 1
    ? whole
    : streamThrough(() => makeStretcher({ rate: ability.nativeRate, factor: 1 / pace }))(whole)
  return Stream.buffer(paced, { capacity: ahead })
}
