// States of a leg: open -> broken -> open, and over at the end.
//
// 1. An utterance goes out token by token. It ends when the provider tells that the voice has ended, that the caller has
//    interrupted, or that they have answered; and at the latest when its words would have been spoken slowly.
// 2. What the caller says or presses waits in order until somebody listens.
// 3. A socket that breaks leaves the call as it is; the provider opens another one, and what was not sent is sent there. After
//    the time for that, at its deadline, and when one side hangs up, the leg is over, once.

import {
  type EndedBy,
  type FrameSocket,
  type Heard,
  type Leg,
  LegEnded,
  type Spoken,
  type Utterance
} from "@trunkline/telephony"
import { Deferred, Effect, FiberId, Option, Stream } from "effect"
import { languageCode, languageName } from "./Languages.js"
import { endSession, languageChange, type RelayMessage, textToken } from "./RelayMessages.js"

/** A leg over a relay. */
export interface RelayLeg {
  readonly leg: Leg
  readonly receive: (message: RelayMessage) => void
  /** Goes on over another socket, or waits for one. */
  readonly use: (socket: FrameSocket | null) => void
  readonly end: (by: EndedBy) => void
}

/** Most words and keys that wait for somebody to listen, and most characters of a sentence: beyond it the call ends. */
const maxWaiting = { inputs: 1_000, characters: 20_000 }

/** Unsent bytes above which the other side counts as no longer reading. */
const maxWaitingBytes = 1_048_576

/** Longest time in milliseconds that a character takes to be spoken, and that an utterance takes to begin. */
const slowest = { character: 110, begin: 4_000 }

/** An utterance on its way. */
interface Speech {
  readonly interruptible: boolean
  text: string
  isSent: boolean
  readonly done: Deferred.Deferred<{ readonly heard: string; readonly interrupted: boolean }>
}

/** Makes the leg of a relay that has begun. */
export const makeRelayLeg = ({ deadlineMillis, language, onEnd }: {
  /** Code of the language that the call begins in. */
  readonly language: string
  /** Longest duration, which nothing postpones; null for none. */
  readonly deadlineMillis: number | null
  /** Told the end, once; ends the call at the provider. */
  readonly onEnd: (by: EndedBy) => Effect.Effect<void>
}): RelayLeg => {
  const over = Deferred.unsafeMake<EndedBy>(FiberId.none)
  const waiting: Array<string> = []
  let socket: FrameSocket | null = null
  const heard: Array<Heard> = []
  let partial = ""
  let arrived = Deferred.unsafeMake<void>(FiberId.none)
  let speech: Speech | null = null
  let spokenLanguage = language
  let ended: EndedBy | null = null
  let closing: Effect.Effect<void> = Effect.void

  const post = (message: string): void => {
    if (socket === null) waiting.push(message)
    else if (socket.waitingBytes() > maxWaitingBytes) end("provider")
    else socket.post(message)
  }

  const finish = (result: { readonly heard: string; readonly interrupted: boolean }): void => {
    if (speech === null) return
    Deferred.unsafeDone(speech.done, Effect.succeed(result))
    speech = null
  }

  const hear = (input: Heard): void => {
    if (heard.length >= maxWaiting.inputs) return end("provider")
    heard.push(input)
    Deferred.unsafeDone(arrived, Effect.void)
  }

  const end = (by: EndedBy): void => {
    if (ended !== null) return
    ended = by
    clearTimeout(timer)
    if (by !== "user") post(endSession(by === "timeout" ? "time-limit" : "hang-up"))
    finish({ heard: "", interrupted: true })
    closing = onEnd(by)
    Deferred.unsafeDone(arrived, Effect.void)
    Deferred.unsafeDone(over, Effect.succeed(by))
  }
  const timer = deadlineMillis === null ? undefined : setTimeout(() => end("timeout"), deadlineMillis)

  const onPrompt = ({ isLast, language: code, text }: Extract<RelayMessage, { readonly _tag: "Prompt" }>): void => {
    partial += text
    if (partial.length > maxWaiting.characters) return end("provider")
    if (!isLast) return
    const words = partial.trim()
    partial = ""
    if (words === "") return
    if (speech?.interruptible === true) finish({ heard: speech.text, interrupted: false })
    hear({ _tag: "Said", text: words, en_text: null, language_name: languageName(code) })
  }

  const receive = (message: RelayMessage): void => {
    if (ended !== null) return
    switch (message._tag) {
      case "Prompt":
        return onPrompt(message)
      case "Key":
        if (/^[0-9*#A-D]$/.test(message.digit)) hear({ _tag: "Pressed", digit: message.digit })
        return
      case "Interrupt":
        return finish({ heard: message.heard.trim(), interrupted: true })
      case "Speaking":
        if (message.on || speech?.isSent !== true) return
        return finish({ heard: speech.text, interrupted: false })
      case "Setup":
      case "Error":
      case "Other":
    }
  }

  const failIfEnded = Effect.suspend(() => ended === null ? Effect.void : new LegEnded({ by: ended }))

  const say = ({ interruptible, language_name, more = Stream.empty, onHeard, text }: Utterance) =>
    Effect.suspend(() => {
      const current: Speech = {
        interruptible,
        text: "",
        isSent: false,
        done: Deferred.unsafeMake<{ readonly heard: string; readonly interrupted: boolean }>(FiberId.none)
      }
      finish({ heard: speech?.text ?? "", interrupted: true })
      speech = current
      const code = languageCode(language_name, language) ?? language
      if (code !== spokenLanguage) {
        spokenLanguage = code
        post(languageChange(code))
      }
      const send = (token: string, last: boolean): void => {
        if (speech !== current) return
        current.text += token
        post(textToken(token, { last, lang: code, interruptible }))
        onHeard?.(current.text)
      }
      const speak = Effect.sync(() => send(text, false)).pipe(
        Effect.zipRight(Stream.runForEach(more, (clause) => Effect.sync(() => send(clause, false)))),
        Effect.zipRight(Effect.sync(() => {
          send("", true)
          current.isSent = true
        })),
        Effect.zipRight(Effect.suspend(() => Effect.sleep(slowest.begin + current.text.length * slowest.character))),
        Effect.map(() => ({ heard: current.text, interrupted: false }))
      )
      return Effect.map(
        Effect.raceFirst(Deferred.await(current.done), speak),
        (result): Spoken => {
          if (speech === current) speech = null
          return ended === null ? result : { ...result, endedBy: ended }
        }
      )
    })

  const listen: Leg["listen"] = (silence) =>
    Effect.suspend(() => {
      const next = heard.shift()
      if (next !== undefined) return Effect.succeed(next)
      if (ended !== null) return new LegEnded({ by: ended })
      arrived = Deferred.unsafeMake<void>(FiberId.none)
      return Effect.flatMap(
        Effect.timeoutOption(Deferred.await(arrived), silence),
        (came) => Option.isSome(came) ? listen(silence) : Effect.succeed({ _tag: "Silent" as const })
      )
    })

  return {
    receive,
    end,
    use: (next) => {
      socket = next
      if (next !== null) waiting.splice(0).forEach(next.post)
    },
    leg: {
      streams: true,
      say: (utterance) => Effect.zipRight(failIfEnded, say(utterance)),
      listen,
      ended: Deferred.await(over),
      hangUp: Effect.suspend(() => {
        end("agent")
        return closing
      })
    }
  }
}
