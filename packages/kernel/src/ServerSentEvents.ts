const encoder = new TextEncoder()

/** What a client passes over: it only says that the stream is still there. */
export const sseComment: Uint8Array = encoder.encode(":\n\n")

/** A server-sent event whose data is one line, such as JSON; without a name unless given one. */
export const sseFrame = (data: string, name?: string): Uint8Array =>
  encoder.encode(name === undefined ? `data: ${data}\n\n` : `event: ${name}\ndata: ${data}\n\n`)
