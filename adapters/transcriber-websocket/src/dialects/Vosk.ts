import { isJsonObject, listOf, objectOf, parseJson, stringOf } from "@trunkline/kernel"
import { Redacted } from "effect"
import type { ListenDialect, ServerReply } from "../ListenDialect.js"

/** Options of the Vosk dialect. */
export interface VoskOptions {
  /**
   * Way to ask for the final words. `reset`, the default, is a command of vosk-server since December 2023. `silence` sends
   * 2.2 seconds of silence, after which the recognizer ends the utterance by itself: for older servers, which close the
   * connection at an unknown command.
   */
  readonly flush?: "reset" | "silence"
}

/** Seconds of silence after which an utterance ends by the default rules of Kaldi's endpointing (2 s), and a margin. */
const silenceSeconds = 2.2

/** The server compares its commands as text, so the spaces matter. */
const commands = { reset: `{"reset" : 1}`, eof: `{"eof" : 1}` } as const

const words = (text: string, isFinal: boolean): ServerReply => ({
  _tag: "Words",
  text,
  isFinal,
  until: null,
  isFlushed: false
})

const read = (text: string): ServerReply | null => {
  const message = parseJson(text)
  if (!isJsonObject(message)) return null
  const [best] = listOf(message["alternatives"])
  const final = stringOf(message["text"]) ?? stringOf(objectOf(best)["text"])
  if (final !== undefined) return words(final, true)
  const partial = stringOf(message["partial"])
  return partial === undefined ? null : words(partial, false)
}

/**
 * Dialect of vosk-server's WebSocket server in Python, for addresses such as `ws://127.0.0.1:2700`, written from its
 * source. The server recognizes one language, that of its model. It answers each message once, so an answer's number
 * tells which sound it covers. A key is sent as a bearer token, for servers behind a proxy.
 */
export const vosk = ({ flush = "reset" }: VoskOptions = {}): ListenDialect => ({
  name: "vosk",
  packet: "100 millis",
  open: ({ apiKey, rate, url }) => ({
    url,
    headers: apiKey === null ? {} : { authorization: `Bearer ${Redacted.value(apiKey)}` },
    messages: [JSON.stringify({ config: { sample_rate: rate } })]
  }),
  flush: ({ rate }) => flush === "reset" ? commands.reset : new Uint8Array(2 * Math.round(silenceSeconds * rate)),
  keepAlive: null,
  closing: commands.eof,
  answersEach: true,
  read,
  mayReconnect: () => true
})
