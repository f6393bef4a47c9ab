import type { FrameSocket } from "@trunkline/telephony"
import { Effect, Runtime } from "effect"
import { parseObject, textAt } from "../../src/dialects/StreamFormat.js"

/** Milliseconds that a voice takes to begin and for a character, that the caller thinks, and that a delivery is in doubt. */
const pace = { begin: 50, character: 10, reply: 200, doubt: 100 }

/** A provider with its caller, in virtual time: it outlives the processes that it is connected with. */
export interface RelayWorld {
  /** Connects a process; the returned function is the end of the process. */
  readonly connect: (receive: (text: string) => void) => { readonly socket: FrameSocket; readonly die: () => void }
  /** All text that processes have sent, in order. */
  readonly sent: () => string
  /** Utterances that the caller has heard. */
  readonly heard: ReadonlyArray<string>
  /** Moments at which words arrived, in milliseconds. */
  readonly wordsAt: ReadonlyArray<number>
  readonly isOver: () => boolean
}

/**
 * Makes a provider whose caller answers each question with the next of some lines. While no process is there, events wait; the
 * next process gets them some milliseconds after it has connected, after those of whose delivery the provider is not sure.
 */
export const makeRelayWorld = (lines: ReadonlyArray<string>, replayMillis: number) =>
  Effect.map(Effect.runtime(), (runtime): RelayWorld => {
    const later = (millis: number, act: () => void): void =>
      void Runtime.runFork(runtime)(Effect.delay(Effect.sync(act), millis))
    const now = () => Runtime.runSync(runtime)(Effect.clockWith(({ currentTimeMillis }) => currentTimeMillis))
    const replies = [...lines]
    const heard: Array<string> = []
    const wordsAt: Array<number> = []
    const events: Array<{ readonly text: string; readonly at: number }> = []
    let [sent, cycle, spoken] = ["", "", 0]
    let [isSpeaking, isLast, isOver] = [false, false, false]
    let delivered = 0
    let receive: ((text: string) => void) | null = null

    const deliver = (): void => {
      while (receive !== null && delivered < events.length) {
        delivered += 1
        receive(events[delivered - 1]?.text ?? "")
      }
    }
    const emit = (message: object): void => {
      events.push({ text: JSON.stringify(message), at: now() })
      deliver()
    }

    const reply = (text: string): void => {
      const words = text.includes("?") ? replies.shift() : undefined
      if (words === undefined) return
      later(pace.reply, () => emit({ type: "prompt", voicePrompt: words, lang: "en-IN", last: true }))
    }
    const speak = (): void => {
      const rest = cycle.length - spoken
      spoken = cycle.length
      later(rest * pace.character, () => {
        if (spoken < cycle.length) return speak()
        if (!isLast) return later(pace.begin, speak)
        const text = cycle
        heard.push(text)
        cycle = ""
        spoken = 0
        isSpeaking = isLast = false
        emit({ type: "info", name: "agentSpeaking", value: "off", ts: now() })
        reply(text)
      })
    }
    const hear = (frame: string | Uint8Array): void => {
      const message = parseObject(String(frame))
      const type = textAt(message, "type")
      if (type === "end") isOver = true
      if (type !== "text") return
      const token = textAt(message, "token")
      if (token !== "") wordsAt.push(now())
      sent += sent === "" || /^\s|^$/.test(token) ? token : ` ${token}`
      cycle += token
      isLast = textAt(message, "last") === "true" && cycle !== ""
      if (isSpeaking || cycle === "") return
      isSpeaking = true
      later(pace.begin, () => {
        emit({ type: "info", name: "agentSpeaking", value: "on", ts: now() })
        speak()
      })
    }

    return {
      heard,
      wordsAt,
      sent: () => sent.replace(/\s+/g, " ").trim(),
      isOver: () => isOver,
      connect: (to) => {
        let isAlive = true
        later(replayMillis, () => {
          if (!isAlive) return
          receive = to
          deliver()
        })
        return {
          socket: {
            post: (frame) => isAlive && hear(frame),
            waitingBytes: () => 0,
            hear: () => {},
            close: () => {}
          },
          die: () => {
            isAlive = false
            receive = null
            const doubtful = events.slice(0, delivered).filter(({ at }) => at > now() - pace.doubt)
            delivered -= doubtful.length
          }
        }
      }
    }
  })
