import { createParser } from "eventsource-parser"

/** One event of a stream. */
export interface StreamEvent {
  /** Empty where it has no name. */
  readonly name: string
  readonly data: string
}

/** Reads the events of a stream from its bytes. */
export interface Events {
  readonly push: (bytes: Uint8Array) => void
  /** Reads what is left once no more bytes come: the last event may lack its empty line. */
  readonly end: () => void
}

/**
 * Reads server-sent events wherever the bytes are cut. `onLarge` hears of an event of more than so many UTF-16 units;
 * nothing is to be pushed after that. A field `error`, which some servers write in place of `data`, is an event.
 */
export const makeEvents = (options: {
  readonly onEvent: (event: StreamEvent) => void
  readonly onLarge: () => void
  readonly limit: number
}): Events => {
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
  /** Every end of a line becomes LF at once: the parser would wait with a CR for what comes next. */
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
