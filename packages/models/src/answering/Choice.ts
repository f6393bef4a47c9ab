import { ModelFailed } from "@trunkline/errors"
import { mapSource, parseJson, type Pull, suspendSource } from "@trunkline/kernel"
import { Effect, type Stream } from "effect"
import { type Completion, type Delta, type FinishReason, makeGatherer } from "../Completion.js"
import type { LanguageModel, ModelFailure } from "../LanguageModel.js"
import type { ModelRequest } from "../ModelRequest.js"
import { violations } from "../schema/Violations.js"
import { makeStopFilter, type TextPiece } from "./StopFilter.js"

/** A delta that is emitted to the client. */
export type VisibleDelta = Exclude<Delta, { readonly _tag: "Usage" }>

/** One of the answers to a request, in progress. */
export interface Choice {
  /** Deltas for the client, as they arrive. */
  readonly stream: Stream.Stream<VisibleDelta, ModelFailure>
  /** Everything that has arrived so far. */
  readonly soFar: () => Completion
  /** True if it failed because of its format after all of it was emitted. */
  readonly isMalformed: () => boolean
}

const incompleteAnswer = () => new ModelFailed({ message: "The model's answer broke off. Try again." })
const malformedAnswer = () =>
  new ModelFailed({ message: "The model's answer does not have the form that was asked for. Try again." })

/** Checks an answer against a strict schema. Answers that were cut short are not checked. */
const hasRequestedFormat = ({ format }: ModelRequest, { finish, refusal, text, toolRequests }: Completion): boolean => {
  if (format?.type !== "schema" || !format.strict) return true
  if (finish !== "stop" || refusal !== null || toolRequests.length > 0) return true
  const value = parseJson(text)
  return value !== undefined && violations(format.schema, value).length === 0
}

/** UTF-16 units of the longest token, and of the longest answer without a limit. */
const maxUnits = { token: 128, answer: 33_554_432 }

/** Length from which a model must be ignoring its output limit. */
const maxUnitsOf = ({ limits }: ModelRequest): number =>
  limits?.maxOutputTokens === undefined
    ? maxUnits.answer
    : Math.min(maxUnits.answer, 1_024 + limits.maxOutputTokens * maxUnits.token)

const shownText = (piece: TextPiece | null): ReadonlyArray<VisibleDelta> =>
  piece === null ? [] : [{ _tag: "Text", ...piece }]

/**
 * Makes one answer within the limits of its request: it ends before a stop sequence, is cut off when the model ignores
 * its output limit, hides thoughts if required, and fails if it is incomplete.
 */
export const makeChoice = (
  model: LanguageModel["Type"],
  request: ModelRequest,
  options: { readonly hidesReasoning: boolean }
): Choice => {
  const filter = makeStopFilter(request.limits?.stop ?? [])
  const max = maxUnitsOf(request)
  const completionGatherer = makeGatherer()
  let isCut = false
  let finish: FinishReason | null = null
  let shownWords = ""
  let units = 0
  let hasWrongFormat = false

  /** Ends the answer before its model does. Its usage is what was emitted, not yet counted. */
  const endWith = (reason: FinishReason): VisibleDelta => {
    isCut = true
    finish = reason
    return { _tag: "Finish", reason }
  }

  const soFar = (): Completion => {
    const completion = completionGatherer.completion()
    return isCut ? { ...completion, text: shownWords, usage: null } : completion
  }

  const visibleDeltasOf = (delta: Delta): ReadonlyArray<VisibleDelta> => {
    if (filter.isStopped() || units > max) return []
    units += "text" in delta ? delta.text.length : 0
    if (units > max) return [endWith("length")]
    completionGatherer.append(
      delta._tag === "Text" && delta.logprobs !== undefined ? { _tag: "Text", text: delta.text } : delta
    )
    switch (delta._tag) {
      case "Text": {
        const piece = filter.push(delta)
        shownWords += piece?.text ?? ""
        return filter.isStopped() ? [...shownText(piece), endWith("stop")] : shownText(piece)
      }
      case "Reasoning":
        return options.hidesReasoning ? [] : [delta]
      case "Usage":
        return []
      case "Finish":
        finish = delta.reason
        return []
      case "ToolStart": {
        const rest = filter.flush()
        shownWords += rest?.text ?? ""
        return filter.isStopped() ? [...shownText(rest), endWith("stop")] : [...shownText(rest), delta]
      }
      default:
        return [delta]
    }
  }

  const ending = (): Pull<VisibleDelta, ModelFailed> => {
    if (filter.isStopped() || units > max) return Effect.succeed([])
    if (finish === null) return incompleteAnswer()
    hasWrongFormat = !hasRequestedFormat(request, soFar())
    if (hasWrongFormat) return malformedAnswer()
    const rest = filter.flush()
    shownWords += rest?.text ?? ""
    return Effect.succeed([
      ...shownText(rest),
      filter.isStopped() ? endWith("stop") : { _tag: "Finish", reason: finish }
    ])
  }

  const stream = mapSource(
    suspendSource(() => model.stream(request)),
    (stop) => (deltas): Pull<VisibleDelta, ModelFailure> => {
      if (deltas === null) return ending()
      const rest = deltas.flatMap(visibleDeltasOf)
      return filter.isStopped() || units > max ? Effect.as(stop, rest) : Effect.succeed(rest)
    }
  )

  return {
    stream,
    soFar,
    isMalformed: () => hasWrongFormat
  }
}

/** Applies the limits of its request to a whole answer, as `makeChoice` does for streams. */
export const enforceLimits = (
  completion: Completion,
  request: ModelRequest,
  options: { readonly hidesReasoning: boolean }
): Effect.Effect<Completion, ModelFailed> => {
  const reasoning = options.hidesReasoning ? "" : completion.reasoning
  const stops = request.limits?.stop ?? []
  const filter = makeStopFilter(stops)
  const pieces = stops.length === 0 ? [] : [filter.push(completion), filter.flush()].flatMap((piece) => piece ?? [])
  if (!filter.isStopped()) {
    return hasRequestedFormat(request, completion) ? Effect.succeed({ ...completion, reasoning }) : malformedAnswer()
  }
  return Effect.succeed({
    ...completion,
    reasoning,
    text: pieces.map(({ text }) => text).join(""),
    logprobs: pieces.flatMap(({ logprobs = [] }) => logprobs),
    finish: "stop",
    toolRequests: [],
    usage: null
  })
}
