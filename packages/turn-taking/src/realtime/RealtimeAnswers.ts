import { ModelTimedOut } from "@trunkline/errors"
import type { Delta, ModelFailure, ModelRequest, ToolRequest } from "@trunkline/models"
import type { AudioLine } from "@trunkline/telephony"
import { Data, Deferred, Effect, Exit, FiberId, Mailbox, Stream } from "effect"
import type { RealtimeLink, RealtimeLost } from "./RealtimeLink.js"
import type { ExactWords, RealtimeEvent } from "./RealtimeModel.js"
import { makeRealtimeReply, type RealtimeReply } from "./RealtimeReply.js"

/** An answer came to no end: its session has ended, or the model refused it. */
class AnswerBroken extends Data.TaggedError("AnswerBroken")<{ readonly refusal: ModelFailure | null }> {}

/** Events of answers. */
export type RealtimeAnswerEvent = Extract<RealtimeEvent, { readonly reply: number }>

/** The answer that the session makes now. */
interface Making {
  readonly number: number
  readonly reply: RealtimeReply
  /** True once something of it has come. */
  hasBegun: boolean
  readonly onText: (text: string) => void
  readonly onTool: (request: ToolRequest) => void
  /** Takes the end: null for a whole answer, or for one that was cancelled. */
  readonly end: (broken: AnswerBroken | null) => void
}

/** Answers of the sessions of a call. */
export interface RealtimeAnswers {
  /** Asks for an answer and streams it. Interrupting the stream stops the answer. */
  readonly answer: (request: ModelRequest) => Stream.Stream<Delta, RealtimeLost>
  /** Takes the answer that was asked for and is not spoken yet; null without any. */
  readonly takeUnspoken: () => RealtimeReply | null
  /** Lets the session say words of ours; completes once they are made, with false when they were cut off. */
  readonly sayExactly: (words: ExactWords, reply: RealtimeReply) => Effect.Effect<boolean, RealtimeLost>
  /** Stops an answer for good, and lets the session forget what was not heard of it. */
  readonly stop: (reply: RealtimeReply) => void
  readonly onEvent: (event: RealtimeAnswerEvent) => void
  /** The session has ended. */
  readonly onBroken: () => void
}

/** Time within which something of an answer must come: a session that makes nothing has lost the call. */
const beginTimeout = "8 seconds"

const late = new ModelTimedOut({ message: "The realtime model did not begin an answer in time" })

/** Note to a model that goes on with the answer of a session. */
const goOnNote =
  "The line was away for a moment, and your answer ended after the words above. The caller has heard them: "
  + "go on from there, and repeat nothing."

/** The request for the rest of an answer. */
export const continuedRequest = (request: ModelRequest, text: string): ModelRequest =>
  text.trim() === "" ? request : {
    ...request,
    messages: [
      ...request.messages,
      { role: "assistant", content: text.trim(), toolRequests: [] },
      { role: "system", content: goOnNote }
    ]
  }

