import type { Delta } from "@trunkline/models"
import { errorIn, type ErrorWords, wordsOfError } from "../failures/ErrorWords.js"
import { statusTrouble } from "../failures/StatusTrouble.js"
import { brokenOff, nonsense, tooLarge, type Trouble } from "../failures/Trouble.js"
import { isObject, listIn, parsed } from "../Json.js"
import { type Asked, makeAnswer } from "./Answer.js"
import { makeEvents } from "./Events.js"

/** Reads the body of one answer. */
export interface AnswerReader {
  /** Takes bytes in, adds what follows from them to the deltas, and tells whether a token was among them. */
  readonly push: (bytes: Uint8Array, deltas: Array<Delta>) => boolean
  /** Adds what is left: no more bytes come, or are waited for. */
  readonly end: (deltas: Array<Delta>) => void
  /** `closing`: the answer has ended, but its usage may follow. `whole`: nothing follows that is wanted. */
  readonly state: () => "open" | "closing" | "whole" | Trouble
}

/** What a whole answer, or one event of a stream, may have in bytes; to parse more would keep everybody else waiting. */
export const sizeLimit = 8 * 1024 * 1024

/** An error inside an answer has no status of its own that counts. */
const insideTrouble = (words: ErrorWords): Trouble => statusTrouble(200, words)

/** Reads an answer that comes as server-sent events. */
export const makeStreamReader = (asked: Asked): AnswerReader => {
  const answer = makeAnswer(asked)
  let state: ReturnType<AnswerReader["state"]> = "open"
  let deltas: Array<Delta> = []
  let hasToken = false
  let isLast = false

  const finish = () => {
    state = answer.end(deltas) ? "whole" : brokenOff("no whole answer in the stream")
  }

  const take = (chunk: unknown) => {
    const error = errorIn(chunk)
    if (error !== null) state = insideTrouble(error)
    else if (isObject(chunk)) {
      const isUsage = chunk.usage != null && listIn(chunk.choices).length === 0
      hasToken = answer.push(chunk, deltas) || hasToken
      if (state === "closing" && isUsage) finish()
      else if (answer.finish() !== null) state = "closing"
    } else if (!isLast) state = nonsense("a malformed event")
  }

  const events = makeEvents({
    limit: sizeLimit,
    onLarge: () => {
      state = tooLarge(sizeLimit)
    },
    onEvent: ({ data, name }) => {
      if (state !== "open" && state !== "closing") return
      const text = data.trim()
      if (text === "[DONE]") finish()
      else if (name === "error") state = insideTrouble(wordsOfError(text))
      else if (text !== "") take(parsed(text))
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

/** Reads an answer that comes as one JSON document. */
export const makeWholeReader = (asked: Asked): AnswerReader => {
  const pieces: Array<Uint8Array> = []
  let size = 0
  let state: ReturnType<AnswerReader["state"]> = "open"

  const read = (document: unknown, deltas: Array<Delta>): typeof state => {
    const error = errorIn(document)
    if (error !== null) return insideTrouble(error)
    if (!isObject(document)) return nonsense("no JSON object")
    const answer = makeAnswer(asked)
    answer.push(document, deltas)
    return answer.end(deltas) ? "whole" : brokenOff("no whole answer in the document")
  }

  return {
    push: (bytes) => {
      size += bytes.length
      if (size > sizeLimit) state = tooLarge(sizeLimit)
      else pieces.push(bytes)
      return false
    },
    end: (deltas) => {
      if (state === "open") state = read(parsed(new TextDecoder().decode(Buffer.concat(pieces))), deltas)
    },
    state: () => state
  }
}
