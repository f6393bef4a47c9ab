import { api } from "../api/client.js"
import type { ModelName } from "../api/types.js"

export interface Said {
  readonly role: "user" | "assistant"
  readonly text: string
}

interface Options {
  readonly way: "chat" | "responses"
  readonly model: ModelName
  readonly instructions: string
  readonly said: ReadonlyArray<Said>
  readonly signal: AbortSignal
}

/** Streams the pieces of an answer. */
export const answer = async function*({ instructions, model, said, signal, way }: Options): AsyncGenerator<string> {
  const messages = said.map(({ role, text }) => ({ role, content: text }))
  if (way === "chat") {
    const system = instructions === "" ? [] : [{ role: "system" as const, content: instructions }]
    const body = { model, stream: true as const, messages: [...system, ...messages] }
    for await (const { choices } of await api().chat.create(body, { signal })) yield choices[0]?.delta.content ?? ""
    return
  }
  const body = { model, stream: true as const, ...(instructions !== "" && { instructions }), input: messages }
  for await (const event of await api().responses.create(body, { signal })) {
    if (event.type === "response.output_text.delta") yield event.delta
    else if (event.type === "response.failed") throw new Error(event.response.error?.message ?? "The response failed.")
  }
}
