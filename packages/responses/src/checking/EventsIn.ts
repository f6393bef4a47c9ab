/** What is in a stream of server-sent events: what each of them holds, and whether it is framed as it must be. */
export interface EventsIn {
  readonly events: ReadonlyArray<unknown>
  readonly faults: ReadonlyArray<string>
}

const framePattern = /^event: ([a-z_.]+)\ndata: (\{[^\n]*\})$/

/** Reads the text of a response's stream. Comments, which keep it open, are passed over. */
export const eventsIn = (text: string): EventsIn => {
  const frames = text.split("\n\n").filter((frame) => frame !== "" && !frame.startsWith(":"))
  const events: Array<unknown> = []
  const faults: Array<string> = []
  for (const [index, frame] of frames.entries()) {
    const [, name, data = "null"] = framePattern.exec(frame) ?? []
    const event: unknown = JSON.parse(data)
    if (typeof event !== "object" || event === null || !("type" in event) || event.type !== name) {
      faults.push(`frame ${index}: it is not an event under the name of its type`)
    }
    events.push(event)
  }
  return { events, faults: text === "" || text.endsWith("\n\n") ? faults : [...faults, "the last frame is not whole"] }
}
