import { isJsonObject, listOf, objectOf, parseJson, stringOf } from "@trunkline/kernel"
import { type Segment, segment } from "./Protocols.js"
import type { ClientMessage, Peer, Protocol } from "./SpeechServer.js"

/** Faults of the messages of a client, against the documentation of a provider. */
export type Problems = Array<string>

/** Options of the doubles. */
export interface DoubleOptions {
  /** Collects the faults of the messages. */
  readonly problems?: Problems
  /** Key that is accepted. Default: every one. */
  readonly key?: string
}

const queryOf = (peer: Peer): Readonly<Record<string, string>> =>
  Object.fromEntries(new URL(peer.request.url ?? "", "ws://host").searchParams)

const check = (problems: Problems, isFine: boolean, problem: string) => {
  if (!isFine) problems.push(problem)
}

const messageOf = (message: ClientMessage): Readonly<Record<string, unknown>> => {
  const json = typeof message === "string" ? parseJson(message) : undefined
  return isJsonObject(json) ? json : {}
}

const send = (peer: Peer, message: Readonly<Record<string, unknown>>) => peer.send(JSON.stringify(message))

/** Seconds between the messages about a turn. */
const updateSeconds = 0.25

/** Deepgram's Flux (https://developers.deepgram.com/docs/flux/state): `TurnInfo`, and `ForceEndTurn`, which a silent turn ignores. */
export const fluxServer = ({ key, problems = [] }: DoubleOptions = {}): Protocol => (peer) => {
  const query = queryOf(peer)
  const rate = Number(query["sample_rate"])
  check(problems, query["encoding"] === "linear16" && query["eot_threshold"] === "1.0", "query")
  check(problems, key === undefined || peer.request.headers.authorization === `Token ${key}`, "authorization")
  const sound = segment(() => rate)
  let begin = 0
  let soundEnd = 0
  let lastReport = 0
  let turn = 0
  const turnInfo = (event: string, transcript: string, end: number, rest: Readonly<Record<string, unknown>> = {}) =>
    send(peer, {
      type: "TurnInfo",
      request_id: "1",
      sequence_id: 0,
      event,
      turn_index: turn,
      audio_window_start: begin,
      audio_window_end: end,
      transcript,
      words: [],
      end_of_turn_confidence: 0,
      ...rest
    })
  send(peer, { type: "Connected", request_id: "1", sequence_id: 0 })

  return async (message) => {
    if (typeof message !== "string") {
      sound.add(message)
      soundEnd = begin + sound.samples().length / rate
      if (soundEnd - lastReport < updateSeconds) return
      lastReport = soundEnd
      return turnInfo("Update", await sound.words(), soundEnd)
    }
    const { type } = messageOf(message)
    if (type === "CloseStream") return peer.close(1000)
    check(problems, type === "ForceEndTurn", `message ${String(type)}`)
    const words = await sound.words()
    if (words === "") return
    turnInfo("EndOfTurn", words, soundEnd, { trigger: "manual" })
    turn++
    begin = soundEnd
    sound.clear()
  }
}

/** Sound in Base64, which must decode. */
const addBase64 = (sound: Segment, audio: unknown, problems: Problems) => {
  const text = stringOf(audio)
  check(problems, text !== undefined && /^[A-Za-z0-9+/]+=*$/.test(text), "audio is not Base64")
  sound.add(Buffer.from(text ?? "", "base64"))
}

/** Sarvam's realtime streaming (https://docs.sarvam.ai/api-reference/speech-to-text/transcribe/realtime/ws) with turns of the client. */
export const sarvamServer = ({ key, problems = [] }: DoubleOptions = {}): Protocol => (peer) => {
  const query = queryOf(peer)
  check(problems, query["endpointing"] === "manual" && query["encoding"] === "linear16", "query")
  check(problems, /^(auto|[a-z]{2}-IN)$/.test(query["language_code"] ?? ""), "language_code")
  check(problems, key === undefined || peer.request.headers["api-subscription-key"] === key, "key")
  const rate = Number(query["sample_rate"])
  const sound = segment(() => rate)
  let isSpeaking = false
  let utterance_idx = 0
  let lastReport = 0
  send(peer, { event: "session.begin", request_id: "1", config: { turn_detection: "manual" } })

  return async (message) => {
    const { audio, event } = messageOf(message)
    switch (event) {
      case "speech_start":
        check(problems, !isSpeaking, "speech_start within an utterance")
        isSpeaking = true
        return
      case "audio_input":
        check(problems, isSpeaking, "audio_input outside of an utterance")
        addBase64(sound, audio, problems)
        if (sound.samples().length - lastReport < rate) return
        lastReport = sound.samples().length
        return send(peer, { event: "transcript.partial", utterance_idx, text: await sound.words() })
      case "speech_end":
        check(problems, isSpeaking, "speech_end outside of an utterance")
        isSpeaking = false
        send(peer, { event: "transcript.final", utterance_idx, text: await sound.words() })
        utterance_idx++
        lastReport = 0
        return sound.clear()
      case "ping":
        return send(peer, { event: "pong" })
      case "end":
        send(peer, { event: "session.end", request_id: "1" })
        return peer.close(1000)
      default:
        problems.push(`event ${String(event)}`)
    }
  }
}

