import { makeStretcher } from "@trunkline/audio"
import { type BadRequest, ModelFailed } from "@trunkline/errors"
import { type LanguageCode, splitClauses, type TextNormalizer } from "@trunkline/spoken-text"
import { Effect, Stream } from "effect"
import { badRequest } from "../forms/FormErrors.js"
import type { Reference, SpeechFailure, Synthesizer } from "../Synthesizer.js"
import { inSlices, pipeThrough } from "../voices/AudioStages.js"

/** A text prepared for speech. */
export interface SpeechScript {
  readonly clauses: readonly [string, ...ReadonlyArray<string>]
  readonly language: LanguageCode
  /** Length of the original text in characters, which is what is charged. */
  readonly characters: number
}

interface ScriptInput {
  readonly text: string
  readonly language: LanguageCode
  /** Null leaves numbers and the like to the engine. */
  readonly normalizer: TextNormalizer["Type"] | null
}

/** Normalizes a text and splits it into clauses. Fails with `BadRequest` when nothing in it can be spoken. */
export const makeScript = ({ language, normalizer, text }: ScriptInput): Effect.Effect<SpeechScript, BadRequest> =>
  Effect.suspend(() => {
    const [first, ...others] = splitClauses(normalizer?.normalize(text, language) ?? text, language)
    return first === undefined
      ? badRequest("text", "text holds nothing that could be spoken")
      : Effect.succeed<SpeechScript>({ clauses: [first, ...others], language, characters: Array.from(text).length })
  })

/** Characters to charge when only the first `begun` clauses were started, in proportion to their length. */
export const billableCharacters = ({ characters, clauses }: SpeechScript, startedClauses: number): number => {
  const lengths = clauses.map(({ length }) => length)
  const sum = (some: ReadonlyArray<number>) => some.reduce((total, length) => total + length, 0)
  return Math.ceil(characters * sum(lengths.slice(0, startedClauses)) / sum(lengths))
}

interface RenderOptions {
  readonly script: SpeechScript
  readonly pace: number
  readonly reference: Reference
  readonly take: number
  /** Called at the start of each clause. */
  readonly onClause?: (index: number) => void
}

/** Chunks buffered for a slow reader, so that the next clause is spoken while this one is sent. */
const readAhead = 2

/** Failure of an engine that returns no audio for a clause. */
export const noAudio = new ModelFailed({ message: "The speech engine returned no audio" })

const failIfEmpty = (audio: Stream.Stream<Float32Array, SpeechFailure>): Stream.Stream<Float32Array, SpeechFailure> =>
  Stream.suspend(() => {
    let samples = 0
    return Stream.concat(
      Stream.tap(audio, (chunk) => Effect.sync(() => samples += chunk.length)),
      Stream.suspend(() => samples > 0 ? Stream.empty : Stream.fail(noAudio))
    )
  })

/**
 * Speaks a script clause by clause at the engine's sample rate, and changes the pace where the engine cannot. A clause
 * without any audio is a failure, so that a speech never silently lacks a part of its text.
 */
export const renderScript = (
  { ability, speak }: Synthesizer["Type"],
  { onClause = () => {}, pace, reference, script: { clauses, language }, take }: RenderOptions
): Stream.Stream<Float32Array, SpeechFailure> => {
  const isNative = ability.controls.includes("pace")
  const renderClause = (text: string, index: number) =>
    Stream.suspend(() => {
      onClause(index)
      return failIfEmpty(speak({ text, language, pace: isNative ? pace : 1, reference, take }))
    })
  const audio = inSlices(
    Stream.flatMap(Stream.zipWithIndex(Stream.fromIterable(clauses)), ([text, index]) => renderClause(text, index))
  )
  const pacedAudio = isNative || pace === 1
    ? audio
    : pipeThrough(() => makeStretcher({ rate: ability.nativeRate, factor: 1 / pace }))(audio)
  return Stream.buffer(pacedAudio, { capacity: readAhead })
}
