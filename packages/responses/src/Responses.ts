import type { Failure, Invalid, NotFound } from "@trunkline/errors"
import { type AnswerFailure, Answers, type Asking, type Meter, ModelCatalog } from "@trunkline/models"
import { type Cause, Context, Effect, Layer, type Stream } from "effect"
import { makeResponseFrames } from "./events/ResponseFrames.js"
import { responseStream } from "./events/ResponseStream.js"
import { modelOf, readBody, type ResponsesOptions } from "./reading/ReadBody.js"
import type { ResponseAsked } from "./reading/ResponseAsked.js"
import { responseOf } from "./resource/ResponseOf.js"
import type { ResponseResource } from "./resource/ResponseResource.js"
import { unixSeconds } from "./UnixSeconds.js"

/** What an answer goes under: the id of its request, which becomes that of the response, and who pays. */
export interface ResponseTicket {
  readonly requestId: string
  /** Id of the customer, such as an account's, for the request's `origin`. Default: the request has no origin. */
  readonly tenant?: string
  readonly meter: Meter
}

const askingOf = ({ request }: ResponseAsked, { meter, requestId, tenant }: ResponseTicket): Asking => ({
  request: { ...request, ...tenant !== undefined && { origin: { tenant, request: requestId } } },
  meter
})

/**
 * Responses: one answer to a whole conversation, of which nothing is kept (specification, Responses). Read the body,
 * then create the response or stream it.
 */
export class Responses extends Context.Tag("@trunkline/responses/Responses")<Responses, {
  /**
   * The model that a body asks for. One that is unknown, written in another case, or not served here is `NotFound`;
   * nothing else of the body is looked at.
   */
  readonly modelOf: (body: unknown) => Effect.Effect<string, NotFound | Invalid>
  /** Checks a body: its model, then its form, then what depends on the model and on several fields. */
  readonly read: (body: unknown) => Effect.Effect<ResponseAsked, NotFound | Invalid>
  /** The whole response. */
  readonly create: (asked: ResponseAsked, ticket: ResponseTicket) => Effect.Effect<ResponseResource, AnswerFailure>
  /**
   * The response as server-sent events, one to a frame; what the model wrote at once comes at once. Fails only before
   * the first frame. Whatever happens later ends it with `response.failed`, which holds the output so far. Who stops
   * reading stops the model.
   */
  readonly stream: (asked: ResponseAsked, ticket: ResponseTicket) => Stream.Stream<Uint8Array, AnswerFailure>
}>() {
  /** Responses of the models in the `ModelCatalog`, with their bodies read as the options say. */
  static readonly layerWith = (options: ResponsesOptions) => Layer.effect(Responses, make(options))

  /** Responses of the models in the `ModelCatalog`. */
  static readonly layer = Layer.suspend(() => Responses.layerWith({}))
}

const make = (options: ResponsesOptions) =>
  Effect.gen(function*() {
    const answers = yield* Answers
    const catalog = yield* ModelCatalog

    const create = Effect.fn("Responses.create")(function*(asked: ResponseAsked, ticket: ResponseTicket) {
      const answered = yield* answers.generate(askingOf(asked, ticket))
      const at = yield* unixSeconds
      return responseOf(asked, answered, { at, requestId: ticket.requestId })
    })

    return Responses.of({
      modelOf: (body) => modelOf(catalog, body),
      read: (body) => readBody({ ...options, catalog }, body),
      create,
      stream: (asked, ticket) => responseStream(asked, ticket.requestId, answers.stream(askingOf(asked, ticket)))
    })
  })

/**
 * The frames of a response that failed before anything of it was shown, on a stream that is open already: created, in
 * progress, failed. Of what should not have happened they only say that it did; logging it is up to the caller.
 */
export const responseFailureFrames = (
  asked: ResponseAsked,
  cause: Cause.Cause<Failure>,
  requestId: string
): ReadonlyArray<Uint8Array> => makeResponseFrames(asked, requestId).failure(cause)
