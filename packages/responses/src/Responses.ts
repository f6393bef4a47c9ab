import type { Failure, Invalid, NotFound } from "@trunkline/errors"
import { type AnswerFailure, type AnswerRequest, Answers, type Meter, ModelCatalog } from "@trunkline/models"
import { type Cause, Context, Effect, Layer, type Stream } from "effect"
import { makeResponseFrames, responseStream } from "./events/ResponseFrames.js"
import { modelOf, readBody, type ResponseRequest, type ResponsesOptions } from "./reading/ReadBody.js"
import { type ResponseResource, unixSeconds } from "./resource/ResponseResource.js"
import { toResponse } from "./ToResponse.js"

/** The id of one response, the customer it is for, and the meter that bills it. */
export interface ResponseTicket {
  /** Id of the request, which becomes the response's. */
  readonly requestId: string
  /** Id of the customer, such as an account's, for the request's `origin`. Default: the request has no origin. */
  readonly tenant?: string
  /** Reserves and settles the tokens of the response. */
  readonly meter: Meter
}

const askingOf = ({ request }: ResponseRequest, { meter, requestId, tenant }: ResponseTicket): AnswerRequest => ({
  request: { ...request, ...tenant !== undefined && { origin: { tenant, request: requestId } } },
  meter
})

/**
 * OpenAI-compatible stateless responses: validates request bodies, then creates or streams one response to a whole
 * conversation. Nothing is stored.
 *
 * @example
 * ```ts
 * import { freeMeter } from "@trunkline/models"
 * import { Responses } from "@trunkline/responses"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const responses = yield* Responses
 *   const request = yield* responses.read({ model: "core-105b", input: "Hello" })
 *   return yield* responses.create(request, { requestId: "1", meter: freeMeter })
 * })
 * ```
 */
export class Responses extends Context.Tag("@trunkline/responses/Responses")<Responses, {
  /**
   * The model of a body, without validating the rest of it. Fails with `Invalid` when there is no model, and with
   * `NotFound` when the model is unknown, written in another case, or not served on this route.
   */
  readonly modelOf: (body: unknown) => Effect.Effect<string, NotFound | Invalid>
  /** Validates a body: its model, then its fields, then the rules that depend on the model or on several fields. */
  readonly read: (body: unknown) => Effect.Effect<ResponseRequest, NotFound | Invalid>
  /** Creates the whole response. */
  readonly create: (request: ResponseRequest, ticket: ResponseTicket) => Effect.Effect<ResponseResource, AnswerFailure>
  /**
   * Streams the response as server-sent events, one per frame; deltas that the model sends together arrive in one chunk.
   * The stream fails only before its first frame. A later failure ends it with `response.failed`, which has the output
   * so far. Interrupting the stream stops the model.
   */
  readonly stream: (request: ResponseRequest, ticket: ResponseTicket) => Stream.Stream<Uint8Array, AnswerFailure>
}>() {
  /** Creates responses with `Answers`, for the models in `ModelCatalog`; the options control validation. */
  static readonly layerWith = (options: ResponsesOptions) => Layer.effect(Responses, make(options))

  /** `layerWith` without options. */
  static readonly layer = Layer.suspend(() => Responses.layerWith({}))
}

const make = (options: ResponsesOptions) =>
  Effect.gen(function*() {
    const answers = yield* Answers
    const catalog = yield* ModelCatalog

    const create = Effect.fn("Responses.create")(function*(request: ResponseRequest, ticket: ResponseTicket) {
      const answerSet = yield* answers.generate(askingOf(request, ticket))
      const at = yield* unixSeconds
      return toResponse(request, answerSet, { at, requestId: ticket.requestId })
    })

    return Responses.of({
      modelOf: (body) => modelOf(catalog, body),
      read: (body) => readBody({ ...options, catalog }, body),
      create,
      stream: (request, ticket) => responseStream(request, ticket.requestId, answers.stream(askingOf(request, ticket)))
    })
  })

/**
 * The frames of a response that failed before its first event, for a stream whose headers were already sent: created, in
 * progress, failed. A defect is reported as an internal error without details; the caller logs it.
 */
export const responseFailureFrames = (
  request: ResponseRequest,
  cause: Cause.Cause<Failure>,
  requestId: string
): ReadonlyArray<Uint8Array> => makeResponseFrames(request, requestId).failure(cause)
