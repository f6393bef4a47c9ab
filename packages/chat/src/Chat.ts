import { Invalid, issueLimit, issuesOf, NotFound } from "@trunkline/errors"
import { describeCause } from "@trunkline/kernel"
import {
  type AnswerFailure,
  Answers,
  type Asking,
  factsOf,
  type Meter,
  ModelCatalog,
  type ModelFacts
} from "@trunkline/models"
import { Array, Cause, Clock, Context, Effect, Layer, type ParseResult, Schema, Stream } from "effect"
import type { ChatCompletion } from "./answer/ChatCompletion.js"
import { makeChunkWriter } from "./answer/ChunkWriter.js"
import { type ChatHead, completed } from "./answer/Completed.js"
import { chatFailureFrames, doneFrame } from "./answer/FailureFrames.js"
import { ChatBody, type ChatVersion } from "./body/ChatBody.js"
import { type ChatAsked, chatAsked } from "./ChatAsked.js"
import { ruleIssues } from "./ChatRules.js"
import { schemaIssues } from "./SchemaIssues.js"

/** Under which id an answer goes out, and who pays for it. */
export interface ChatTicket {
  readonly requestId: string
  /** Id of the customer, such as an account's, for the request's `origin`. Default: the request has no origin. */
  readonly tenant?: string
  readonly meter: Meter
}

/** Chat completions: reads bodies, and answers them whole or piece by piece (specification, Chat completions v1 and v2). */
export class Chat extends Context.Tag("@trunkline/chat/Chat")<Chat, {
  /** The model that a body names: one that this version serves, and nothing else of the body is looked at. */
  readonly modelOf: (version: ChatVersion, body: unknown) => Effect.Effect<string, NotFound | Invalid>
  /** What a body asks for; everything that is wrong with its fields is told at once. */
  readonly read: (version: ChatVersion, body: unknown) => Effect.Effect<ChatAsked, NotFound | Invalid>
  /** The whole answer. */
  readonly complete: (asked: ChatAsked, ticket: ChatTicket) => Effect.Effect<ChatCompletion, AnswerFailure>
  /**
   * The answer as server-sent events, one to a frame; what the model says together comes in one chunk. It fails only
   * before its first frame. Later failures are an event with the error; `[DONE]` is last in any case (decisions 6).
   */
  readonly stream: (asked: ChatAsked, ticket: ChatTicket) => Stream.Stream<Uint8Array, AnswerFailure>
}>() {
  /** Answers by `Answers`, for the models of the `ModelCatalog`. */
  static readonly layer = Layer.suspend(() => Layer.effect(Chat, make))
}

const routes = { v1: "chat_v1", v2: "chat_v2" } as const

const invalid = (error: ParseResult.ParseError) => new Invalid({ issues: issuesOf(error, "body") })

const named = Schema.decodeUnknown(Schema.Struct({ model: Schema.String }))

const decoded = {
  v1: Schema.decodeUnknown(ChatBody.v1, { errors: "all" }),
  v2: Schema.decodeUnknown(ChatBody.v2, { errors: "all" })
}

const make = Effect.gen(function*() {
  const answers = yield* Answers
  const catalog = yield* ModelCatalog

  const factsFor = (version: ChatVersion, id: string): Effect.Effect<ModelFacts, NotFound> => {
    const facts = factsOf(catalog, id)
    return facts?.routes.includes(routes[version]) === true
      ? Effect.succeed(facts)
      : Effect.fail(new NotFound({ resource: "model", id }))
  }

  const modelOf = (version: ChatVersion, body: unknown) =>
    named(body).pipe(
      Effect.mapError(invalid),
      Effect.flatMap(({ model }) => Effect.as(factsFor(version, model), model))
    )

  const read = (version: ChatVersion, body: unknown) =>
    Effect.gen(function*() {
      const facts = yield* factsFor(version, yield* modelOf(version, body))
      const fields = yield* Effect.mapError(decoded[version](body), invalid)
      const issues = Array.take([...ruleIssues(fields, facts), ...yield* schemaIssues(fields)], issueLimit)
      return Array.isNonEmptyReadonlyArray(issues) ? yield* new Invalid({ issues }) : chatAsked(fields, facts)
    })

  const headOf = ({ asking }: ChatAsked, { requestId }: ChatTicket): Effect.Effect<ChatHead> =>
    Effect.map(Clock.currentTimeMillis, (now) => ({
      id: requestId,
      created: Math.floor(now / 1000),
      model: asking.request.model
    }))

  const askingOf = ({ asking }: ChatAsked, { meter, requestId, tenant }: ChatTicket): Asking => ({
    ...asking,
    request: { ...asking.request, ...tenant !== undefined && { origin: { tenant, request: requestId } } },
    meter
  })

  const complete = (asked: ChatAsked, ticket: ChatTicket) =>
    Effect.gen(function*() {
      const head = yield* headOf(asked, ticket)
      return completed(head, yield* answers.generate(askingOf(asked, ticket)))
    })

  const broken = (cause: Cause.Cause<AnswerFailure>, { requestId }: ChatTicket): Stream.Stream<Uint8Array> => {
    const report = Effect.annotateLogs(
      Effect.logError("A streamed answer failed unexpectedly", describeCause(cause)),
      "request_id",
      requestId
    )
    const frames = Stream.fromIterable(chatFailureFrames(cause, requestId))
    return Cause.isFailure(cause) ? frames : Stream.unwrap(Effect.as(report, frames))
  }

  const stream = (asked: ChatAsked, ticket: ChatTicket) =>
    Stream.unwrap(Effect.map(headOf(asked, ticket), (head) => {
      const writer = makeChunkWriter(head, asked)
      return answers.stream(askingOf(asked, ticket)).pipe(
        Stream.mapChunks(writer.write),
        Stream.concat(Stream.make(doneFrame)),
        Stream.catchAllCause((cause) => writer.hasBegun() ? broken(cause, ticket) : Stream.failCause(cause))
      )
    }))

  return Chat.of({ modelOf, read, complete, stream })
})
