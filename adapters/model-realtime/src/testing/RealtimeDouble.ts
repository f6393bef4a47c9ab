import { concatSamples } from "@trunkline/audio"
import { isJsonObject, listOf, numberOf, objectOf, parseJson, stringOf } from "@trunkline/kernel"
import type { ClientMessage, Peer, Protocol } from "@trunkline/transcriber-websocket/testing"
import { formatOf, formats, powerOf, voiceOf, wordsOf } from "./DoubleSound.js"

type Json = Readonly<Record<string, unknown>>

/** Answer of the double to a conversation: its words, and the tool that it wants to use. */
export interface DoubleAnswer {
  readonly text?: string
  readonly tool?: { readonly name: string; readonly arguments: Json }
}

/** Options of the double. */
export interface RealtimeDoubleOptions {
  /** Answers the last item of the conversation: words of the caller, or the result of a tool. */
  readonly answer: (last: string) => DoubleAnswer
  /** Names of the events. Default: `ga`. */
  readonly protocol?: "ga" | "beta"
  /** Fault of the answers that are asked for: its code; none by default. */
  readonly fault?: () => string | null
  /** Moment at which sessions expire, in seconds since 1970; none by default. */
  readonly expiresAt?: number
}

/** A server with OpenAI's Realtime protocol, for tests. */
export interface RealtimeDouble {
  readonly protocol: Protocol
  /** Items of the conversation of each session, as texts. */
  readonly conversations: ReadonlyArray<ReadonlyArray<string>>
  /** Events of the client of each session, without sound. */
  readonly events: ReadonlyArray<ReadonlyArray<Json>>
  /** Faults of the client against the documentation. */
  readonly problems: ReadonlyArray<string>
}

/** Silence that ends a turn, in milliseconds. */
const turnSilence = 500

/** Least mean square of a packet with a voice. */
const audiblePower = 1e-5

const textOf = (item: Json): string => {
  if (item["type"] === "function_call") return `call ${stringOf(item["name"]) ?? ""}`
  if (item["type"] === "function_call_output") return `result ${stringOf(item["output"]) ?? ""}`
  return listOf(item["content"]).map((part) => stringOf(objectOf(part)["text"]) ?? "").join("")
}

/** Items that may be created, by their types. */
const itemTypes = new Set(["message", "function_call", "function_call_output"])

