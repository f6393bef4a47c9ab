import { HttpApiBuilder, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import type { BodyTooLarge, Invalid, Overloaded } from "@trunkline/errors"
import { CurrentRequestId, page, VoiceId } from "@trunkline/kernel"
import type { Caller } from "@trunkline/rate-limits"
import {
  type GenerateAsked,
  type NewVoice,
  readCreateForm,
  readGenerateForm,
  readStreamForm,
  type SpeechMeter,
  type StreamAsked,
  type VoiceForm,
  voicesByPlan
} from "@trunkline/speech"
import { Effect, FiberRef, Scope } from "effect"
import { Subscriber } from "../Admission.js"
import { Api } from "../Api.js"
import { readForm } from "../Form.js"
import { largest } from "../groups/VoiceBodies.js"
import { soundType } from "../SoundType.js"
import { speechJson } from "../SpeechJson.js"
import { makeUploadRoom } from "../UploadRoom.js"

/** The family of prices of everything that is spoken with a voice. */
const api = "voice_cloning"

/** Saving a voice costs what the price table says of one request of this family: nothing, unless it has a price. */
const creating = "voice_creation"

/** Nothing on the way may keep, change or hold back what is streamed. */
const streaming = { "cache-control": "no-store, no-transform", "x-accel-buffering": "no" }

/** What all clips together may take while they come and are worked on. */
const roomForClips = 268_435_456

/** Ids of voices are the same in either case of letters, as in forms. */
const folded = (id: VoiceId): VoiceId => VoiceId.make(id.toLowerCase())

type Request = { readonly request: HttpServerRequest.HttpServerRequest }

/** Answers the routes of voices. */
export const voices = HttpApiBuilder.group(
  Api,
  "voices",
  (handlers) =>
    Effect.map(Engine, ({ credits, ids, speech, voices }) => {
      const room = makeUploadRoom(roomForClips)

      /**
       * Reads a form, and passes over what is left of it when it is refused, so that the client hears why. Its files have
       * their room until the work is done.
       */
      const withForm = <A, E, B, E2, R>(
        { request }: Request,
        { limitBytes, read, work }: {
          readonly limitBytes: number
          readonly read: (form: VoiceForm<Invalid | BodyTooLarge | Overloaded>) => Effect.Effect<A, E>
          readonly work: (asked: A) => Effect.Effect<B, E2, R>
        }
      ) =>
        Effect.flatMap(readForm(request, limitBytes), (form) =>
          Effect.scoped(Effect.gen(function*() {
            const roomy = yield* room.within(form)
            return yield* work(
              yield* Effect.tapBoth(read(roomy), { onFailure: () => form.drain, onSuccess: () => form.drain })
            )
          })))

      const account = Effect.map(Subscriber, ({ caller }) => caller.account_id)

      const requestId = Effect.flatMap(
        FiberRef.get(CurrentRequestId),
        (id) => id === null ? ids.requestId : Effect.succeed(id)
      )

      const meterOf = (payer: Caller, request_id: string): SpeechMeter => ({
        reserve: (character) => credits.reserve({ payer, request_id, api, most: { character } }),
        settle: (character) => credits.settle({ payer, request_id, api, used: { character } }),
        release: Effect.ignore(credits.release(request_id))
      })

      const create = Effect.fnUntraced(function*(asked: Request) {
        const { caller } = yield* Subscriber
        const request_id = yield* requestId
        const save = (voice: NewVoice) =>
          credits.pay(
            { payer: caller, request_id, api: creating, most: { request: 1 } },
            Effect.map(
              voices.create(caller.account_id, voice, { most: voicesByPlan[caller.plan] }),
              (value) => ({ value, used: { request: 1 } })
            )
          )
        const { bytes: limitBytes } = largest.create
        const voice = yield* withForm(asked, { limitBytes, read: readCreateForm, work: save })
        const { reference_text, voice_id } = voice
        return { ...voice, request_id, data: { voice_id, reference_text } }
      })

      const stream = Effect.fnUntraced(function*(asked: Request) {
        const { caller } = yield* Subscriber
        const { bytes: limitBytes } = largest.stream
        const id = yield* requestId
        const speak = (speaking: StreamAsked) =>
          Effect.map(
            speech.stream(caller.account_id, speaking, meterOf(caller, id)),
            (sound) => HttpServerResponse.stream(sound, { contentType: soundType(speaking.format), headers: streaming })
          )
        const scope = yield* Effect.scope
        const work = (speaking: StreamAsked) => Scope.extend(speak(speaking), scope)
        return yield* withForm(asked, { limitBytes, read: readStreamForm, work })
      })

      const generate = Effect.fnUntraced(function*(asked: Request) {
        const { caller } = yield* Subscriber
        const id = yield* requestId
        const speak = (speaking: GenerateAsked) => speech.generate(caller.account_id, speaking, meterOf(caller, id))
        const { bytes: limitBytes } = largest.generate
        return yield* speechJson(yield* withForm(asked, { limitBytes, read: readGenerateForm, work: speak }), id)
      })

      return handlers
        .handle("create", create)
        .handle("stream", stream)
        .handle("generate", generate)
        .handle("list", ({ request, urlParams }) =>
          Effect.map(
            Effect.flatMap(account, (id) => voices.list(id, urlParams)),
            ({ items, total }) => page(items, total, urlParams, request.originalUrl)
          ))
        .handle("get", ({ path }) => Effect.flatMap(account, (id) => voices.get(id, folded(path.voice_id))))
        .handle("remove", ({ path: { voice_id } }) =>
          Effect.as(
            Effect.flatMap(account, (id) => voices.remove(id, folded(voice_id))),
            { voice_id, deleted: true as const }
          ))
    })
)