/** Makes the answers of a call. */
export const makeRealtimeAnswers = (
  { line, link }: { readonly line: AudioLine; readonly link: RealtimeLink }
): RealtimeAnswers => {
  let making: Making | null = null
  let unspoken: RealtimeReply | null = null
  let next = 1
  /** Number of the last part of each answer, and how to change its text in the history. */
  const replies = new WeakMap<RealtimeReply, { readonly number: number; readonly setText: (text: string) => void }>()

  const endMaking = (broken: AnswerBroken | null): void => {
    const { end } = making ?? {}
    making = null
    end?.(broken)
  }

  const cancel = (reply: RealtimeReply): void => {
    if (making?.reply !== reply) return
    link.send({ _tag: "Cancel", reply: making.number })
    endMaking(null)
  }

  const stop = (reply: RealtimeReply): void => {
    reply.stop()
    cancel(reply)
    const { millis, text } = reply.heardReply()
    const part = replies.get(reply)
    if (part === undefined) return
    part.setText(text)
    link.send({ _tag: "Truncate", reply: part.number, heardMillis: millis })
  }

  /** Gives the model up unless it begins an answer in time. */
  const untilBegun = (number: number): Effect.Effect<void> =>
    Effect.delay(
      Effect.sync(() => {
        if (making?.number !== number || making.hasBegun) return
        link.lose(late)
        endMaking(new AnswerBroken({ refusal: late }))
      }),
      beginTimeout
    )

  /** The part of an answer that one session makes. */
  const partOf = (request: ModelRequest, reply: RealtimeReply) =>
    Effect.gen(function*() {
      yield* link.prepare(request)
      const deltas = yield* Mailbox.make<Delta, AnswerBroken>()
      const number = next++
      const before = reply.text.length
      const toolRequests: Array<ToolRequest> = []
      const setText = link.history.note({ role: "assistant", content: null, toolRequests })
      replies.set(reply, { number, setText })
      making = {
        number,
        reply,
        hasBegun: false,
        onText: (text) => deltas.unsafeOffer({ _tag: "Text", text }),
        onTool: (tool) => {
          const index = toolRequests.push(tool) - 1
          deltas.unsafeOffer({ _tag: "ToolStart", index, id: tool.id, name: tool.name })
          deltas.unsafeOffer({ _tag: "ToolArgs", index, text: tool.arguments })
        },
        end: (broken) => {
          setText(reply.text.slice(before).trim())
          if (broken !== null) return deltas.unsafeDone(Exit.fail(broken))
          reply.complete()
          deltas.unsafeOffer({ _tag: "Finish", reason: toolRequests.length > 0 ? "tool_calls" : "stop" })
          deltas.unsafeDone(Exit.void)
        }
      }
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          if (making?.number === number) stop(reply)
        })
      )
      link.send({ _tag: "Respond", reply: number, words: null })
      yield* Effect.forkScoped(untilBegun(number))
      return Mailbox.toStream(deltas)
    })

  /** An answer in parts: the next session goes on where one has ended. A model that refuses twice has lost the call. */
  const partsOf = (
    request: ModelRequest,
    reply: RealtimeReply,
    mayRefuse: boolean
  ): Stream.Stream<Delta, RealtimeLost> =>
    Stream.catchTag(
      Stream.unwrapScoped(partOf(request, reply)),
      "AnswerBroken",
      ({ refusal }) =>
        refusal === null || mayRefuse
          ? partsOf(continuedRequest(request, reply.text), reply, mayRefuse && refusal === null)
          : Stream.fail(link.lose(refusal))
    )

  return {
    answer: (request) =>
      Stream.suspend(() => {
        const reply = makeRealtimeReply(line)
        unspoken = reply
        return Stream.ensuring(partsOf(request, reply, true), Effect.sync(reply.complete))
      }),
    takeUnspoken: () => {
      const reply = unspoken
      unspoken = null
      return reply
    },
    sayExactly: (words, reply) =>
      Effect.flatMap(link.ready, () => {
        const end = Deferred.unsafeMake<boolean, RealtimeLost>(FiberId.none)
        const number = next++
        making = {
          number,
          reply,
          hasBegun: false,
          onText: () => {},
          onTool: () => {},
          end: (broken) => {
            if (broken === null && reply.text === "") reply.addText(words.text)
            reply.complete()
            const refusal = broken?.refusal ?? null
            Deferred.unsafeDone(end, refusal === null ? Effect.succeed(broken === null) : link.lose(refusal))
          }
        }
        link.send({ _tag: "Respond", reply: number, words })
        return Effect.raceFirst(Deferred.await(end), Effect.zipRight(untilBegun(number), Deferred.await(end))).pipe(
          Effect.onInterrupt(() => Effect.sync(() => cancel(reply)))
        )
      }),
    stop,
    onEvent: (event) => {
      if (making === null || event.reply !== making.number) return
      making.hasBegun = true
      switch (event._tag) {
        case "Sound":
          return making.reply.addSound(event.samples)
        case "Text":
          making.reply.addText(event.text)
          return making.onText(event.text)
        case "ToolCall":
          return making.onTool(event.request)
        case "Responded":
          return endMaking(null)
        case "Refused":
          return endMaking(new AnswerBroken({ refusal: event.failure }))
      }
    },
    onBroken: () => endMaking(new AnswerBroken({ refusal: null }))
  }
}
