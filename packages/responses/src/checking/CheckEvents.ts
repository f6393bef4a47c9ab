import { issuesOf } from "@trunkline/errors"
import { Either, Schema } from "effect"
import { type ResourceEvent, ResponseEvent } from "../events/ResponseEvent.js"
import { OutputItem } from "../resource/OutputItem.js"
import { ResponseError, type ResponseResource } from "../resource/ResponseResource.js"
import { makeItemCheck } from "./ItemCheck.js"

const decode = Schema.decodeUnknownEither(ResponseEvent, { errors: "all", onExcessProperty: "error" })

const sameError = Schema.equivalence(ResponseError)

const sameOutput = Schema.equivalence(Schema.Array(OutputItem))

const isTerminal = (type: ResponseEvent["type"]) =>
  type === "response.completed" || type === "response.incomplete" || type === "response.failed"

/** What is wrong with a response that is not over. */
const unfinished = ({ completed_at, error, incomplete_details, output, status, usage }: ResponseResource) =>
  status === "in_progress" && output.length === 0 && completed_at === null && error === null
    && incomplete_details === null && usage === null
    ? []
    : ["the response is further than in progress"]

/** What is wrong with a response that is over, in itself. */
const finished = (response: ResponseResource, type: ResponseEvent["type"]) => {
  const { completed_at, error, incomplete_details, output, status, usage } = response
  const cut = output.findIndex((item) => item.status !== "completed")
  return [
    ...(type === `response.${status}` ? [] : ["the status is another one than the event's"]),
    ...((completed_at !== null) === (status === "completed") ? [] : ["completed_at does not go with the status"]),
    ...((incomplete_details !== null) === (status === "incomplete")
      ? []
      : ["incomplete_details do not go with the status"]),
    ...((error !== null) === (status === "failed") ? [] : ["error does not go with the status"]),
    ...(usage !== null || status === "failed" ? [] : ["there is no usage"]),
    ...(cut >= 0 && status === "completed" ? ["an item of a completed response is not"] : []),
    ...(cut >= 0 && cut < output.length - 1 ? ["an incomplete item is not the last"] : [])
  ]
}

/**
 * Everything that is wrong with the events of a stream: their form, their numbers, their order and nesting, texts that
 * are not what their deltas make up, and responses that are not what came before them (llm.md 1.2, shapes 9.5). Of a
 * stream without fault it is empty.
 */
export const checkEvents = (events: ReadonlyArray<unknown>): ReadonlyArray<string> => {
  const faults: Array<string> = []
  let at = "the stream"
  const fault = (msg: string) => faults.push(`${at}: ${msg}`)
  const items = makeItemCheck(fault)
  let first: ResponseResource | null = null
  let isOver = false

  const seeResponse = (response: ResponseResource) => {
    first ??= response
    const isSame = response.id === first.id && response.model === first.model
      && response.created_at === first.created_at
    if (!isSame) fault("the response is another one")
  }

  const seeEnd = (event: ResourceEvent) => {
    const { response, type } = event
    const open = items.open()
    for (const msg of finished(response, type)) fault(msg)
    if ("error" in event && response.error !== null && !sameError(event.error, response.error)) {
      fault("the error is not that of the response")
    }
    if (open !== null && type !== "response.failed") fault("an item is not done")
    if (!sameOutput(response.output, open === null ? items.done() : [...items.done(), open])) {
      fault("the output is not what the events make up")
    }
    isOver = true
  }

  const see = (event: ResponseEvent, index: number) => {
    if (event.sequence_number !== index) fault("the sequence_number does not follow the one before")
    if (isOver) fault("it comes after the end")
    if ((index === 0) !== (event.type === "response.created")) {
      fault("response.created is the first event, and no other")
    }
    if (!("response" in event)) return items.see(event)
    seeResponse(event.response)
    if (isTerminal(event.type)) return seeEnd(event)
    if (event.type === "response.in_progress" && index !== 1) fault("response.in_progress is not the second event")
    for (const msg of unfinished(event.response)) fault(msg)
  }

  for (const [index, event] of events.entries()) {
    at = `event ${index}`
    Either.match(decode(event), {
      onLeft: (error) => {
        for (const { loc, msg } of issuesOf(error, "body")) fault(`${loc.slice(1).join(".")} ${msg}`)
      },
      onRight: (known) => {
        at = `event ${index} (${known.type})`
        see(known, index)
      }
    })
  }
  at = "the stream"
  if (!isOver) fault("there is no last event")
  return faults
}
