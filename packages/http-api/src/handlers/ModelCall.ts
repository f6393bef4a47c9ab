import { HttpRouter, type HttpServerRequest } from "@effect/platform"
import type { Engine } from "@trunkline/engine"
import { BadRequest, type Invalid, NotAllowed, type NotFound } from "@trunkline/errors"
import { CurrentRequestId } from "@trunkline/kernel"
import { factsOf as modelFactsOf, type Meter } from "@trunkline/models"
import { type Caller, hasFeature, mayUseModel } from "@trunkline/rate-limits"
import { Effect, Exit, FiberRef, Predicate } from "effect"
import { Subscriber } from "../Admission.js"
import { factsOf } from "../RouteTable.js"
import { checkContentType } from "./Admission.js"

/** The route that a model is asked over. */
interface Calling<A, E> {
  /** The family of limits and prices; that of core models has `_core` after it. */
  readonly api: "chat" | "responses"
  /** Whether the route is opened per key (specification, Versioning 3). */
  readonly isBeta: boolean
  /** The model that a body asks for. */
  readonly modelOf: (body: unknown) => Effect.Effect<string, NotFound | Invalid>
  readonly read: (body: unknown) => Effect.Effect<A, E>
}

/** A model call that was let in: what is asked, under which id, for which account, and who pays. */
interface ModelCall<A> {
  readonly asked: A
  readonly ticket: { readonly requestId: string; readonly tenant: string; readonly meter: Meter }
}

type Parts = Pick<Engine["Type"], "catalog" | "credits" | "ids" | "limits">

const meterOf = (
  { credits }: Parts,
  { api, caller: payer, requestId: request_id }: {
    readonly api: string
    readonly caller: Caller
    readonly requestId: string
  }
): Meter => ({
  reserve: ({ inputTokens, outputTokens }) =>
    credits.reserve({ payer, request_id, api, most: { input_token: inputTokens, output_token: outputTokens } }),
  settle: ({ inputTokens, outputTokens }) =>
    credits.settle({ payer, request_id, api, used: { input_token: inputTokens, output_token: outputTokens } }),
  release: Effect.ignore(credits.release(request_id))
})

const closedBeta = () =>
  new BadRequest({ message: "This route is in beta and not enabled for this key. Ask for access.", param: null })

const namedModel = (body: Exit.Exit<unknown>): string =>
  Exit.isSuccess(body) && Predicate.hasProperty(body.value, "model") && Predicate.isString(body.value.model)
    ? body.value.model
    : ""

/**
 * Lets a model call in. In this order (decisions 5): the rate limit of the model that the body names, the content type,
 * the body, the beta gate, the model, whether the key may use it, and every field.
 */
export const admitCall = <A, E>(
  parts: Parts,
  request: HttpServerRequest.HttpServerRequest,
  { api: family, isBeta, modelOf, read }: Calling<A, E>
) =>
  Effect.gen(function*() {
    const { caller } = yield* Subscriber
    const { route } = yield* HttpRouter.RouteContext
    const facts = yield* Effect.orDie(factsOf(route))
    const body: Exit.Exit<unknown> = yield* Effect.exit(Effect.orDie(request.json))
    const isCore = modelFactsOf(parts.catalog, namedModel(body))?.tier === "core"
    const api = isCore ? `${family}_core` as const : family
    yield* parts.limits.spend({ who: caller, api })
    yield* checkContentType(request.headers, facts)
    const value = yield* body
    if (isBeta && !hasFeature(caller, "beta")) return yield* closedBeta()
    const model = yield* modelOf(value)
    if (!mayUseModel(caller, model)) {
      return yield* new NotAllowed({ message: "This API key may not use this model" })
    }
    const asked = yield* read(value)
    const requestId = (yield* FiberRef.get(CurrentRequestId)) ?? (yield* parts.ids.requestId)
    const meter = meterOf(parts, { api, caller, requestId })
    const call: ModelCall<A> = { asked, ticket: { requestId, tenant: caller.account_id, meter } }
    return call
  })
