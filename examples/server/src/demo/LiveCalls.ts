/** Fields of a live call event that the demo reads. */
export interface LiveEvent {
  readonly type: string
  readonly next_action_status?: string | null
}

/** The events of a stream of server-sent events whose data is JSON, as they come in. */
export async function* liveEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<LiveEvent> {
  let held = ""
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const events = (held + text).split("\n\n")
    held = events.pop() ?? ""
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data !== undefined) yield JSON.parse(data)
    }
  }
}
