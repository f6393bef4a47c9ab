import { client } from "../api/client.js"
import { linesOf } from "../api/lines.js"

export interface Said {
  readonly role: "user" | "assistant"
  readonly text: string
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** The piece of text of a chat chunk or of a response's event; empty for all others. */
const pieceOf = (event: unknown): string => {
  const choices = field(event, "choices")
  const text = Array.isArray(choices)
    ? field(field(choices[0], "delta"), "content")
    : field(event, "type") === "response.output_text.delta"
    ? field(event, "delta")
    : undefined
  return typeof text === "string" ? text : ""
}

const errorOf = (event: unknown): string | undefined => {
  const message = field(field(event, "error") ?? field(field(event, "response"), "error"), "message")
  return typeof message === "string" ? message : undefined
}

interface Options {
  readonly way: "chat" | "responses"
  readonly model: string
  readonly instructions: string
  readonly said: ReadonlyArray<Said>
  readonly signal: AbortSignal
}

const messagesOf = (said: ReadonlyArray<Said>) => said.map(({ role, text }) => ({ role, content: text }))

/** Streams the pieces of an answer. */
export const answer = async function*({ instructions, model, said, signal, way }: Options): AsyncGenerator<string> {
  const response = way === "chat"
    ? await client.chat.create({
      model,
      stream: true,
      messages: [...(instructions === "" ? [] : [{ role: "system", content: instructions }]), ...messagesOf(said)]
    }, signal)
    : await client.responses.create({
      model,
      stream: true,
      ...(instructions !== "" && { instructions }),
      input: messagesOf(said)
    }, signal)
  if (response.body === null) return
  for await (const line of linesOf(response.body)) {
    const data = line.startsWith("data:") ? line.slice(5).trim() : ""
    if (data === "" || data === "[DONE]") continue
    const event: unknown = JSON.parse(data)
    const problem = errorOf(event)
    if (problem !== undefined) throw new Error(problem)
    yield pieceOf(event)
  }
}
