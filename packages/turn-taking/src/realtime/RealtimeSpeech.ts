import { BusinessTime } from "@trunkline/kernel"
import { type AudioLine, type EndedBy, type Leg, LegEnded, type Spoken, type Utterance } from "@trunkline/telephony"
import { Deferred, Effect, Fiber, Stream } from "effect"
import type { RealtimeAnswers } from "./RealtimeAnswers.js"
import type { RealtimeLink } from "./RealtimeLink.js"
import { makeRealtimeReply, type RealtimeReply, spokenOf } from "./RealtimeReply.js"

/** Words of the agent: answers of the session, and words of ours. */
export interface RealtimeSpeech {
  /** The answer that is played now; null while none is. */
  readonly present: { readonly reply: RealtimeReply; readonly interruptible: boolean } | null
  readonly say: Leg["say"]
}

/** Parts of the speech of a call. */
interface SpeechParts {
  readonly line: AudioLine
  readonly link: RealtimeLink
  readonly answers: RealtimeAnswers
  /** Line time in milliseconds within which each sound must come. */
  readonly timeout: number
  /** Completes when no turn of the caller is open. */
  readonly mayPlay: Effect.Effect<void>
  /** The side that has ended the call; null before. */
  readonly endedBy: () => EndedBy | null
  /** Told when the first sound of an utterance leaves, and when it is over. */
  readonly onAnswered: () => void
}

/** A text with what follows it. */
export const joined = (text: string, more: Stream.Stream<string>): Effect.Effect<string> =>
  Stream.runFold(more, text, (before, clause) => before === "" ? clause : `${before} ${clause}`)

/** Makes the speech of a call. */
export const makeRealtimeSpeech = (parts: SpeechParts): RealtimeSpeech => {
  const { answers, endedBy, line, link, mayPlay, onAnswered, timeout } = parts
  let present: RealtimeSpeech["present"] = null
  let nextMark = 1

  const failIfEnded = Effect.suspend(() => {
    const by = endedBy()
    return by === null ? Effect.void : new LegEnded({ by })
  })

  /** Plays an answer to its end, once no turn of the caller is open. */
  const play = (reply: RealtimeReply, { interruptible, onHeard }: Utterance): Effect.Effect<Spoken, LegEnded> =>
    Effect.gen(function*() {
      yield* mayPlay
      yield* failIfEnded
      const start = yield* Deferred.make<void>()
      const starting = yield* Effect.fork(Effect.zipRight(Deferred.await(start), BusinessTime.now))
      present = { reply, interruptible }
      reply.play({
        nextMark: () => nextMark++,
        onStart: () => {
          onAnswered()
          Deferred.unsafeDone(start, Effect.void)
        },
        timeout,
        onHeard
      })
      const end = yield* reply.over
      const startedAt = (yield* Deferred.isDone(start)) ? yield* Fiber.join(starting) : null
      yield* Fiber.interrupt(starting)
      const by = endedBy()
      return { ...spokenOf(reply.heardReply(), end, startedAt), ...(by !== null && { endedBy: by }) }
    }).pipe(
      Effect.onInterrupt(() => Effect.sync(() => answers.stop(reply))),
      Effect.ensuring(Effect.sync(() => {
        present = null
        onAnswered()
      }))
    )

  /** Says words of ours; those that a session left out are said by the next one. */
  const sayExactly = (text: string, utterance: Utterance): Effect.Effect<Spoken, LegEnded> =>
    Effect.gen(function*() {
      const reply = makeRealtimeReply(line)
      const exact = { text, language_name: utterance.language_name }
      const making = yield* Effect.fork(
        Effect.ensuring(answers.sayExactly(exact, reply), Effect.sync(reply.complete))
      )
      const speech = yield* play(reply, utterance).pipe(Effect.onInterrupt(() => Fiber.interrupt(making)))
      const isWhole = yield* Effect.orElseSucceed(Fiber.join(making), () => true)
      const message = { role: "assistant", content: speech.heard, toolRequests: [] } as const
      if (speech.heard !== "") {
        link.history.note(message)
        link.send({ _tag: "Add", messages: [message] })
      }
      const rest = text.startsWith(speech.heard) ? text.slice(speech.heard.length).trim() : ""
      if (isWhole || speech.interrupted || speech.failed === true || rest === "") return speech
      const more = yield* sayExactly(rest, utterance)
      return { ...speech, ...more, heard: `${speech.heard} ${more.heard}`.trim() }
    })

  return {
    get present() {
      return present
    },
    say: (utterance) =>
      Effect.zipRight(
        failIfEnded,
        Effect.suspend(() => {
          const { more = Stream.empty, text } = utterance
          const reply = text === "" ? answers.takeUnspoken() : null
          return reply === null
            ? Effect.flatMap(joined(text, more), (fullText) => sayExactly(fullText, utterance))
            : play(reply, utterance)
        })
      )
  }
}
