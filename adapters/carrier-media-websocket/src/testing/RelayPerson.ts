import { WebSocket } from "ws"
import { parseObject, textAt } from "../dialects/StreamFormat.js"

/** The person at the other end of a relay, which hears and speaks for both sides. */
export interface RelayPerson {
  /** Utterances of the agent that were spoken, or of which a part was before an interruption. */
  readonly utterances: ReadonlyArray<string>
  /** Messages of the host, by their types, in order. */
  readonly received: ReadonlyArray<string>
  /** Tokens of the host, each with the moment at which it arrived, in epoch milliseconds. */
  readonly tokens: ReadonlyArray<{ readonly text: string; readonly at: number }>
  readonly problems: ReadonlyArray<string>
  /** Hints that the host has given during the call, in order. */
  readonly hints: ReadonlyArray<string>
  /** Keys that the host has sent. */
  readonly keys: () => string
  /** Moments at which the host has taken the connection, in epoch milliseconds. */
  readonly connectionTimes: ReadonlyArray<number>
  /** True while the agent's voice is heard. */
  readonly isHearing: () => boolean
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

/** Milliseconds that the voice takes for a character, and before it begins. */
const pace = { character: 10, begin: 20 }

/** Times in milliseconds of connecting again: between two tries, and in which a delivery was doubtful. */
const again = { every: 100, doubt: 100 }

/** Most events that wait for the host. */
const maxWaiting = 500

const types = ["text", "language", "end", "sendDigits", "config", "hints"]

/** Close codes after which the session is over. */
const isOrderly = (code: number): boolean => code === 1000 || code === 1005

/**
 * Connects a person with a relay at an address; `setup` is its first message. With `reconnectMillis`, a connection that breaks is
 * opened again, and events are replayed: those of whose delivery the provider is not sure, and those since then.
 */
export const connectRelay = (
  url: string,
  headers: Readonly<Record<string, string>>,
  { onClosed, reconnectMillis, setup, tellsVoice, tokenFields = ["token", "last", "lang", "interruptible"] }: {
    readonly setup: object
    readonly tellsVoice: boolean
    readonly tokenFields?: ReadonlyArray<string>
    /** Time in which the provider comes back; 0 where it does not. */
    readonly reconnectMillis: number
    readonly onClosed: (code: number) => void
  }
): RelayPerson => {
  const texts: Array<string> = []
  const received: Array<string> = []
  const tokens: Array<{ readonly text: string; readonly at: number }> = []
  const problems: Array<string> = []
  const hints: Array<string> = []
  const connectionTimes: Array<number> = []
  const events: Array<{ readonly text: string; readonly at: number }> = []
  let [delivered, spoken, brokenAt] = [0, 0, 0]
  let [utterance, handoff]: [string, string | null] = ["", null]
  let keys = ""
  let [isSpeaking, isLast, isOpen, isOver] = [false, false, false, false]
  let pause: number | null = again.every
  let voice: ReturnType<typeof setTimeout> | undefined
  let socket = new WebSocket(url, { headers })

  const deliver = (): void => {
    while (isOpen && delivered < events.length) {
      delivered += 1
      socket.send(events[delivered - 1]?.text ?? "")
    }
  }
  const send = (message: object): void => {
    if (events.length - delivered >= maxWaiting) return
    events.push({ text: JSON.stringify(message), at: Date.now() })
    deliver()
  }
  const tell = (value: "on" | "off"): void => {
    if (tellsVoice) send({ type: "info", name: "agentSpeaking", value, ts: Date.now() })
  }

  const speak = (): void => {
    const rest = utterance.length - spoken
    spoken = utterance.length
    voice = setTimeout(() => {
      if (spoken < utterance.length || !isLast) return speak()
      texts.push(utterance)
      silence()
      tell("off")
    }, Math.max(pace.begin, rest * pace.character))
  }
  const silence = (): void => {
    clearTimeout(voice)
    utterance = ""
    spoken = 0
    isSpeaking = isLast = false
  }

  const receive = (text: string): void => {
    const message = parseObject(text)
    const type = textAt(message, "type")
    received.push(type)
    if (!types.includes(type)) problems.push(`the message ${text.slice(0, 60)}`)
    if (type === "end") {
      handoff = textAt(message, "handoffData")
      isOver = true
      socket.close(1000)
    }
    if (type === "hints") {
      hints.push(textAt(message, "hints"))
      socket.send(JSON.stringify({ type: "configUpdated" }))
    }
    if (type === "sendDigits") keys += textAt(message, "digits")
    if (type !== "text") return
    if (!text.includes("\"last\":")) problems.push("a token without last")
    const unknown = Object.keys(message ?? {}).filter((name) => name !== "type" && !tokenFields.includes(name))
    if (unknown.length > 0) problems.push(`a token with ${unknown.join()}`)
    const token = textAt(message, "token").trim() === "" ? "" : textAt(message, "token")
    if (token !== "") tokens.push({ text: token, at: Date.now() })
    utterance += token
    isLast = textAt(message, "last") === "true" && utterance !== ""
    if (isSpeaking || utterance === "") return
    isSpeaking = true
    voice = setTimeout(() => {
      tell("on")
      speak()
    }, pace.begin)
  }

  const open = (): void => {
    isOpen = true
    connectionTimes.push(Date.now())
    socket.send(JSON.stringify({ type: "setup", ...setup }))
    const doubtful = brokenAt === 0
      ? 0
      : events.slice(0, delivered).filter(({ at }) => at > brokenAt - again.doubt).length
    delivered -= doubtful
    deliver()
  }

  const onClose = (code: number): void => {
    if (isOpen) brokenAt = Date.now()
    isOpen = false
    const comesBack = !isOver && !isOrderly(code) && pause !== null && connectionTimes.length > 0
      && Date.now() - brokenAt < reconnectMillis
    if (!comesBack) {
      isOver = true
      silence()
      return onClosed(code)
    }
    setTimeout(() => {
      if (isOver) return
      socket = new WebSocket(url, { headers })
      listen()
    }, pause ?? 0)
    pause = again.every
  }

  const listen = (): void => {
    socket.on("error", () => undefined)
    socket.on("message", (data) => receive(String(data)))
    socket.on("open", open)
    socket.on("close", onClose)
  }
  listen()

  return {
    utterances: texts,
    received,
    tokens,
    problems,
    hints,
    keys: () => keys,
    connectionTimes,
    isHearing: () => isSpeaking,
    handoff: () => handoff,
    say: (words, lang = "en-IN") =>
      words.forEach((voicePrompt, index) =>
        send({ type: "prompt", voicePrompt, lang, last: index === words.length - 1 })
      ),
    press: (digit) => send({ type: "dtmf", digit }),
    interrupt: (characters) => {
      const utteranceUntilInterrupt = utterance.slice(0, characters)
      silence()
      texts.push(utteranceUntilInterrupt)
      send({
        type: "interrupt",
        utteranceUntilInterrupt,
        durationUntilInterruptMs: characters * pace.character
      })
    },
    breakFor: (millis) => {
      pause = millis
      socket.terminate()
    },
    leave: () => {
      isOver = true
      socket.close(1000)
    }
  }
}
