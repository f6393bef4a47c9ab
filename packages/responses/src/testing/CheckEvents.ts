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

/** The faults of a response in a created or in_progress event. */
const inProgressFaults = ({ completed_at, error, incomplete_details, output, status, usage }: ResponseResource) =>
  status === "in_progress" && output.length === 0 && completed_at === null && error === null
    && incomplete_details === null && usage === null
    ? []
    : ["the response is further than in progress"]

/** The faults within a response of a last event. */
const terminalFaults = (response: ResponseResource, type: ResponseEvent["type"]) => {
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
 * All faults of a stream's events: invalid fields, wrong sequence numbers, order or nesting, texts that differ from
 * their deltas, and responses that differ from the events before them. Empty for a correct stream.
 */
export const checkEvents = (events: ReadonlyArray<unknown>): ReadonlyArray<string> => {
  const faults: Array<string> = []
  let at = "the stream"
  const fault = (msg: string) => faults.push(`${at}: ${msg}`)
  const items = makeItemCheck(fault)
  let first: ResponseResource | null = null
  let isOver = false

  const checkResponse = (response: ResponseResource) => {
    first ??= response
    const isSame = response.id === first.id && response.model === first.model
      && response.created_at === first.created_at
    if (!isSame) fault("the response is another one")
  }

  const checkEnd = (event: ResourceEvent) => {
    const { response, type } = event
    const open = items.open()
    for (const msg of terminalFaults(response, type)) fault(msg)
    if ("error" in event && response.error !== null && !sameError(event.error, response.error)) {
      fault("the error is not that of the response")
    }
    if (open !== null && type !== "response.failed") fault("an item is not done")
    if (!sameOutput(response.output, open === null ? items.done() : [...items.done(), open])) {
      fault("the output is not what the events make up")
    }
    isOver = true
  }

  const check = (event: ResponseEvent, index: number) => {
    if (event.sequence_number !== index) fault("the sequence_number does not follow the one before")
    if (isOver) fault("it comes after the end")
    if ((index === 0) !== (event.type === "response.created")) {
      fault("response.created is the first event, and no other")
    }
    if (!("response" in event)) return items.check(event)
    checkResponse(event.response)
    if (isTerminal(event.type)) return checkEnd(event)
    if (event.type === "response.in_progress" && index !== 1) fault("response.in_progress is not the second event")
    for (const msg of inProgressFaults(event.response)) fault(msg)
  }

  for (const [index, event] of events.entries()) {
    at = `event ${index}`
    Either.match(decode(event), {
      onLeft: (error) => {
        for (const { loc, msg } of issuesOf(error, "body")) fault(`${loc.slice(1).join(".")} ${msg}`)
      },
      onRight: (parsedEvent) => {
        at = `event ${index} (${parsedEvent.type})`
        check(parsedEvent, index)
      }
    })
  }
  at = "the stream"
  if (!isOver) fault("there is no last event")
  return faults
}

/** The data of the events of a stream, and the faults of their framing. */
export interface ParsedEvents {
  readonly events: ReadonlyArray<unknown>
  readonly faults: ReadonlyArray<string>
}

const framePattern = /^event: ([a-z_.]+)\ndata: (\{[^\n]*\})$/

/** Parses the text of a response's stream. Comments, which keep the connection open, are skipped. */
export const parseEvents = (text: string): ParsedEvents => {
  const frames = text.split("\n\n").filter((frame) => frame !== "" && !frame.startsWith(":"))
  const events: Array<unknown> = []
  const faults: Array<string> = []
  for (const [index, frame] of frames.entries()) {
    const [, name, data = "null"] = framePattern.exec(frame) ?? []
    const event: unknown = JSON.parse(data)
    if (typeof event !== "object" || event === null || !("type" in event) || event.type !== name) {
      faults.push(`frame ${index}: the event is not named after its type`)
    }
    events.push(event)
  }
  return { events, faults: text === "" || text.endsWith("\n\n") ? faults : [...faults, "the last frame is not whole"] }
}
