import type { Failure } from "@trunkline/errors"
import { catchPullCause, describeCause, mapSource, suspendSource } from "@trunkline/kernel"
import type { AnswerEvent, AnswerFailure, FinishReason, Usage } from "@trunkline/models"
import { Cause, Effect, Stream } from "effect"
import { makeOutput } from "../output/Output.js"
import type { ResponseRequest } from "../reading/ReadBody.js"
import type { OutputItem } from "../resource/OutputItem.js"
import { type Outcome, unixSeconds } from "../resource/ResponseResource.js"
import { failedState, type FinishedAnswer, finishedState, inProgress, type ResponseState } from "../ToResponse.js"
import { makeFrameWriter, writingListener } from "./Frames.js"

/** Builds the frames of one response's stream, one event each. Every function returns only new frames. */
interface ResponseFrames {
  /** True once there was a frame. */
  readonly hasBegun: () => boolean
  /** The frames of events that arrived together. */
  readonly events: (events: Iterable<AnswerEvent>) => ReadonlyArray<Uint8Array>
  /** The result of the model; null until it has finished. */
  readonly finished: () => FinishedAnswer | null
  /** The last frames of a response whose model finished `at` a time in Unix seconds. */
  readonly end: (answer: FinishedAnswer, at: number) => ReadonlyArray<Uint8Array>
  /** The last frames of a failed response, with its output so far. */
  readonly failure: (cause: Cause.Cause<Failure>) => ReadonlyArray<Uint8Array>
}

/** Converts the events of an answer to the frames of its response's stream. */
export const makeResponseFrames = (
  { createdAt, echo, reasoning }: ResponseRequest,
  requestId: string
): ResponseFrames => {
  const writer = makeFrameWriter()
  const output = makeOutput({ reasoning, responseId: requestId }, writingListener(writer))
  const echoText = JSON.stringify(echo).slice(1)
  let hasBegun = false
  let finish: FinishReason | null = null
  let usage: Usage | null = null

  const whole = (state: ResponseState, items: ReadonlyArray<OutputItem>) => {
    const outcome: Outcome = { id: requestId, object: "response", created_at: createdAt, ...state, output: items }
    return `${JSON.stringify(outcome).slice(0, -1)},${echoText}`
  }

  const begin = () => {
    if (hasBegun) return
    hasBegun = true
    const response = whole(inProgress, [])
    writer.addWhole("response.created", response)
    writer.addWhole("response.in_progress", response)
  }

  const add = (event: AnswerEvent) => {
    begin()
    if (event._tag === "Total") {
      usage = event.usage
    } else {
      if (event.delta._tag === "Finish") finish = event.delta.reason
      output.push(event.delta)
    }
  }

  return {
    hasBegun: () => hasBegun,
    events: (events) => {
      for (const event of events) add(event)
      return writer.take()
    },
    finished: () => finish === null || usage === null ? null : { finish, usage },
    end: (answer, at) => {
      const state = finishedState(answer, { at, maxOutputTokens: echo.max_output_tokens })
      writer.addWhole(
        state.status === "completed" ? "response.completed" : "response.incomplete",
        whole(state, output.items())
      )
      return writer.take()
    },
    failure: (cause) => {
      begin()
      const state = failedState(cause, requestId)
      writer.addWhole("response.failed", whole(state, output.items()), state.error)
      return writer.take()
    }
  }
}

const lastFrames = (frames: ResponseFrames): Effect.Effect<ReadonlyArray<Uint8Array>> =>
  Effect.suspend(() => {
    const finishedAnswer = frames.finished()
    return finishedAnswer === null
      ? Effect.dieMessage("The model's stream ended without a finish reason or usage")
      : Effect.map(unixSeconds, (at) => frames.end(finishedAnswer, at))
  })

const logDefect = (cause: Cause.Cause<AnswerFailure>) =>
  Cause.isFailure(cause) && !Cause.isDie(cause)
    ? Effect.void
    : Effect.logError("A streamed response failed unexpectedly", describeCause(cause))

/** Implements `Responses.stream` for the events of an answer. */
export const responseStream = (
  request: ResponseRequest,
  requestId: string,
  answer: Stream.Stream<AnswerEvent, AnswerFailure>
): Stream.Stream<Uint8Array, AnswerFailure> =>
  suspendSource(() => {
    const frames = makeResponseFrames(request, requestId)
    const chunks = mapSource(
      answer,
      () => (events) => events === null ? lastFrames(frames) : Effect.succeed(frames.events(events))
    )
    return catchPullCause(chunks, (cause) =>
      frames.hasBegun()
        ? Stream.unwrap(Effect.as(logDefect(cause), Stream.fromIterable(frames.failure(cause))))
        : Stream.failCause(cause))
  })
