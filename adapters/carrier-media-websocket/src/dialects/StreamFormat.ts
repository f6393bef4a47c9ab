/** A message of a stream from the provider. */
export type StreamMessage =
  /**
   * The stream begins; its id is repeated in messages to the provider. `token` is that of the call, where streams come to one
   * address, and tell it themselves.
   */
  | {
    readonly _tag: "Start"
    readonly stream_id: string
    readonly call_id: string | null
    readonly token?: string | null
  }
  /** Sound of the caller, as base64 or as it is; `order` counts the messages, null where they are not counted. */
  | { readonly _tag: "Sound"; readonly payload: string | Uint8Array; readonly order: number | null }
  | { readonly _tag: "Key"; readonly digit: string }
  /** All sound up to a mark was played. */
  | { readonly _tag: "Mark"; readonly name: string }
  /** The call, or its stream, is over. */
  | { readonly _tag: "Stop" }
  | { readonly _tag: "Other" }

/** Protocol of a stream with sound. */
export interface SoundFormat {
  readonly _tag: "Sound"
  /** Sample rate in both directions, in hertz. */
  readonly rate: number
  readonly decode: (bytes: Uint8Array) => Float32Array
  readonly encode: (samples: Float32Array) => Uint8Array
  /** Sound of a message to the provider is a multiple of this, in milliseconds: its rest is filled with silence. */
  readonly pieceMillis: number
  /** True where a socket that closes in order is the end of the call, since there is no message for it. */
  readonly closeIsEnd?: boolean
  readonly read: (text: string) => StreamMessage
  /** Message with sound in base64, the first of a stream being 1; absent where sound is sent as it is, in binary frames. */
  readonly sound?: (payload: string, stream_id: string, order: number) => string
  readonly mark: (name: string, stream_id: string) => string
  readonly clear: (stream_id: string) => string
  /** Message that sends keys; absent where they are sent as tones. */
  readonly keys?: (digits: string, stream_id: string) => string
}

/** Protocol of a stream with words: the provider hears and speaks, as ConversationRelay does. */
export interface WordsFormat {
  readonly _tag: "Words"
  /** Code of the language that a call begins in, such as `en-IN`. */
  readonly language: string
  /** Milliseconds that a provider which comes back has, after the connection broke; 0 where the call ends with its connection. */
  readonly reconnectMillis: number
  /** True where the provider tells when the agent's voice begins and ends; otherwise its end is estimated by the words. */
  readonly tellsVoice: boolean
  /** True where words that are not the last of a sentence are a guess, which the next ones replace. */
  readonly guesses: boolean
  /** Tells the ear what the caller is likely to say; absent where it takes no hints during a call. */
  readonly hints?: (phrases: ReadonlyArray<string>) => string
  /** Words to speak; the last token of an utterance ends it, and may be empty. */
  readonly textToken: (token: string, options: TokenOptions) => string
}

/** Options of a token of words. */
export interface TokenOptions {
  readonly last: boolean
  /** Code of its language. */
  readonly lang: string
  /** False for words that must be heard to the end, where the provider knows this. */
  readonly interruptible: boolean
}

export type StreamFormat = SoundFormat | WordsFormat

/** Parses a JSON object; null for anything else. */
export const parseObject = (text: string): object | null => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? value : null
  } catch {
    return null
  }
}

/** A field of an object as text; empty when it is missing. Numbers become text. */
export const textAt = (value: unknown, ...path: ReadonlyArray<string>): string => {
  let at: unknown = value
  for (const name of path) at = typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined
  return typeof at === "string" ? at : typeof at === "number" || typeof at === "boolean" ? String(at) : ""
}

/** A counter of messages; null when it is missing. */
const orderAt = (value: unknown, ...path: ReadonlyArray<string>): number | null => {
  const text = textAt(value, ...path)
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

/** Names in which the messages of a provider differ from those of others. */
interface StreamNames {
  /** Field with the id of the stream, of a message that begins it or of its `start`. */
  readonly streamId: string
  /** Field of `start` with the id of the call. */
  readonly callId: string
  /** Event that reports a mark, and where its name is; `mark` and its `name` by default. */
  readonly mark?: { readonly event: string; readonly name: ReadonlyArray<string> }
}

/** Makes the reader of messages in the form that Twilio began, and that other providers have with names of their own. */
export const streamReader = (
  { callId, mark = { event: "mark", name: ["mark", "name"] }, streamId }: StreamNames
) =>
(text: string): StreamMessage => {
  const message = parseObject(text)
  const event = textAt(message, "event")
  switch (event) {
    case "start":
      return {
        _tag: "Start",
        stream_id: textAt(message, "start", streamId) || textAt(message, streamId),
        call_id: textAt(message, "start", callId) || null
      }
    case "media":
      return {
        _tag: "Sound",
        payload: textAt(message, "media", "payload"),
        order: orderAt(message, "media", "chunk")
      }
    case "dtmf":
      return { _tag: "Key", digit: textAt(message, "dtmf", "digit") }
    case mark.event:
      return { _tag: "Mark", name: textAt(message, ...mark.name) }
    case "stop":
      return { _tag: "Stop" }
    default:
      return { _tag: "Other" }
  }
}
