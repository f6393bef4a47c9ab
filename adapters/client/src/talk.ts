/// <reference lib="dom" />
import { openSound, type Sound } from "./talk/Sound.js"
import { TalkError } from "./talk/TalkError.js"

export { TalkError, type TalkErrorCode } from "./talk/TalkError.js"

/** Words of one side. Those that are not final are replaced by the next words of the same side. */
export interface TalkWords {
  readonly role: "agent" | "user"
  readonly text: string
  /** English name of the language, such as `Hindi`; null when it is not known. */
  readonly language_name: string | null
  readonly final: boolean
}

/** Activity of the agent. */
export type TalkState = "listening" | "thinking" | "speaking"

/** End of a call. */
export interface TalkEnd {
  /** Side that ended it. */
  readonly by: "agent" | "user" | "provider" | "timeout"
  /** Why it was cut off; null when it was not. */
  readonly error: TalkError | null
}

/** Options of a call. */
export interface TalkOptions {
  /**
   * `url` of a token that your server has made, or a function that asks your server for one. The function is called once the
   * microphone is open, so that the token does not expire while a person is asked for it.
   */
  readonly url: string | (() => Promise<string> | string)
  /** Address of the API, for a `url` that is a path; the page's own by default. */
  readonly baseUrl?: string
  /**
   * Address of `@trunkline/client/talk-worklet` on your site, for pages whose Content-Security-Policy has no `blob:` in
   * `script-src`. By default the worklet is loaded from a blob.
   */
  readonly worklet?: string
  /** `deviceId` of a microphone; that of the system by default. */
  readonly device?: string
  readonly onWords?: (words: TalkWords) => void
  readonly onState?: (state: TalkState) => void
}

/** A call that goes on. */
export interface Talk {
  /** Id of the attempt, under which the call is recorded. */
  readonly attemptId: string
  /** Silences the microphone, or opens it again. */
  readonly mute: (on: boolean) => void
  /** Presses keys: `0` to `9`, `*` and `#`. */
  readonly press: (keys: string) => void
  readonly hangUp: () => void
  /** Resolves when the call is over; it never rejects. */
  readonly ended: Promise<TalkEnd>
}

/** Version of the protocol that this client speaks. */
const version = 1

/** Unsent bytes, three seconds of sound, beyond which sound is dropped: the network is too slow for it. */
const maxUnsent = 96_000

interface ServerMessage {
  readonly type?: string
  readonly [field: string]: unknown
}

const readMessage = (text: string): ServerMessage => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

const addressOf = async ({ baseUrl, url }: TalkOptions): Promise<string> => {
  const askedText = typeof url === "string" ? url : await url()
  const base = baseUrl === undefined ? "" : baseUrl.replace(/\/+$/, "")
  return new URL(askedText.startsWith("/") ? `${base}${askedText}` : askedText, location.href).href.replace(
    /^http/,
    "ws"
  )
}

/** Carries the call over an open sound, once the server is ready. */
const carry = (address: string, sound: Sound, { onState, onWords }: TalkOptions): Promise<Talk> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(address)
    socket.binaryType = "arraybuffer"
    let hasBegun = false
    let error: TalkError | null = null
    let by: TalkEnd["by"] | null = null
    let resolveEnd: (end: TalkEnd) => void = () => {}
    const talkEnd = new Promise<TalkEnd>((resolve) => void (resolveEnd = resolve))
    const send = (message: object): void => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
    }

    const begin = (attemptId: string): void => {
      hasBegun = true
      sound.onFrame = (pcm) => {
        if (socket.readyState === WebSocket.OPEN && socket.bufferedAmount < maxUnsent) socket.send(pcm)
      }
      sound.onPlayed = (name) => send({ type: "played", name })
      send({ type: "start" })
      resolve({
        attemptId,
        mute: (on) => {
          sound.mute(on)
          send({ type: "mute", on })
        },
        press: (keys) => Array.from(keys, (digit) => send({ type: "key", digit })),
        hangUp: () => {
          by ??= "user"
          sound.clear()
          send({ type: "hang_up" })
        },
        ended: talkEnd
      })
    }

    const receive = (message: ServerMessage): void => {
      switch (message.type) {
        case "ready":
          if (message["version"] === version) return begin(String(message["attempt_id"]))
          error = new TalkError(
            "version",
            `The server speaks version ${message["version"]} of calls: update this client`
          )
          return socket.close()
        case "mark":
          return sound.mark(String(message["name"]))
        case "clear":
          return sound.clear()
        case "transcript":
          return onWords?.(message as unknown as TalkWords)
        case "state":
          return onState?.(message["state"] as TalkState)
        case "error":
          error = new TalkError(String(message["code"]), String(message["message"]))
          return
        case "ended":
          by ??= message["by"] as TalkEnd["by"]
      }
    }

    socket.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) =>
      typeof data === "string" ? receive(readMessage(data)) : sound.play(data)
    socket.onclose = () => {
      sound.close()
      if (!hasBegun) return reject(error ?? new TalkError("connection_failed"))
      if (by === null) error ??= new TalkError("connection_lost")
      resolveEnd({ by: by ?? "provider", error })
    }
  })

/**
 * Begins a call with an agent in a page: opens the microphone, connects, and plays the agent. Call it when a person has
 * clicked, since browsers play no sound before. Rejects with `TalkError`.
 *
 * @example
 * ```ts
 * const talk = await startTalk({
 *   url: async () => (await (await fetch("/call", { method: "POST" })).json()).url,
 *   onWords: ({ role, text }) => console.log(role, text)
 * })
 * const { by } = await talk.ended
 * ```
 */
export const startTalk = async (options: TalkOptions): Promise<Talk> => {
  const sound = await openSound({ device: options.device, worklet: options.worklet })
  try {
    return await carry(await addressOf(options), sound, options)
  } catch (error) {
    sound.close()
    throw error
  }
}
