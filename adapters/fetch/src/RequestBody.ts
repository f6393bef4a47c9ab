import { HttpMethod, HttpServerError, type HttpServerRequest } from "@effect/platform"
import { Effect, Stream } from "effect"

/** Its name tells the log what to do, since messages are not logged. */
class BodyAlreadyRead extends Error {
  override readonly name = "BodyAlreadyRead (give Trunkline the request before its body is read, or a clone of it)"
}

/** Bytes of a body that nobody wants which are read nevertheless. */
const courtesyBytes = 16_777_216

const readOn = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> => {
  for (let left = courtesyBytes; left > 0;) {
    const { done, value } = await reader.read()
    if (done) return
    left -= value.byteLength
  }
}

/**
 * Reads what is left of a body, within reason and while the answer goes out: some hosts cut the connection of a request
 * that was not read to its end, and with it the next request.
 */
const drain = async (body: ReadableStream<Uint8Array>): Promise<void> => {
  if (body.locked) return
  const reader = body.getReader()
  await readOn(reader).catch(() => undefined)
  reader.releaseLock()
}

/** The body of a request, which the host goes on to own. */
export interface RequestBody {
  /** The request, which lets go of its body when enough of it was read, and does not cancel it. */
  readonly request: HttpServerRequest.HttpServerRequest
  /** Reads on, in the background, what the application has left. */
  readonly drain: Effect.Effect<void>
}

/** The body of a request, where it can have one. */
export const requestBody = (request: HttpServerRequest.HttpServerRequest, source: Request): RequestBody => {
  const body = HttpMethod.hasBody(request.method) ? source.body : null
  if (body === null) {
    return { request: Object.create(request, { stream: { value: Stream.empty } }), drain: Effect.void }
  }
  if (source.bodyUsed || body.locked) {
    const spent = Effect.die(new BodyAlreadyRead())
    const properties = { stream: { value: Stream.fromEffect(spent) }, text: { value: spent } }
    return { request: Object.create(request, properties), drain: Effect.void }
  }
  const stream = Stream.fromReadableStream({
    evaluate: () => body,
    onError: (cause) => new HttpServerError.RequestError({ request, reason: "Decode", cause }),
    releaseLockOnEnd: true
  })
  return {
    request: Object.create(request, { stream: { value: stream } }),
    drain: Effect.sync(() => void drain(body))
  }
}
