import { concatSamples, fromLinear16 } from "@trunkline/audio"
import { fieldOf, objectOf, parseJson } from "@trunkline/kernel"
import { modemTranscriber, Transcriber } from "@trunkline/speech"
import { Effect } from "effect"
import type { Protocol } from "./SpeechServer.js"

/** Sound of one segment, as a server collects it. */
export interface Segment {
  readonly add: (bytes: Buffer) => void
  readonly samples: () => Float32Array
  readonly clear: () => void
  /** The words in the sound of `modemVoice`. */
  readonly words: () => Promise<string>
}

/** Makes an empty segment of sound at a rate. */
export const segment = (rateOf: () => number): Segment => {
  let parts: Array<Float32Array> = []
  return {
    add: (bytes: Buffer) => void parts.push(fromLinear16(bytes)),
    samples: () => concatSamples(parts),
    clear: () => {
      parts = []
    },
    words: () =>
      Effect.runPromise(Effect.provide(
        Effect.flatMap(Transcriber, ({ transcribe }) =>
          transcribe({ rate: rateOf(), samples: concatSamples(parts) }, { language: null })),
        modemTranscriber
      ))
  }
}

/** Message of Deepgram with words; times in seconds of its connection. */
export const deepgramResults = (
  transcript: string,
  { duration, start, ...rest }: {
    readonly start: number
    readonly duration: number
    readonly is_final?: boolean
    readonly from_finalize?: boolean
  }
): string =>
  JSON.stringify({
    type: "Results",
    channel_index: [0, 1],
    start,
    duration,
    is_final: false,
    speech_final: false,
    from_finalize: false,
    ...rest,
    channel: { alternatives: [{ transcript, confidence: 1, words: [] }] }
  })

/**
 * Protocol of Deepgram that understands `modemVoice`. With `interims`, which is off by default, it sends interim results for
 * every second of sound.
 */
export const deepgramServer = ({ interims = false }: { readonly interims?: boolean } = {}): Protocol => (peer) => {
  const rate = Number(new URL(peer.request.url ?? "", "ws://host").searchParams.get("sample_rate"))
  const sound = segment(() => rate)
  let start = 0
  let lastReport = 0
  peer.send(JSON.stringify({ type: "Metadata", request_id: "1" }))

  return async (message) => {
    if (typeof message !== "string") {
      sound.add(message)
      const duration = sound.samples().length / rate
      if (!interims || duration - lastReport < 1) return
      lastReport = duration
      return peer.send(deepgramResults(await sound.words(), { start, duration }))
    }
    const type = fieldOf(objectOf(parseJson(message)), "type")
    if (type === "CloseStream") return peer.close(1000)
    if (type !== "Finalize") return
    const duration = sound.samples().length / rate
    peer.send(deepgramResults(await sound.words(), { start, duration, is_final: true, from_finalize: true }))
    start += duration
    lastReport = 0
    sound.clear()
  }
}

/** Seconds of silence that end an utterance. */
const endpointSeconds = 2

/**
 * Protocol of vosk-server that understands `modemVoice`. An old one, which is not the default, closes the connection at the
 * command `reset`. With `partials`, which are off by default, its answers hold the words so far.
 */
export const voskServer = (
  { isOld = false, partials = false }: { readonly isOld?: boolean; readonly partials?: boolean } = {}
): Protocol =>
(peer) => {
  let rate = 0
  const sound = segment(() => rate)
  const final = async () => {
    peer.send(JSON.stringify({ result: [], text: await sound.words() }))
    sound.clear()
  }

  return async (message) => {
    if (typeof message !== "string") {
      sound.add(message)
      const last = sound.samples().slice(-endpointSeconds * rate)
      const isOver = last.length === endpointSeconds * rate && last.every((sample) => sample === 0)
      if (isOver) return final()
      return peer.send(JSON.stringify({ partial: partials ? await sound.words() : "" }))
    }
    if (message.includes("config")) {
      rate = Number(fieldOf(objectOf(objectOf(parseJson(message))["config"]), "sample_rate"))
    } else if (message === `{"eof" : 1}`) {
      await final()
      peer.close(1000)
    } else if (message === `{"reset" : 1}` && !isOld) {
      await final()
    } else {
      peer.close(1011)
    }
  }
}
