import { Chat, type ChatVersion } from "@trunkline/chat"
import {
  type AnswerEvent,
  type AnswerFailure,
  type AnswerRequest,
  Answers,
  type AnswerSet,
  type Delta,
  freeMeter,
  type Usage
} from "@trunkline/models"
import { Effect, Layer, Stream } from "effect"

/** The id of every request in these tests. */
export const requestId = "20260101_0b0e7a56-9a4f-4c6e-8d0a-6f2f3c1f9d11"

/** A ticket without billing. */
export const ticket = { requestId, meter: freeMeter }

export const usage: Usage = { inputTokens: 10, cachedTokens: 0, outputTokens: 5, reasoningTokens: 2 }

export const piece = (delta: Exclude<Delta, { readonly _tag: "Usage" }>, choice = 0): AnswerEvent => ({
  _tag: "Piece",
  choice,
  delta
})

export const text = (text: string, choice = 0) => piece({ _tag: "Text", text }, choice)

export const finish = (choice = 0) => piece({ _tag: "Finish", reason: "stop" }, choice)

export const total: AnswerEvent = { _tag: "Total", usage }

/** Chat with fixed answers; `onRequest` receives every request to the model. */
export const chatWith = (
  { answered, onRequest = () => {}, events = Stream.empty }: {
    readonly answered?: Effect.Effect<AnswerSet, AnswerFailure>
    readonly events?: Stream.Stream<AnswerEvent, AnswerFailure>
    readonly onRequest?: (asking: AnswerRequest) => void
  }
) =>
  Layer.provide(
    Chat.layer,
    Layer.succeed(Answers, {
      generate: (asking) =>
        Effect.zipRight(Effect.sync(() => onRequest(asking)), answered ?? Effect.dieMessage("Unexpected request")),
      stream: (asking) => Stream.unwrap(Effect.as(Effect.sync(() => onRequest(asking)), events))
    })
  )

/** Chat for validating bodies only. */
export const readOnlyChat = chatWith({})

/** A body with only the required fields. */
export const minimalBody = (model = "core-105b") => ({ model, messages: [{ role: "user", content: "Hello" }] })

/** The issues of a body, one line each with its location; empty for a valid body. */
export const issuesFor = (version: ChatVersion, body: unknown) =>
  Effect.flatMap(Chat, (chat) => chat.read(version, body)).pipe(
    Effect.as<ReadonlyArray<string>>([]),
    Effect.catchTags({
      Invalid: ({ issues }) => Effect.succeed(issues.map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg}`)),
      NotFound: ({ resource }) => Effect.succeed([`no such ${resource}`])
    }),
    Effect.provide(readOnlyChat)
  )

/** The request of a body, which must be valid. */
export const requestFor = (version: ChatVersion, body: unknown) =>
  Effect.provide(Effect.flatMap(Chat, (chat) => chat.read(version, body)), readOnlyChat)
