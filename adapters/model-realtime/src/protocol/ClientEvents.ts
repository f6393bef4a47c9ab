import { type Message, messageText, type ModelTool } from "@trunkline/models"
import type { ExactWords, RealtimeSetup } from "@trunkline/turn-taking"
import type { RealtimeSettings } from "../RealtimeOptions.js"
import type { SoundFormat } from "./SoundFormat.js"

/** An event of the protocol. */
export type ClientEvent = { readonly type: string } & Readonly<Record<string, unknown>>

const toolOf = ({ description, name, parameters }: ModelTool) => ({
  type: "function",
  name,
  ...(description !== undefined && { description }),
  parameters: parameters ?? { type: "object", properties: {} }
})

const turnDetectionOf = ({ turnDetection: { silenceMillis, type } }: RealtimeSettings) => ({
  type,
  ...(type === "server_vad" && { silence_duration_ms: silenceMillis }),
  create_response: false,
  interrupt_response: false
})

const agentOf = ({ instructions, tools }: RealtimeSetup) => ({
  instructions,
  tools: tools.map(toolOf),
  tool_choice: "auto"
})

/** The event that begins a session: its sound, its turns, and its agent. Answers are made only when they are asked for. */
export const beginSession = (settings: RealtimeSettings, sound: SoundFormat, setup: RealtimeSetup): ClientEvent => {
  const { transcription: model, voice } = settings
  const turn_detection = turnDetectionOf(settings)
  const session = settings.protocol === "beta"
    ? {
      modalities: ["audio", "text"],
      input_audio_format: sound.names.beta,
      output_audio_format: sound.names.beta,
      input_audio_transcription: { model },
      turn_detection,
      ...(voice !== undefined && { voice })
    }
    : {
      type: "realtime",
      output_modalities: ["audio"],
      audio: {
        input: { format: sound.names.ga, transcription: { model }, turn_detection },
        output: { format: sound.names.ga, ...(voice !== undefined && { voice }) }
      }
    }
  return { type: "session.update", session: { ...session, ...agentOf(setup) } }
}

/** The event that changes the agent of a session. */
export const configureSession = ({ protocol }: RealtimeSettings, setup: RealtimeSetup): ClientEvent => ({
  type: "session.update",
  session: { ...(protocol === "ga" && { type: "realtime" }), ...agentOf(setup) }
})

/** Items of a message: its text, and its calls of tools. */
const itemsOf = (
  message: Message,
  { protocol }: RealtimeSettings
): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const text = messageText(message)
  const output = protocol === "beta" ? "text" : "output_text"
  switch (message.role) {
    case "assistant":
      return [
        ...(text === "" ? [] : [{ type: "message", role: "assistant", content: [{ type: output, text }] }]),
        ...message.toolRequests.map(({ arguments: args, id, name }) => ({
          type: "function_call",
          call_id: id,
          name,
          arguments: args
        }))
      ]
    case "tool":
      return [{ type: "function_call_output", call_id: message.toolRequestId, output: text }]
    case "system":
      return [{ type: "message", role: "system", content: [{ type: "input_text", text }] }]
    default:
      return [{ type: "message", role: "user", content: [{ type: "input_text", text }] }]
  }
}

/** The events that add messages. */
export const addMessages = (
  settings: RealtimeSettings,
  messages: ReadonlyArray<Message>
): ReadonlyArray<ClientEvent> =>
  messages.flatMap((message) => itemsOf(message, settings)).map((item) => ({ type: "conversation.item.create", item }))

/** Name of an answer in the events that ask for it. */
const replyName = (reply: number): string => `reply_${reply}`

/** The answer of a name; null for any other text. */
export const replyOf = (name: string | undefined): number | null => {
  const number = /^reply_(\d+)$/u.exec(name ?? "")?.[1]
  return number === undefined ? null : Number(number)
}

/** The event that asks for an answer, or for exact words, which stay out of the conversation. */
export const createResponse = (reply: number, words: ExactWords | null): ClientEvent => {
  const name = replyName(reply)
  const exact = words === null ? {} : {
    conversation: "none",
    instructions:
      `Read the message of the user aloud in ${words.language_name}, word for word as a phone agent says it. `
      + "Add nothing, leave nothing out, and answer nothing.",
    input: [{ type: "message", role: "user", content: [{ type: "input_text", text: words.text }] }],
    tools: []
  }
  return { type: "response.create", event_id: name, response: { metadata: { reply: name }, ...exact } }
}
