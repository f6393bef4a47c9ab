import { type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import type { BodyTooLarge, Invalid, Overloaded } from "@trunkline/errors"
import { CurrentRequestId, makePage, VoiceId } from "@trunkline/kernel"
import type { Principal } from "@trunkline/rate-limits"
import {
  type GenerateRequest,
  type NewVoice,
  readCreateForm,
  readGenerateForm,
  readStreamForm,
  type SpeechMeter,
  type StreamRequest,
  type VoiceForm,
  voicesByPlan
} from "@trunkline/speech"
import { Effect, FiberRef, Scope } from "effect"
import { AuthenticatedCaller } from "../../api/Admission.js"
import { formLimits } from "../../api/VoiceGroups.js"
import { readForm } from "../../request/FormReader.js"
import { makeUploadBudget } from "../../request/UploadBudget.js"
import { streamingHeaders } from "../../response/EventStream.js"
import { routeHandlers } from "../../RouteHandlers.js"
import { audioContentType, speechResponse } from "./SpeechResponses.js"

/** Price of speech. */
const speechApi = "voice_cloning"

/** Price of saving a voice; free unless the price table lists it. */
const creationApi = "voice_creation"

/** Bytes of audio clips that all requests together may hold in memory: 256 MiB. */
const clipBudgetBytes = 268_435_456

/** Ids of voices are case-insensitive. */
const lowerCaseId = (id: VoiceId): VoiceId => VoiceId.make(id.toLowerCase())

type Request = { readonly request: HttpServerRequest.HttpServerRequest }

/** Handlers of voices and speech. */
export const voicesHandlers = routeHandlers(
  "voices",
  (handlers) =>
    Effect.map(Engine, ({ credits, ids, speech, voices }) => {
      const budget = makeUploadBudget(clipBudgetBytes)

      /**
       * Reads a form and runs the work on it. The rest of the body is drained, also after a failure, so that the client
       * receives the response. Files count against the budget until the work is done.
       */
      const withForm = <A, E, B, E2, R>(
        { request }: Request,
        { limitBytes, read, work }: {
          readonly limitBytes: number
          readonly read: (form: VoiceForm<Invalid | BodyTooLarge | Overloaded>) => Effect.Effect<A, E>
          readonly work: (input: A) => Effect.Effect<B, E2, R>
        }
      ) =>
        Effect.flatMap(readForm(request, limitBytes), (form) =>
          Effect.scoped(Effect.gen(function*() {
            const chargedForm = yield* budget.charge(form)
            return yield* work(
              yield* Effect.tapBoth(read(chargedForm), { onFailure: () => form.drain, onSuccess: () => form.drain })
            )
          })))

      const account = Effect.map(AuthenticatedCaller, ({ caller }) => caller.account_id)

      const requestId = Effect.flatMap(
        FiberRef.get(CurrentRequestId),
        (id) => id === null ? ids.requestId : Effect.succeed(id)
      )

      const makeMeter = (payer: Principal, request_id: string): SpeechMeter => ({
        reserve: (character) => credits.reserve({ payer, request_id, api: speechApi, max: { character } }),
        settle: (character) => credits.settle({ payer, request_id, api: speechApi, used: { character } }),
        release: Effect.ignore(credits.release(request_id))
      })

      const create = Effect.fnUntraced(function*(request: Request) {
        const { caller } = yield* AuthenticatedCaller
        const request_id = yield* requestId
        const save = (voice: NewVoice) =>
          credits.pay(
            { payer: caller, request_id, api: creationApi, max: { request: 1 } },
            Effect.map(
              voices.create(caller.account_id, voice, { max: voicesByPlan[caller.plan] }),
              (value) => ({ value, used: { request: 1 } })
            )
          )
        const { bytes: limitBytes } = formLimits.create
        const voice = yield* withForm(request, { limitBytes, read: readCreateForm, work: save })
        const { reference_text, voice_id } = voice
        return { ...voice, request_id, data: { voice_id, reference_text } }
      })

      const stream = Effect.fnUntraced(function*(request: Request) {
        const { caller } = yield* AuthenticatedCaller
        const { bytes: limitBytes } = formLimits.stream
        const id = yield* requestId
        const speak = (input: StreamRequest) =>
          Effect.map(
            speech.stream(caller.account_id, input, makeMeter(caller, id)),
            (audio) =>
              HttpServerResponse.stream(audio, {
                contentType: audioContentType(input.format),
                headers: streamingHeaders
              })
          )
        const scope = yield* Effect.scope
        const work = (input: StreamRequest) => Scope.extend(speak(input), scope)
        return yield* withForm(request, { limitBytes, read: readStreamForm, work })
      })

      const generate = Effect.fnUntraced(function*(request: Request) {
        const { caller } = yield* AuthenticatedCaller
        const id = yield* requestId
        const speak = (input: GenerateRequest) => speech.generate(caller.account_id, input, makeMeter(caller, id))
        const { bytes: limitBytes } = formLimits.generate
        return yield* speechResponse(yield* withForm(request, { limitBytes, read: readGenerateForm, work: speak }), id)
      })

      return handlers
        .handle("voices.create", create)
        .handle("voices.speak", stream)
        .handle("voices.generate", generate)
        .handle("voices.list", ({ request, urlParams }) =>
          Effect.map(
            Effect.flatMap(account, (id) => voices.list(id, urlParams)),
            ({ items, total }) => makePage(items, total, urlParams, request.originalUrl)
          ))
        .handle("voices.get", ({ path }) => Effect.flatMap(account, (id) => voices.get(id, lowerCaseId(path.voice_id))))
        .handle("voices.remove", ({ path: { voice_id } }) =>
          Effect.as(
            Effect.flatMap(account, (id) => voices.remove(id, lowerCaseId(voice_id))),
            { voice_id, deleted: true as const }
          ))
    })
)
