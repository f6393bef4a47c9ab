import { WebSocket } from "ws"
import { parseObject, textAt } from "../dialects/StreamFormat.js"

/** The person at the other end of a relay, which hears and speaks for both sides. */
export interface RelayPerson {
  /** Utterances of the agent that were spoken, or of which a part was before an interruption. */
  readonly heard: ReadonlyArray<string>
  /** Messages of the host, by their types, in order. */
  readonly received: ReadonlyArray<string>
  readonly problems: ReadonlyArray<string>
  /** Data that the host has handed over at the end; null before it. */
  readonly handoff: () => string | null
  /** Says words, in a language by its code; in parts that belong together where there are several. */
  readonly say: (words: ReadonlyArray<string>, language?: string) => void
  readonly press: (digit: string) => void
  /** Interrupts the agent after a number of characters of its present utterance. */
  readonly interrupt: (characters: number) => void
  /** Breaks the connection, and opens another one after some milliseconds; null never. */
  readonly breakFor: (millis: number | null) => void
  /** Ends the call. */
  readonly leave: () => void
}

/** Milliseconds that the voice takes for a character. */
const pace = 10

const types = ["text", "language", "end", "sendDigits", "config"]

/** Connects a person with a relay at an address; `setup` is its first message. */
export const connectRelay = (
  url: string,
  headers: Readonly<Record<string, string>>,
  { onClosed, setup }: { readonly setup: object; readonly onClosed: (code: number) => void }
): RelayPerson => {
  const heard: Array<string> = []
  const received: Array<string> = []
  const problems: Array<string> = []
  let utterance = ""
  let voice: ReturnType<typeof setTimeout> | undefined
  let handoff: string | null = null
  let isBroken = false
  const waiting: Array<object> = []
  let socket = new WebSocket(url, { headers })

  const send = (message: object): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
    else if (isBroken) waiting.push(message)
  }

  const speak = (): void => {
    const words = utterance
    send({ type: "info", name: "agentSpeaking", value: "on" })
    voice = setTimeout(() => {
      heard.push(words)
      utterance = ""
      send({ type: "info", name: "agentSpeaking", value: "off" })
    }, words.length * pace)
  }

  const receive = (text: string): void => {
    const message = parseObject(text)
    const type = textAt(message, "type")
    received.push(type)
    if (!types.includes(type)) problems.push(`the message ${text.slice(0, 60)}`)
    if (type === "end") {
      handoff = textAt(message, "handoffData")
      socket.close(1000)
    }
    if (type !== "text") return
    if (!text.includes("\"last\":")) problems.push("a token without last")
    utterance += textAt(message, "token")
    if (textAt(message, "last") === "true") speak()
  }

  const listen = (): void => {
    socket.on("error", () => undefined)
    socket.on("message", (data) => receive(String(data)))
    socket.on("open", () => {
      isBroken = false
      send({ type: "setup", ...setup })
      waiting.splice(0).forEach(send)
    })
    socket.on("close", (code) => {
      if (!isBroken) onClosed(code)
    })
  }
  listen()

  return {
    heard,
    received,
    problems,
    handoff: () => handoff,
    say: (words, lang = "en-IN") =>
      words.forEach((voicePrompt, index) =>
        send({ type: "prompt", voicePrompt, lang, last: index === words.length - 1 })
      ),
    press: (digit) => send({ type: "dtmf", digit }),
    interrupt: (characters) => {
      clearTimeout(voice)
      const utteranceUntilInterrupt = utterance.slice(0, characters)
      heard.push(utteranceUntilInterrupt)
      utterance = ""
      send({ type: "interrupt", utteranceUntilInterrupt, durationUntilInterruptMs: characters * pace })
    },
    breakFor: (millis) => {
      isBroken = true
      socket.terminate()
      if (millis === null) return
      setTimeout(() => {
        socket = new WebSocket(url, { headers })
        listen()
      }, millis)
    },
    leave: () => {
      isBroken = false
      socket.close(1000)
    }
  }
}
