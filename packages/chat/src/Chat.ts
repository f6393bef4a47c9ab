import { Invalid, issuesOf, NotFound } from "@trunkline/errors"
import { catchPullCause, describeCause, flatMapNow, mapNow, mapSource, unwrapSource } from "@trunkline/kernel"
import {
  type AnswerFailure,
  type AnswerRequest,
  Answers,
  findModel,
  type Meter,
  ModelCatalog,
  type ModelFacts
} from "@trunkline/models"
import { Array, Cause, Context, Effect, Layer, ParseResult, Schema, Stream } from "effect"
import { ChatBody, type ChatVersion } from "./body/ChatBody.js"
import { chatIssues } from "./ChatIssues.js"
import { type ChatRequest, toChatRequest } from "./ChatRequest.js"
import type { ChatCompletion } from "./completion/ChatCompletion.js"
import { chatFailureFrames, doneFrame, makeChunkWriter } from "./completion/ChunkWriter.js"
import { type ChatHead, toChatCompletion } from "./completion/ToChatCompletion.js"

/** The id of one completion, the customer it is for, and the meter that bills it. */
export interface ChatTicket {
  /** Id of the request, which becomes the completion's. */
  readonly requestId: string
  /** Id of the customer, such as an account's, for the request's `origin`. Default: the request has no origin. */
  readonly tenant?: string
  /** Reserves and settles the tokens of the completion. */
  readonly meter: Meter
}

/**
 * OpenAI-compatible chat completions: validates request bodies, and answers them as a whole or as a stream.
 *
 * @example
 * ```ts
 * import { Chat } from "@trunkline/chat"
 * import { freeMeter } from "@trunkline/models"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const chat = yield* Chat
 *   const request = yield* chat.read("v2", { model: "core-105b", messages: [{ role: "user", content: "Hello" }] })
 *   return yield* chat.complete(request, { requestId: "1", meter: freeMeter })
 * })
 * ```
 */
export class Chat extends Context.Tag("@trunkline/chat/Chat")<Chat, {
  /**
   * The model of a body, without validating the rest of it. Fails with `Invalid` when there is no model, and with
   * `NotFound` when this version does not serve it.
   */
  readonly modelOf: (version: ChatVersion, body: unknown) => Effect.Effect<string, NotFound | Invalid>
  /** Validates a body. `Invalid` lists all issues at once; `NotFound` means that this version does not serve the model. */
  readonly read: (version: ChatVersion, body: unknown) => Effect.Effect<ChatRequest, NotFound | Invalid>
  /** Generates the whole completion. */
  readonly complete: (request: ChatRequest, ticket: ChatTicket) => Effect.Effect<ChatCompletion, AnswerFailure>
  /**
   * Streams the completion as server-sent events, one per frame; deltas that the model sends together arrive in one
   * chunk. The stream fails only before its first frame. A later failure becomes an event with the error. `[DONE]` is
   * always last. Interrupting the stream stops the model.
   */
  readonly stream: (request: ChatRequest, ticket: ChatTicket) => Stream.Stream<Uint8Array, AnswerFailure>
}>() {
  /** Generates completions with `Answers`, for the models in `ModelCatalog`. */
  static readonly layer = Layer.suspend(() => Layer.effect(Chat, make))
}

const routes = { v1: "chat_v1", v2: "chat_v2" } as const

/** Makes the decoder of a body, whose effect is at its end already where the schema needs no waiting. */
const bodyDecoder = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = ParseResult.decodeUnknown(schema, { errors: "all" })
  return (body: unknown) =>
    ParseResult.mapError(decode(body), (issue) => new Invalid({ issues: issuesOf(issue, "body") }))
}

const decodeModel = bodyDecoder(Schema.Struct({ model: Schema.String }))

const decodeBody = { v1: bodyDecoder(ChatBody.v1), v2: bodyDecoder(ChatBody.v2) }

const make = Effect.gen(function*() {
  const answers = yield* Answers
  const catalog = yield* ModelCatalog

  const factsFor = (version: ChatVersion, id: string): Effect.Effect<ModelFacts, NotFound> => {
    const facts = findModel(catalog, id)
    return facts?.routes.includes(routes[version]) === true
      ? Effect.succeed(facts)
      : Effect.fail(new NotFound({ resource: "model", id }))
  }

  const modelOf = (version: ChatVersion, body: unknown) =>
    flatMapNow(decodeModel(body), ({ model }) => mapNow(factsFor(version, model), () => model))

  const read = (version: ChatVersion, body: unknown) =>
    flatMapNow(
      decodeModel(body),
      ({ model }) =>
        flatMapNow(factsFor(version, model), (facts) =>
          flatMapNow(decodeBody[version](body), (fields) =>
            flatMapNow(chatIssues(fields, facts), (issues) =>
              Array.isNonEmptyReadonlyArray(issues)
                ? new Invalid({ issues })
                : Effect.succeed(toChatRequest(fields, facts)))))
    )

  const headOf = ({ asking }: ChatRequest, { requestId }: ChatTicket): Effect.Effect<ChatHead> =>
    Effect.clockWith((clock) =>
      Effect.succeed({
        id: requestId,
        created: Math.floor(clock.unsafeCurrentTimeMillis() / 1000),
        model: asking.request.model
      })
    )

  const askingOf = ({ asking }: ChatRequest, { meter, requestId, tenant }: ChatTicket): AnswerRequest => ({
    ...asking,
    request: { ...asking.request, ...tenant !== undefined && { origin: { tenant, request: requestId } } },
    meter
  })

  const complete = (request: ChatRequest, ticket: ChatTicket) =>
    Effect.flatMap(
      headOf(request, ticket),
      (head) =>
        Effect.map(answers.generate(askingOf(request, ticket)), (answerSet) => toChatCompletion(head, answerSet))
    )

  const endWithFailure = (cause: Cause.Cause<AnswerFailure>, { requestId }: ChatTicket): Stream.Stream<Uint8Array> => {
    const logDefect = Effect.annotateLogs(
      Effect.logError("A streamed answer failed unexpectedly", describeCause(cause)),
      "request_id",
      requestId
    )
    const frames = Stream.fromIterable(chatFailureFrames(cause, requestId))
    return Cause.isFailure(cause) ? frames : Stream.unwrap(Effect.as(logDefect, frames))
  }

  const stream = (request: ChatRequest, ticket: ChatTicket) =>
    unwrapSource(Effect.map(headOf(request, ticket), (head) => {
      const writer = makeChunkWriter(head, request)
      const frames = mapSource(
        answers.stream(askingOf(request, ticket)),
        () => (events) => Effect.succeed(events === null ? [doneFrame] : writer.write(events))
      )
      return catchPullCause(
        frames,
        (cause) => writer.hasBegun() ? endWithFailure(cause, ticket) : Stream.failCause(cause)
      )
    }))

  return Chat.of({ modelOf, read, complete, stream })
})