/** ElevenLabs' Scribe v2 Realtime (its event reference): chunks, and a committed transcript for each commit. */
export const scribeServer = ({ key, problems = [] }: DoubleOptions = {}): Protocol => (peer) => {
  const query = queryOf(peer)
  check(problems, query["commit_strategy"] === "manual" && query["model_id"] === "scribe_v2_realtime", "query")
  check(problems, key === undefined || peer.request.headers["xi-api-key"] === key, "key")
  const rate = Number(/^pcm_(\d+)$/.exec(query["audio_format"] ?? "")?.[1])
  check(problems, [8_000, 16_000, 22_050, 24_000, 44_100, 48_000].includes(rate), `audio_format ${rate}`)
  const sound = segment(() => rate)
  let lastReport = 0
  send(peer, { message_type: "session_started", session_id: "1", config: { sample_rate: rate } })

  return async (message) => {
    const { audio_base_64: audio, commit, message_type } = messageOf(message)
    check(
      problems,
      message_type === "input_audio_chunk" && typeof commit === "boolean",
      `message ${String(message_type)}`
    )
    if (audio !== "") addBase64(sound, audio, problems)
    if (commit !== true) {
      if (sound.samples().length - lastReport < rate) return
      lastReport = sound.samples().length
      return send(peer, { message_type: "partial_transcript", text: await sound.words() })
    }
    lastReport = 0
    if (sound.samples().length < 0.3 * rate) {
      return send(peer, { message_type: "commit_throttled", error: "Commit request ignored" })
    }
    const text = await sound.words()
    send(peer, { message_type: "final_transcript", text })
    send(peer, { message_type: "committed_transcript", text })
    sound.clear()
  }
}

/** OpenAI's realtime transcription (https://developers.openai.com/api/docs/guides/realtime-transcription): an item for each commit. */
export const openAiServer = ({ key, problems = [] }: DoubleOptions = {}): Protocol => (peer) => {
  check(problems, queryOf(peer)["intent"] === "transcription", "query")
  check(problems, key === undefined || peer.request.headers.authorization === `Bearer ${key}`, "authorization")
  const rate = 24_000
  const sound = segment(() => rate)
  let isReady = false
  let item = 0
  send(peer, { type: "session.created", session: { type: "transcription" } })

  return async (message) => {
    const { audio, session, type } = messageOf(message)
    switch (type) {
      case "session.update": {
        const input = objectOf(objectOf(objectOf(session)["audio"])["input"])
        const format = objectOf(input["format"])
        check(problems, format["type"] === "audio/pcm" && format["rate"] === rate, "format")
        check(problems, input["turn_detection"] === null, "turn_detection")
        isReady = true
        return send(peer, { type: "session.updated", session })
      }
      case "input_audio_buffer.append":
        check(problems, isReady, "audio before session.update")
        return addBase64(sound, audio, problems)
      case "input_audio_buffer.commit": {
        if (sound.samples().length < 0.1 * rate) {
          return send(peer, {
            type: "error",
            error: { type: "invalid_request_error", code: "input_audio_buffer_commit_empty" }
          })
        }
        const item_id = `item_${item++}`
        send(peer, { type: "input_audio_buffer.committed", item_id, previous_item_id: null })
        const words = await sound.words()
        sound.clear()
        for (const delta of listOf(words.match(/\S+\s*/g) ?? [])) {
          send(peer, { type: "conversation.item.input_audio_transcription.delta", item_id, content_index: 0, delta })
        }
        return send(peer, {
          type: "conversation.item.input_audio_transcription.completed",
          item_id,
          content_index: 0,
          transcript: words
        })
      }
      default:
        problems.push(`message ${String(type)}`)
    }
  }
}
