import { mulaw } from "@trunkline/audio"
import { parseObject, type SoundFormat, streamReader, textAt } from "../StreamFormat.js"

/** Mark of a call, which it is given when it is created: its attempt, and the token of its stream. */
export interface SmartfloMark {
  readonly attempt_id: string
  readonly token: string
}

/** Writes the mark of a call as one text, for the field of its own that a call can have. */
export const writeMark = ({ attempt_id, token }: SmartfloMark): string => `${attempt_id}.${token}`

/** Reads the mark of a call; null for any other text, such as that of a call which was made elsewhere. */
export const readMark = (text: string): SmartfloMark | null => {
  const [, attempt_id, token] = /^([\da-f-]{36})\.([\w-]{43})$/.exec(text) ?? []
  return attempt_id === undefined || token === undefined ? null : { attempt_id, token }
}

const readMessage = streamReader({ streamId: "streamSid", callId: "callSid" })

/** The field of our own in the `start` of a stream: its `customParameters` are an object, or the text of one. */
const ownField = (text: string, name: string): string => {
  const start: unknown = Reflect.get(parseObject(text) ?? {}, "start")
  const parameters = textAt(start, "customParameters")
  return textAt(start, "customParameters", name) || textAt(parameters === "" ? null : parseObject(parameters), name)
}

/**
 * Bi-directional streams of Smartflo: mu-law of 8 kHz in multiples of 160 bytes, which are 20 ms, with counted messages. Source:
 * https://docs.smartflo.tatatelebusiness.com/docs/bi-directional-audio-streaming-integration-document
 *
 * The page has `customParameters` in the `start`, and not that the field of our own is among them: published clients read it there.
 * The `callSid` is not the id by which the API knows the call, so that it is not kept.
 */
export const smartfloStream = (customField: string): SoundFormat => ({
  _tag: "Sound",
  rate: 8_000,
  decode: mulaw.decode,
  encode: mulaw.encode,
  pieceMillis: 20,
  read: (text) => {
    const message = readMessage(text)
    return message._tag === "Start"
      ? { ...message, call_id: null, token: readMark(ownField(text, customField))?.token ?? null }
      : message
  },
  sound: (payload, streamSid, order) =>
    `{"event":"media","streamSid":"${streamSid}","media":{"payload":"${payload}","chunk":${order}}}`,
  mark: (name, streamSid) => JSON.stringify({ event: "mark", streamSid, mark: { name } }),
  clear: (streamSid) => JSON.stringify({ event: "clear", streamSid })
})
