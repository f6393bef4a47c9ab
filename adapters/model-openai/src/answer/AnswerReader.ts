import { isJsonObject, listOf, parseJson } from "@trunkline/kernel"
import type { Delta } from "@trunkline/models"
import { createParser } from "eventsource-parser"
import { invalidAnswer, oversizedAnswer, truncatedAnswer, type UpstreamError } from "../UpstreamError.js"
import { type AnswerOptions, makeAnswer } from "./Answer.js"
import { makeEventTemplate } from "./EventTemplate.js"
import { errorIn, type ErrorText, readErrorText, statusError } from "./StatusError.js"

/** A server-sent event. */
export interface StreamEvent {
  /** Empty if the event has no name. */
  readonly name: string
  readonly data: string
}

/** Parses server-sent events from bytes. */
export interface EventParser {
  readonly push: (bytes: Uint8Array) => void
  /** Parses the rest at the end of the bytes: the last event may lack its empty line. */
  readonly end: () => void
}

/**
 * Parses server-sent events wherever the bytes are cut. Calls `onLarge` for an event over the limit, in UTF-16 units;
 * nothing may be pushed after that. A field `error`, which some servers send instead of `data`, is an event.
 */
const makeEventParser = (options: {
  readonly onEvent: (event: StreamEvent) => void
  readonly onLarge: () => void
  readonly limit: number
}): EventParser => {
  const { limit, onEvent, onLarge } = options
  const decoder = new TextDecoder()
  let endedWithReturn = false
  const parser = createParser({
    maxBufferSize: limit,
    onEvent: ({ data, event }) => onEvent({ name: event ?? "", data }),
    onError: ({ field, type, value }) => {
      if (type === "max-buffer-size-exceeded") onLarge()
      else if (field === "error") onEvent({ name: "error", data: value ?? "" })
    }
  })
  /** Turns every line end into LF at once: the parser would hold a CR back until the next byte. */
  const feed = (text: string) => {
    const rest = endedWithReturn && text.startsWith("\n") ? text.slice(1) : text
    if (text !== "") endedWithReturn = text.endsWith("\r")
    if (rest !== "") parser.feed(rest.includes("\r") ? rest.replace(/\r\n?/g, "\n") : rest)
  }
  return {
    push: (bytes) => feed(decoder.decode(bytes, { stream: true })),
    end: () => feed(`${decoder.decode()}\n\n`)
  }
}

/** Reads the body of one response. */
export interface AnswerReader {
  /** Reads bytes and appends their deltas; returns true if a token was among them. */
  readonly push: (bytes: Uint8Array, deltas: Array<Delta>) => boolean
  /** Appends the remaining deltas at the end of the bytes. */
  readonly end: (deltas: Array<Delta>) => void
  /** `closing`: the answer has ended, but its usage may follow. `whole`: nothing of interest follows. */
  readonly state: () => "open" | "closing" | "whole" | UpstreamError
}

/** Largest whole answer or event, in bytes: parsing a larger one would block the event loop. */
const maxBytes = 8 * 1024 * 1024

/** Translates an error inside a response, whose status was 200. */
const errorInside = (error: ErrorText): UpstreamError => statusError(200, error)

/** Makes a reader for an answer in server-sent events. */
export const makeStreamReader = (options: AnswerOptions): AnswerReader => {
  const answer = makeAnswer(options)
  const template = makeEventTemplate()
  let state: ReturnType<AnswerReader["state"]> = "open"
  let deltas: Array<Delta> = []
  let hasToken = false
  let isLast = false

  const finish = () => {
    state = answer.end(deltas) ? "whole" : truncatedAnswer("no whole answer in the stream")
  }

  const take = (event: string) => {
    const plain = state === "open" ? template.textIn(event) : undefined
    if (plain !== undefined) {
      hasToken = answer.pushText(plain, deltas) || hasToken
      return
    }
    const chunk = parseJson(event)
    const error = errorIn(chunk)
    if (error !== null) state = errorInside(error)
    else if (isJsonObject(chunk)) {
      const isUsage = chunk.usage != null && listOf(chunk.choices).length === 0
      hasToken = answer.push(chunk, deltas) || hasToken
      if (state === "closing" && isUsage) finish()
      else if (answer.finish() !== null) state = "closing"
      else template.learn(event, () => answer.plainText(chunk))
    } else if (!isLast) state = invalidAnswer("a malformed event")
  }

  const events = makeEventParser({
    limit: maxBytes,
    onLarge: () => {
      state = oversizedAnswer(maxBytes)
    },
    onEvent: ({ data, name }) => {
      if (state !== "open" && state !== "closing") return
      const text = data.trim()
      if (text === "[DONE]") finish()
      else if (name === "error") state = errorInside(readErrorText(text))
      else if (text !== "") take(text)
    }
  })

  return {
    push: (bytes, into) => {
      deltas = into
      hasToken = false
      events.push(bytes)
      return hasToken
    },
    end: (into) => {
      deltas = into
      isLast = true
      events.end()
      if (state === "open" || state === "closing") finish()
    },
    state: () => state
  }
}

/** Makes a reader for an answer in one JSON document. */
export const makeWholeReader = (options: AnswerOptions): AnswerReader => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  let state: ReturnType<AnswerReader["state"]> = "open"

  const read = (document: unknown, deltas: Array<Delta>): typeof state => {
    const error = errorIn(document)
    if (error !== null) return errorInside(error)
    if (!isJsonObject(document)) return invalidAnswer("no JSON object")
    const answer = makeAnswer(options)
    answer.push(document, deltas)
    return answer.end(deltas) ? "whole" : truncatedAnswer("no whole answer in the document")
  }

  return {
    push: (bytes) => {
      size += bytes.length
      if (size > maxBytes) state = oversizedAnswer(maxBytes)
      else chunks.push(bytes)
      return false
    },
    end: (deltas) => {
      if (state === "open") state = read(parseJson(new TextDecoder().decode(Buffer.concat(chunks))), deltas)
    },
    state: () => state
  }
}
