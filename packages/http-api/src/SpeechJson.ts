import { HttpServerResponse } from "@effect/platform"
import { macroTask } from "@trunkline/kernel"
import type { GeneratedSpeech } from "@trunkline/speech"
import { Effect, Encoding, Stream } from "effect"

/** Bytes that become base64 without a pause; a multiple of three, so that there is no padding but at the end. */
const atOnce = 98_304

const encoder = new TextEncoder()

const base64Of = (bytes: Uint8Array): Effect.Effect<ReadonlyArray<Uint8Array>> =>
  Effect.gen(function*() {
    const pieces: Array<Uint8Array> = []
    for (let at = 0; at < bytes.length; at += atOnce) {
      pieces.push(encoder.encode(Encoding.encodeBase64(bytes.subarray(at, at + atOnce))))
      yield* macroTask
    }
    return pieces
  })

/**
 * A whole speech as JSON (specification, voices/clone), written piece by piece: minutes of sound as one text would hold
 * up the event loop. `audio` is the deprecated twin of `audio_b64`.
 */
export const speechJson = ({ bytes, seconds }: GeneratedSpeech, requestId: string | null) =>
  Effect.map(base64Of(bytes), (sound) => {
    const text = (written: string) => [encoder.encode(written)]
    const pieces = [
      ...text(`{"audio_b64":"`),
      ...sound,
      ...text(`","request_id":${JSON.stringify(requestId)},"audio":"`),
      ...sound,
      ...text(`","audio_duration":${seconds}}`)
    ]
    return HttpServerResponse.stream(Stream.rechunk(Stream.fromIterable(pieces), 1), {
      contentType: "application/json",
      contentLength: pieces.reduce((length, piece) => length + piece.length, 0)
    })
  })
