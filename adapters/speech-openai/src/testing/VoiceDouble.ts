import { concatSamples, toLinear16 } from "@trunkline/audio"
import { type FakeServer, fakeServer, type Seen, type Step } from "@trunkline/http-client/testing"
import { modemVoice, Synthesizer } from "@trunkline/speech"
import { Chunk, Effect, type Scope, Stream } from "effect"
import { type VoiceProviderName, voiceProviders } from "../providers/VoiceProviders.js"
import { voiceShapes } from "./VoiceShapes.js"

/** Keys and a voice to which a double answers with a refusal that its provider documents. */
export const doubleKeys = {
  good: "sk-good-0123456789",
  usedUp: "sk-used-up-0123456789",
  limited: "sk-limited-0123456789",
  down: "sk-down-0123456789"
} as const

/** A voice that no double has. */
export const unknownVoice = "nobody"

/** Longest text of a double, in characters. */
const longestText = 400

/** A server that behaves as a provider of voices documents. */
export interface VoiceDouble extends FakeServer {
  /** Faults of the requests, against the provider's documentation; empty when all were right. */
  readonly problems: ReadonlyArray<string>
}

const speak = (text: string, rate: number, pace: number): Effect.Effect<Uint8Array> =>
  Synthesizer.pipe(
    Effect.flatMap(({ speak }) =>
      Stream.runCollect(speak({ text, language: "en-IN", pace, reference: null, take: 0 }))
    ),
    Effect.map((pieces) => toLinear16(concatSamples(Chunk.toReadonlyArray(pieces)))),
    Effect.provide(modemVoice({ nativeRate: rate })),
    Effect.orDie
  )

/** Bytes of a piece of sound: an odd number, so that samples are cut in two. */
const pieceBytes = 4_001

const inPieces = (bytes: Uint8Array): ReadonlyArray<Step> =>
  Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, at) => ({
    write: bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes)
  }))

/**
 * Starts a double of a provider of voices on the loopback address. It speaks with the modem voice, checks path, key and fields
 * of each request, and refuses what its provider refuses. `before` are steps before its sound, such as a pause; `ending` is the
 * last one, in place of `end`.
 */
export const voiceDouble = (
  name: VoiceProviderName,
  { before = [], ending = "end" }: { readonly before?: ReadonlyArray<Step>; readonly ending?: Step } = {}
): Effect.Effect<VoiceDouble, never, Scope.Scope> =>
  Effect.suspend(() => {
    const { optional, path, read, refusals, required, type } = voiceShapes[name]
    const isLocal = voiceProviders[name].keyVariable === null
    const problems: Array<string> = []

    const check = (request: Seen, fields: ReadonlyArray<string>) => {
      if (request.method !== "POST" || !path.test(request.path)) problems.push(`${request.method} ${request.path}`)
      for (const field of required) if (!fields.includes(field)) problems.push(`without ${field}`)
      for (const field of fields) if (![...required, ...optional].includes(field)) problems.push(`unknown ${field}`)
    }

    const answer = async (request: Seen): Promise<ReadonlyArray<Step>> => {
      const { fields, key, pace, rate, text, voice } = read(request)
      check(request, fields)
      if (key === doubleKeys.usedUp) return refusals.noCredit
      if (key === doubleKeys.limited) return refusals.limited
      if (key === doubleKeys.down) return refusals.down
      if (!isLocal && key !== doubleKeys.good) return refusals.badKey
      if (voice === unknownVoice) return refusals.unknownVoice
      if (text === undefined || rate === undefined) return [{ status: 422 }, "end"]
      if (text.length > longestText) return refusals.tooLong
      const sound = await Effect.runPromise(speak(text, rate, pace))
      return [{ status: 200, headers: { "content-type": type } }, ...before, ...inPieces(sound), ending]
    }

    return Effect.map(fakeServer(answer), (server) => ({ ...server, problems }))
  })
