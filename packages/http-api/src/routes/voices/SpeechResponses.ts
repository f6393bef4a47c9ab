import { HttpServerResponse } from "@effect/platform"
import type { AudioFormat, StreamCodec } from "@trunkline/audio"
import { macroTask } from "@trunkline/kernel"
import type { GeneratedSpeech } from "@trunkline/speech"
import { Effect, Encoding, Stream } from "effect"

/** Content type of streamed audio. */
export const audioContentType = ({ codec, rate }: AudioFormat<StreamCodec>): string => {
  switch (codec) {
    case "mp3":
      return "audio/mpeg"
    case "wav":
      return "audio/wav"
    case "linear16":
      return `audio/L16; rate=${rate}; channels=1`
    case "mulaw":
      return rate === 8000 ? "audio/basic" : `audio/x-mulaw; rate=${rate}`
    case "alaw":
      return `audio/x-alaw; rate=${rate}`
  }
}

/** Bytes encoded to base64 at a time. It is a multiple of three, so that only the last chunk has padding. */
const chunkBytes = 98_304

const encoder = new TextEncoder()

const encodeBase64 = (bytes: Uint8Array): Effect.Effect<ReadonlyArray<Uint8Array>> =>
  Effect.gen(function*() {
    const chunks: Array<Uint8Array> = []
    for (let offset = 0; offset < bytes.length; offset += chunkBytes) {
      chunks.push(encoder.encode(Encoding.encodeBase64(bytes.subarray(offset, offset + chunkBytes))))
      yield* macroTask
    }
    return chunks
  })

/**
 * JSON response with generated speech. It is encoded in chunks, because minutes of audio encoded at once would block the
 * event loop. `audio` is a deprecated copy of `audio_b64`.
 */
export const speechResponse = ({ bytes, seconds }: GeneratedSpeech, requestId: string | null) =>
  Effect.map(encodeBase64(bytes), (audio) => {
    const chunks = [
      encoder.encode(`{"audio_b64":"`),
      ...audio,
      encoder.encode(`","request_id":${JSON.stringify(requestId)},"audio":"`),
      ...audio,
      encoder.encode(`","audio_duration":${seconds}}`)
    ]
    return HttpServerResponse.stream(Stream.rechunk(Stream.fromIterable(chunks), 1), {
      contentType: "application/json",
      contentLength: chunks.reduce((length, chunk) => length + chunk.length, 0)
    })
  })
