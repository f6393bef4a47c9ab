import { HttpApiBuilder, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { BadRequest } from "@trunkline/errors"
import { CurrentRequestId, page } from "@trunkline/kernel"
import { type Caller, hasFeature } from "@trunkline/rate-limits"
import {
  readCreateForm,
  readGenerateForm,
  readStreamForm,
  type SpeechMeter,
  type VoiceForm,
  voicesByPlan
} from "@trunkline/speech"
import { Effect, FiberRef } from "effect"
import { Subscriber } from "../Admission.js"
import { Api } from "../Api.js"
import { type FormReader, readForm } from "../Form.js"
import { largest } from "../groups/VoiceBodies.js"
import { soundType } from "../SoundType.js"
import { speechJson } from "../SpeechJson.js"

/** The family of prices of everything that is spoken with a voice. */
const api = "voice_cloning"

/** Saving a voice costs what the price table says of one request of this family: nothing, unless it has a price. */
const creating = "voice_creation"

const closedBeta = new BadRequest({
  message: "This route is in beta and not enabled for this key. Ask for access.",
  param: null
})

/** Nothing on the way may keep, change or hold back what is streamed. */
const streaming = { "cache-control": "no-store, no-transform", "x-accel-buffering": "no" }

/** Reads a form, and passes over what is left of it when it is refused, so that the client hears why. */
const formOf = <A, E>(
  request: HttpServerRequest.HttpServerRequest,
  limitBytes: number,
  read: (form: VoiceForm<Effect.Effect.Error<FormReader["next"]>>) => Effect.Effect<A, E>
) =>
  Effect.flatMap(
    readForm(request, limitBytes),
    (form) => Effect.tapBoth(read(form), { onFailure: () => form.drain, onSuccess: () => form.drain })
  )

/** Answers the routes of voices. */
export const voices = HttpApiBuilder.group(
  Api,
  "voices",
  (handlers) =>
    Effect.map(Engine, ({ credits, ids, speech, voices }) => {
      const requestId = Effect.flatMap(
        FiberRef.get(CurrentRequestId),
        (id) => id === null ? ids.requestId : Effect.succeed(id)
      )

      const meterOf = (payer: Caller, request_id: string): SpeechMeter => ({
        reserve: (character) => credits.reserve({ payer, request_id, api, most: { character } }),
        settle: (character) => credits.settle({ payer, request_id, api, used: { character } }),
        release: Effect.ignore(credits.release(request_id))
      })

      return handlers
        .handle("create", ({ request }) =>
          Effect.gen(function*() {
            const { caller } = yield* Subscriber
            const request_id = yield* requestId
            const asked = yield* formOf(request, largest.create.bytes, readCreateForm)
            const saving = voices.create(caller.account_id, asked, { most: voicesByPlan[caller.plan] })
            const voice = yield* credits.pay(
              { payer: caller, request_id, api: creating, most: { request: 1 } },
              Effect.map(saving, (value) => ({ value, used: { request: 1 } }))
            )
            const { reference_text, voice_id } = voice
            return { ...voice, request_id, data: { voice_id, reference_text } }
          }))
        .handle("stream", ({ request }) =>
          Effect.gen(function*() {
            const { caller } = yield* Subscriber
            const asked = yield* formOf(request, largest.stream.bytes, readStreamForm)
            const meter = meterOf(caller, yield* requestId)
            const sound = yield* speech.stream(caller.account_id, asked, meter)
            return HttpServerResponse.stream(sound, { contentType: soundType(asked.format), headers: streaming })
          }))
        .handle("generate", ({ request }) =>
          Effect.gen(function*() {
            const { caller } = yield* Subscriber
            if (!hasFeature(caller, "beta")) return yield* closedBeta
            const id = yield* requestId
            const asked = yield* formOf(request, largest.generate.bytes, readGenerateForm)
            return yield* speechJson(yield* speech.generate(caller.account_id, asked, meterOf(caller, id)), id)
          }))
        .handle("list", ({ request, urlParams }) =>
          Effect.gen(function*() {
            const { caller } = yield* Subscriber
            const { items, total } = yield* voices.list(caller.account_id, urlParams)
            return page(items, total, urlParams, request.originalUrl)
          }))
        .handle(
          "get",
          ({ path: { voice_id } }) =>
            Effect.flatMap(Subscriber, ({ caller }) => voices.get(caller.account_id, voice_id))
        )
        .handle(
          "remove",
          ({ path: { voice_id } }) =>
            Effect.flatMap(
              Subscriber,
              ({ caller }) =>
                Effect.as(voices.remove(caller.account_id, voice_id), { voice_id, deleted: true as const })
            )
        )
    })
)
