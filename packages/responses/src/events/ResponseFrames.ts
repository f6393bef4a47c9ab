import type { Failure } from "@trunkline/errors"
import type { AnswerEvent, FinishReason, Usage } from "@trunkline/models"
import type { Cause } from "effect"
import { makeOutput } from "../output/Output.js"
import type { ResponseAsked } from "../reading/ResponseAsked.js"
import { begun, ended, type Ending, failed, type Finished } from "../resource/Ending.js"
import type { OutputItem } from "../resource/OutputItem.js"
import type { Outcome } from "../resource/ResponseResource.js"
import { makeFrames } from "./Frames.js"
import { showingIn } from "./ShownOutput.js"

/** The frames of one response's stream, one event each. Every function gives those that are new. */
export interface ResponseFrames {
  /** Whether there were any. */
  readonly hasBegun: () => boolean
  /** Of pieces that came together. */
  readonly pieces: (events: Iterable<AnswerEvent>) => Array<Uint8Array>
  /** What the model came to; null while it is not known. */
  readonly finished: () => Finished | null
  /** The last of a response that its model finished, at a moment in Unix seconds. */
  readonly ending: (finished: Finished, at: number) => Array<Uint8Array>
  /** The last of a response that failed, with what there is of its output. */
  readonly failure: (cause: Cause.Cause<Failure>) => Array<Uint8Array>
}

/** Turns the answer to a request into the events of its stream (shapes 9.5). */
export const makeResponseFrames = (
  { createdAt, echo, reasoning }: ResponseAsked,
  requestId: string
): ResponseFrames => {
  const frames = makeFrames()
  const output = makeOutput({ reasoning, responseId: requestId }, showingIn(frames))
  const echoed = JSON.stringify(echo).slice(1)
  let hasBegun = false
  let finish: FinishReason | null = null
  let usage: Usage | null = null

  const whole = (ending: Ending, items: ReadonlyArray<OutputItem>) => {
    const outcome: Outcome = { id: requestId, object: "response", created_at: createdAt, ...ending, output: items }
    return `${JSON.stringify(outcome).slice(0, -1)},${echoed}`
  }

  const begin = () => {
    if (hasBegun) return
    hasBegun = true
    const response = whole(begun, [])
    frames.addWhole("response.created", response)
    frames.addWhole("response.in_progress", response)
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
    pieces: (events) => {
      for (const event of events) add(event)
      return frames.take()
    },
    finished: () => finish === null || usage === null ? null : { finish, usage },
    ending: (finished, at) => {
      const ending = ended(finished, { at, most: echo.max_output_tokens })
      frames.addWhole(
        ending.status === "completed" ? "response.completed" : "response.incomplete",
        whole(ending, output.items())
      )
      return frames.take()
    },
    failure: (cause) => {
      begin()
      const ending = failed(cause, requestId)
      frames.addWhole("response.failed", whole(ending, output.items()), ending.error)
      return frames.take()
    }
  }
}
