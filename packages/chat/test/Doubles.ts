import { Chat, type ChatVersion } from "@trunkline/chat"
import {
  type Answered,
  type AnswerEvent,
  type AnswerFailure,
  Answers,
  type Asking,
  type Delta,
  freeOfCharge,
  type Usage
} from "@trunkline/models"
import { Effect, Layer, Stream } from "effect"

/** The id of every request in these tests. */
export const requestId = "20260101_0b0e7a56-9a4f-4c6e-8d0a-6f2f3c1f9d11"

/** Whom nobody charges. */
export const ticket = { requestId, meter: freeOfCharge }

export const usage: Usage = { inputTokens: 10, cachedTokens: 0, outputTokens: 5, reasoningTokens: 2 }

export const piece = (delta: Exclude<Delta, { readonly _tag: "Usage" }>, choice = 0): AnswerEvent => ({
  _tag: "Piece",
  choice,
  delta
})

export const text = (words: string, choice = 0) => piece({ _tag: "Text", text: words }, choice)

export const finish = (choice = 0) => piece({ _tag: "Finish", reason: "stop" }, choice)

export const total: AnswerEvent = { _tag: "Total", usage }

/** Answers that are as they are, whatever is asked; `asked` is told what it was. */
export const answering = (
  { answered, asked = () => {}, events = Stream.empty }: {
    readonly answered?: Effect.Effect<Answered, AnswerFailure>
    readonly events?: Stream.Stream<AnswerEvent, AnswerFailure>
    readonly asked?: (asking: Asking) => void
  }
) =>
  Layer.provide(
    Chat.layer,
    Layer.succeed(Answers, {
      generate: (asking) =>
        Effect.zipRight(Effect.sync(() => asked(asking)), answered ?? Effect.dieMessage("Not asked")),
      stream: (asking) => Stream.unwrap(Effect.as(Effect.sync(() => asked(asking)), events))
    })
  )

/** Chat that only reads. */
export const reading = answering({})

/** A body that is asked for with nothing but what must be there. */
export const bare = (model = "core-105b") => ({ model, messages: [{ role: "user", content: "Hello" }] })

/** What is wrong with a body, a line each: where, and in what way; nothing when it is read. */
export const faultsOf = (version: ChatVersion, body: unknown) =>
  Effect.flatMap(Chat, (chat) => chat.read(version, body)).pipe(
    Effect.as<ReadonlyArray<string>>([]),
    Effect.catchTags({
      Invalid: ({ issues }) => Effect.succeed(issues.map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg}`)),
      NotFound: ({ resource }) => Effect.succeed([`no such ${resource}`])
    }),
    Effect.provide(reading)
  )

/** What a body asks for. */
export const askedOf = (version: ChatVersion, body: unknown) =>
  Effect.provide(Effect.flatMap(Chat, (chat) => chat.read(version, body)), reading)
