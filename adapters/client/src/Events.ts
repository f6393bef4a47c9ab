import { failureOfEvent } from "./TrunklineError.js"

/** The value of a field of an event stream: what follows the colon, without one space. */
const valueOf = (line: string, field: string): string | undefined =>
  line.startsWith(`${field}:`) ? line.slice(field.length + 1).replace(/^ /, "") : undefined

/** Chunks of a body. Leaving the loop cancels the body. */
export async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (body === null) return
  // Browsers other than Firefox cannot iterate over a stream.
  const reader = body.getReader()
  let isDone = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      isDone = done
      if (done) return
      yield value
    }
  } finally {
    if (!isDone) await reader.cancel().catch(() => undefined)
  }
}

/** Data of the events of an event stream (WHATWG HTML, 9.2.6), as its pieces come. */
async function* dataOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let buffer = ""
  let data: Array<string> = []
  for await (const chunk of chunks) {
    buffer += decoder.decode(chunk, { stream: true })
    // A carriage return at the end may be half of a line break.
    const lines = buffer.split(/\r\n|\n|\r(?!$)/)
    buffer = lines.pop() ?? ""
    for (const line of lines) {
      const value = valueOf(line, "data")
      if (value !== undefined) data.push(value)
      if (line !== "" || data.length === 0) continue
      yield data.join("\n")
      data = []
    }
  }
}

/**
 * Events of the body of a response, parsed from JSON; the marker `[DONE]` is no event. Throws `TrunklineError` for a failure that
 * is reported in the place of an event.
 */
export async function* eventsOf(response: Response): AsyncGenerator<unknown> {
  for await (const data of dataOf(chunksOf(response.body))) {
    if (data === "[DONE]") continue
    const event: unknown = JSON.parse(data)
    const failure = failureOfEvent(event, response)
    if (failure !== undefined) throw failure
    yield event
  }
}