/** Makes a double that understands and speaks `modemVoice`, by https://developers.openai.com/api/reference/resources/realtime. */
export const realtimeDouble = (
  { answer, expiresAt, fault = () => null, protocol: names = "ga" }: RealtimeDoubleOptions
): RealtimeDouble => {
  const conversations: Array<Array<string>> = []
  const events: Array<Array<Json>> = []
  const problems: Array<string> = []
  const output = names === "ga" ? "output_" : ""

  const protocol: Protocol = (peer: Peer) => {
    const items: Array<{ readonly id: string; text: string }> = []
    const conversation: Array<string> = []
    const sessionEvents: Array<Json> = []
    conversations.push(conversation)
    events.push(sessionEvents)
    let format = formats["audio/pcm"]
    let ids = 0
    let heardMillis = 0
    let silentMillis = 0
    let turn: Array<Float32Array> | null = null
    let active: string | null = null

    const send = (type: string, fields: Json = {}): void =>
      peer.send(JSON.stringify({ type, event_id: `event_${++ids}`, ...fields }))
    const check = (isFine: boolean, problem: string): void => {
      if (!isFine) problems.push(problem)
    }
    const addItem = (id: string, text: string): void => {
      items.push({ id, text })
      conversation.splice(0, conversation.length, ...items.map((item) => item.text))
      send(names === "ga" ? "conversation.item.added" : "conversation.item.created", { item: { id } })
    }
    send("session.created", { session: { id: "sess_1", ...(expiresAt !== undefined && { expires_at: expiresAt }) } })

    const update = (session: Json): void => {
      check(names === "beta" || session["type"] === "realtime", "session.update without its type")
      const input = objectOf(objectOf(session["audio"])["input"])
      const name = names === "ga" ? objectOf(input["format"])["type"] : session["input_audio_format"]
      if (name !== undefined) {
        const nextFormat = formatOf(String(name))
        check(nextFormat !== null, `unknown format ${String(name)}`)
        format = nextFormat ?? format
        const detection = objectOf(names === "ga" ? input["turn_detection"] : session["turn_detection"])
        check(detection["create_response"] === false, "the server should not answer by itself")
      }
      send("session.updated", { session })
    }

    const endTurn = async (frames: ReadonlyArray<Float32Array>): Promise<void> => {
      const item_id = `item_${++ids}`
      send("input_audio_buffer.speech_stopped", { item_id, audio_end_ms: Math.round(heardMillis) })
      send("input_audio_buffer.committed", { item_id })
      const text = await wordsOf(concatSamples(frames), format.rate)
      addItem(item_id, text)
      const name = "conversation.item.input_audio_transcription"
      send(`${name}.delta`, { item_id, content_index: 0, delta: text })
      send(`${name}.completed`, {
        item_id,
        content_index: 0,
        transcript: text,
        usage: { type: "tokens", input_tokens: 10, output_tokens: 5, input_token_details: { audio_tokens: 10 } }
      })
    }

    const hear = async (base64: string): Promise<void> => {
      const samples = format.decode(Buffer.from(base64, "base64"))
      const millis = samples.length * 1_000 / format.rate
      const isVoice = powerOf(samples) > audiblePower
      heardMillis += millis
      silentMillis = isVoice ? 0 : silentMillis + millis
      if (turn === null && !isVoice) return
      if (turn === null) {
        turn = []
        send("input_audio_buffer.speech_started", { audio_start_ms: Math.round(heardMillis - millis) })
      }
      turn.push(samples)
      if (silentMillis < turnSilence) return
      const frames = turn
      turn = null
      await endTurn(frames)
    }

    const respond = async (response: Json): Promise<void> => {
      const id = `resp_${++ids}`
      const isExact = response["conversation"] === "none"
      if (active !== null) return send("error", { error: { code: "conversation_already_has_active_response" } })
      active = id
      send("response.created", { response: { id, status: "in_progress", metadata: response["metadata"] ?? null } })
      const code = fault()
      if (code !== null) {
        active = null
        const status_details = { type: "failed", error: { type: "server_error", code } }
        return send("response.done", { response: { id, status: "failed", status_details } })
      }
      const speech = isExact
        ? { text: textOf(objectOf(listOf(response["input"])[0])) }
        : answer(items.at(-1)?.text ?? "")
      const item_id = `item_${++ids}`
      if (speech.text !== undefined) {
        if (!isExact) addItem(item_id, speech.text)
        const sound = await voiceOf(speech.text, format.rate)
        send(`response.${output}audio_transcript.delta`, {
          response_id: id,
          item_id,
          content_index: 0,
          delta: speech.text
        })
        for (let at = 0; at < sound.length && active === id; at += format.rate / 5) {
          const delta = Buffer.from(format.encode(sound.subarray(at, at + format.rate / 5))).toString("base64")
          send(`response.${output}audio.delta`, { response_id: id, item_id, content_index: 0, delta })
        }
        send(`response.${output}audio.done`, { response_id: id, item_id, content_index: 0 })
      }
      if ("tool" in speech && speech.tool !== undefined && active === id) {
        const call = {
          type: "function_call",
          call_id: `call_${++ids}`,
          name: speech.tool.name,
          arguments: JSON.stringify(speech.tool.arguments)
        }
        addItem(`item_${++ids}`, textOf(call))
        send("response.output_item.done", { response_id: id, output_index: 1, item: call })
      }
      const isCancelled = active !== id
      active = null
      send("response.done", {
        response: {
          id,
          status: isCancelled ? "cancelled" : "completed",
          usage: {
            total_tokens: 150,
            input_tokens: 100,
            output_tokens: 50,
            input_token_details: {
              text_tokens: 60,
              audio_tokens: 40,
              cached_tokens: 30,
              cached_tokens_details: { text_tokens: 20, audio_tokens: 10 }
            },
            output_token_details: { text_tokens: 10, audio_tokens: 40 }
          }
        }
      })
    }

    const truncate = ({ audio_end_ms, item_id }: Json): void => {
      const index = items.findIndex(({ id }) => id === item_id)
      const item = items[index]
      check(item !== undefined, `truncates an unknown item`)
      if (item === undefined) return
      item.text = `${item.text.slice(0, 12)}… (${numberOf(audio_end_ms) ?? 0} ms)`
      conversation.splice(0, conversation.length, ...items.map(({ text }) => text))
      send("conversation.item.truncated", { item_id, audio_end_ms })
    }

    return async (message: ClientMessage) => {
      const event = typeof message === "string" ? parseJson(message) : undefined
      if (!isJsonObject(event)) return void problems.push("a message that is no event")
      if (event["type"] === "input_audio_buffer.append") return hear(stringOf(event["audio"]) ?? "")
      sessionEvents.push(event)
      switch (event["type"]) {
        case "session.update":
          return update(objectOf(event["session"]))
        case "conversation.item.create": {
          const item = objectOf(event["item"])
          check(itemTypes.has(stringOf(item["type"]) ?? ""), "an item of an unknown type")
          return addItem(`item_${++ids}`, textOf(item))
        }
        case "conversation.item.truncate":
          return truncate(event)
        case "response.create":
          return void respond(objectOf(event["response"]))
        case "response.cancel":
          check(active === null || event["response_id"] === active, "cancels another response")
          if (active !== null) active = "cancelled"
          return
        default:
          return void problems.push(`unknown event ${String(event["type"])}`)
      }
    }
  }
  return { protocol, conversations, events, problems }
}
