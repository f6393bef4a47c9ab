import type { HttpServerRequest } from "@effect/platform"
import type { Engine } from "@trunkline/engine"
import { BadRequest, type Invalid, NotAllowed, type NotFound } from "@trunkline/errors"
import { CurrentRequestId, flatMapNow, mapNow } from "@trunkline/kernel"
import { findModel, type Meter } from "@trunkline/models"
import { hasFeature, mayUseModel, type Principal } from "@trunkline/rate-limits"
import { Context, Effect, Exit, Predicate } from "effect"
import { checkContentType } from "../../admission/AdmissionChecks.js"
import { AuthenticatedCaller } from "../../api/Admission.js"
import { MatchedRoute } from "../../api/RouteTable.js"

/** A route that calls a model. */
interface ModelRoute<A, E> {
  /** Rate limit and price; those of core models have the suffix `_core`. */
  readonly api: "chat" | "responses"
  /** True when only keys with the feature `beta` may use the route. */
  readonly isBeta: boolean
  /** Reads the model from a body. */
  readonly modelOf: (body: unknown) => Effect.Effect<string, NotFound | Invalid>
  /** Decodes a body. */
  readonly read: (body: unknown) => Effect.Effect<A, E>
}

/** An admitted model call: its decoded body, request id, account, and the meter that charges its usage. */
interface ModelCall<A> {
  readonly input: A
  readonly ticket: { readonly requestId: string; readonly tenant: string; readonly meter: Meter }
}

/** Failure of a body before its fields are read. */
type BodyFailure = BadRequest | NotAllowed | NotFound | Invalid

type Services = Pick<Engine["Type"], "catalog" | "credits" | "ids" | "limits">

const makeMeter = (
  { credits }: Services,
  { api, caller: payer, requestId: request_id }: {
    readonly api: string
    readonly caller: Principal
    readonly requestId: string
  }
): Meter => ({
  reserve: ({ inputTokens, outputTokens }) =>
    credits.reserve({ payer, request_id, api, max: { input_token: inputTokens, output_token: outputTokens } }),
  settle: ({ inputTokens, outputTokens }) =>
    credits.settle({ payer, request_id, api, used: { input_token: inputTokens, output_token: outputTokens } }),
  release: Effect.ignore(credits.release(request_id))
})

const betaNotEnabled = () =>
  new BadRequest({ message: "This route is in beta and not enabled for this key. Ask for access.", param: null })

const modelName = (body: Exit.Exit<unknown>): string =>
  Exit.isSuccess(body) && Predicate.hasProperty(body.value, "model") && Predicate.isString(body.value.model)
    ? body.value.model
    : ""

/**
 * Admits a model call. Checks, in this order: the rate limit of the model that the body names, the content type, the
 * JSON of the body, access to beta routes, the model, the key's access to the model, and every field of the body.
 */
export const admitModelCall = <A, E>(
  services: Services,
  request: HttpServerRequest.HttpServerRequest,
  { api: family, isBeta, modelOf, read }: ModelRoute<A, E>
) =>
  Effect.contextWithEffect((context: Context.Context<AuthenticatedCaller | MatchedRoute>) => {
    const { caller } = Context.get(context, AuthenticatedCaller)
    const info = Context.get(context, MatchedRoute)

    const withTicket = (input: A, api: string) =>
      Effect.withFiberRuntime<ModelCall<A>>((fiber) => {
        const currentId = fiber.getFiberRef(CurrentRequestId)
        return mapNow(currentId === null ? services.ids.requestId : Effect.succeed(currentId), (requestId) => ({
          input,
          ticket: { requestId, tenant: caller.account_id, meter: makeMeter(services, { api, caller, requestId }) }
        }))
      })

    const readBody = (body: unknown, api: string): Effect.Effect<ModelCall<A>, E | BodyFailure> => {
      if (isBeta && !hasFeature(caller, "beta")) return betaNotEnabled()
      return flatMapNow(modelOf(body), (model): Effect.Effect<ModelCall<A>, E | BodyFailure> =>
        mayUseModel(caller, model)
          ? flatMapNow(read(body), (input) => withTicket(input, api))
          : new NotAllowed({ message: "This API key may not use this model" }))
    }

    return Effect.flatMap(Effect.exit(Effect.orDie(request.json)), (body: Exit.Exit<unknown>) => {
      const isCore = findModel(services.catalog, modelName(body))?.tier === "core"
      const api = isCore ? `${family}_core` as const : family
      const spending = { subject: caller, api }
      return flatMapNow(services.limits.spendNow(spending) ?? services.limits.spend(spending), () =>
        flatMapNow(checkContentType(request.headers, info), () => flatMapNow(body, (value) => readBody(value, api))))
    })
  })
