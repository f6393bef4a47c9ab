import { concatSamples } from "@trunkline/audio"
import { isJsonObject, listOf, objectOf, parseJson, stringOf } from "@trunkline/kernel"
import type { ClientMessage, Peer, Protocol } from "@trunkline/transcriber-websocket/testing"
import { formatOf, formats, powerOf, voiceOf, wordsOf } from "./DoubleSound.js"

type Json = Readonly<Record<string, unknown>>

/** Reaction of the double to words of the caller: its own words, and whether it delegates. */
export interface LiveReaction {
  readonly say?: string
  readonly delegates?: boolean
}

/** Options of the double. */
export interface LiveDoubleOptions {
  readonly react: (words: string) => LiveReaction
}

/** A server with OpenAI's Live protocol, for tests. */
export interface LiveDouble {
  readonly protocol: Protocol
  /** Events of the client of each session, without sound. */
  readonly events: ReadonlyArray<ReadonlyArray<Json>>
  /** Faults of the client against the documentation. */
  readonly problems: ReadonlyArray<string>
}

/** Silence after which it answers, in milliseconds. */
const turnSilence = 500

/** Least mean square of a packet with a voice. */
const audiblePower = 1e-5

/** Most bytes of a text that is appended: below 500 tokens in any case. */
const maxAppend = 1_000

/** Fields of a session that a start may have; others are refused. */
const sessionFields = new Set(["model", "instructions", "audio", "delegation", "input", "store"])

/**
 * Makes a double that understands and speaks `modemVoice`, by https://developers.openai.com/api/reference/resources/live and
 * https://learn.microsoft.com/azure/foundry/openai/gpt-live-reference.
 */
export const liveDouble = ({ react }: LiveDoubleOptions): LiveDouble => {
  const events: Array<Array<Json>> = []
  const problems: Array<string> = []

  const protocol: Protocol = (peer: Peer) => {
    const sessionEvents: Array<Json> = []
    events.push(sessionEvents)
    let format = formats["audio/pcm"]
    let ids = 0
    let heardMillis = 0
    let saidMillis = 0
    let silentMillis = 0
    let turn: Array<Float32Array> | null = null
    let hasStarted = false
    const delegations = new Set<string>()

    const send = (type: string, fields: Json = {}): void =>
      peer.send(JSON.stringify({ type, event_id: `event_${++ids}`, ...fields }))
    const fail = (problem: string): void => {
      problems.push(problem)
      send("error", { error: { type: "invalid_request_error", code: "invalid_value", message: problem } })
    }

    const begin = (session: Json): void => {
      const unknown = Object.keys(session).filter((field) => !sessionFields.has(field))
      if (unknown.length > 0) return fail(`unknown fields ${unknown.join(", ")}`)
      if (stringOf(session["model"]) === undefined) return fail("no model")
      if (objectOf(session["delegation"])["type"] !== "client") return fail("no client delegation")
      const { rate, type } = objectOf(objectOf(session["audio"])["format"])
      const nextFormat = formatOf(String(type))
      if (nextFormat === null || nextFormat.rate !== rate) return fail("an unknown format")
      for (const item of listOf(session["input"])) {
        const { content, role } = objectOf(item)
        const part = objectOf(listOf(content)[0])
        const isFine = part["type"] === (role === "assistant" ? "output_text" : "input_text")
        if (!isFine || listOf(content).length !== 1) fail("a malformed item of the history")
      }
      format = nextFormat
      hasStarted = true
      send("session.started", { session: { id: "live_1" } })
    }

    const say = async (text: string): Promise<void> => {
      const sound = await voiceOf(text, format.rate)
      const start_ms = Math.round(heardMillis)
      const step = format.rate / 10
      saidMillis += sound.length * 1_000 / format.rate
      send("session.output_transcript.delta", { delta: ` ${text}`, start_ms, end_ms: start_ms + 100 })
      for (let at = 0; at < sound.length; at += step) {
        const delta = Buffer.from(format.encode(sound.subarray(at, at + step))).toString("base64")
        send("session.output_audio.delta", { delta })
      }
      send("session.usage.updated", { usage: { seconds: Math.ceil((heardMillis + saidMillis) / 1_000) } })
    }

    const endTurn = async (frames: ReadonlyArray<Float32Array>): Promise<void> => {
      const end_ms = Math.round(heardMillis - turnSilence)
      const text = await wordsOf(concatSamples(frames), format.rate)
      if (text === "") return
      for (const word of text.split(" ")) {
        send("session.input_transcript.delta", { delta: ` ${word}`, start_ms: Math.max(0, end_ms - 100), end_ms })
      }
      const { delegates = false, say: words } = react(text)
      if (words !== undefined) await say(words)
      if (!delegates) return
      const id = `delegation_${++ids}`
      delegations.add(id)
      send("session.delegation.created", {
        offset_ms: end_ms,
        delegation: { id, type: "delegation", target: "client" }
      })
    }

    const hear = async (base64: string): Promise<void> => {
      const samples = format.decode(Buffer.from(base64, "base64"))
      const millis = samples.length * 1_000 / format.rate
      const isVoice = powerOf(samples) > audiblePower
      heardMillis += millis
      silentMillis = isVoice ? 0 : silentMillis + millis
      if (turn === null && !isVoice) return
      turn ??= []
      turn.push(samples)
      if (silentMillis < turnSilence) return
      const frames = turn
      turn = null
      await endTurn(frames)
    }

    const append = async (kind: string, { content, delegation_id, event_id }: Json): Promise<void> => {
      const text = stringOf(content) ?? ""
      if (text === "" || Buffer.byteLength(text) > maxAppend) return fail("a text that is empty or too long")
      if (delegation_id !== null && !delegations.has(String(delegation_id))) return fail("an unknown delegation")
      send(`session.${kind}.appended`, { client_event_id: event_id ?? null })
      if (kind === "commentary") await say(text)
    }

    return async (message: ClientMessage) => {
      const event = typeof message === "string" ? parseJson(message) : undefined
      if (!isJsonObject(event)) return fail("a message that is no event")
      const type = stringOf(event["type"]) ?? ""
      if (!hasStarted && type !== "session.start") return fail("an event before the start")
      if (type === "session.input_audio.append") return hear(stringOf(event["audio"]) ?? "")
      sessionEvents.push(event)
      const kind = /^session\.(instructions|thinking|commentary)\.append$/u.exec(type)?.[1]
      if (kind !== undefined) return append(kind, event)
      return type === "session.start" ? begin(objectOf(event["session"])) : fail(`unknown event ${type}`)
    }
  }
  return { protocol, events, problems }
}
