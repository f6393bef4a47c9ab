import { isJsonObject, numberOf, parseJson, stringOf } from "@trunkline/kernel"
import { isoCode } from "@trunkline/spoken-text"
import { Redacted } from "effect"
import type { ListenDialect, ServerReply } from "../ListenDialect.js"
import { deepgramClosing, deepgramFault, deepgramLanguages } from "./Deepgram.js"

/** Options of the Flux dialect. */
export interface FluxOptions {
  /** Model name. Default: `flux-general-multi`, which hears English and Hindi of the twelve. */
  readonly model?: string
  /** Further query parameters, such as `keyterm`; they replace those of the dialect. Default: none. */
  readonly parameters?: Readonly<Record<string, string>>
}

/**
 * Reads `TurnInfo`, whose transcript is that of the whole turn so far. Sound with an empty transcript is done: no turn has begun
 * in it.
 */
const readTurn = (message: Readonly<Record<string, unknown>>): ServerReply | null => {
  const text = stringOf(message["transcript"])
  if (text === undefined) return null
  const isOver = message["event"] === "EndOfTurn"
  return {
    _tag: "Words",
    text,
    isFinal: isOver || text === "",
    until: numberOf(message["audio_window_end"]) ?? null,
    isFlushed: isOver && message["trigger"] === "manual"
  }
}

const read = (text: string): ServerReply | null => {
  const message = parseJson(text)
  if (!isJsonObject(message)) return null
  switch (message["type"]) {
    case "TurnInfo":
      return readTurn(message)
    case "Error":
      return { _tag: "Failed" }
    case "Connected":
    case "ConfigureSuccess":
    case "ConfigureFailure":
      return { _tag: "Notice" }
    default:
      return null
  }
}

/** Time after which Flux ends a turn by itself, in milliseconds: the longest that its guide uses. */
const maxTurnMillis = 30_000

/**
 * Dialect of Deepgram's Flux, for `wss://api.deepgram.com/v2/listen`, by https://developers.deepgram.com/docs/flux/own-turn-detection
 * and https://developers.deepgram.com/docs/flux/force-end-turn: its own detection of turns is off (`eot_threshold=1.0`), and
 * `ForceEndTurn` asks for the final words. Without a turn it is ignored; an `Update` with an empty transcript, which comes for
 * each quarter of a second, then tells that nothing was said, which is why silence is sent before the flush. No page says whether `KeepAlive` exists, so none is sent.
 */
export const flux = ({ model = "flux-general-multi", parameters = {} }: FluxOptions = {}): ListenDialect => ({
  name: "deepgram-flux",
  // The documentation recommends 80 ms.
  packet: "80 millis",
  languages: deepgramLanguages(model),
  open: ({ apiKey, language, rate, url }) => {
    const address = new URL(url)
    const query = {
      model,
      encoding: "linear16",
      sample_rate: String(rate),
      eot_threshold: "1.0",
      eot_timeout_ms: String(maxTurnMillis),
      ...(language !== null && model.endsWith("-multi") && { language_hint: isoCode(language) }),
      ...parameters
    }
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
    return {
      url: address,
      headers: apiKey === null ? {} : { authorization: `Token ${Redacted.value(apiKey)}` },
      messages: []
    }
  },
  flushSilence: "320 millis",
  flush: () => JSON.stringify({ type: "ForceEndTurn" }),
  keepAlive: null,
  closing: JSON.stringify({ type: "CloseStream" }),
  answersEach: false,
  read,
  mayReconnect: ({ reason }) => !reason.startsWith("DATA-"),
  closingFault: deepgramClosing,
  faultOf: deepgramFault
})
