import { HttpMethod, HttpServerError, type HttpServerRequest } from "@effect/platform"
import { Effect, Stream } from "effect"

/** The name contains the advice, because logs show the names of defects but not their messages. */
class BodyAlreadyRead extends Error {
  override readonly name = "BodyAlreadyRead (give Trunkline the request before its body is read, or a clone of it)"
}

/** Bytes of an unwanted body that are read nevertheless. */
const drainLimitBytes = 16_777_216

const readAndDiscard = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> => {
  for (let remaining = drainLimitBytes; remaining > 0;) {
    const { done, value } = await reader.read()
    if (done) return
    remaining -= value.byteLength
  }
}

/**
 * Reads the rest of a body, up to a limit, while the response is sent. Some hosts otherwise cut the connection, and with
 * it the next request.
 */
const drainBody = async (body: ReadableStream<Uint8Array>): Promise<void> => {
  if (body.locked) return
  const reader = body.getReader()
  await readAndDiscard(reader).catch(() => undefined)
  reader.releaseLock()
}

/** A request whose body stays owned by the host. */
export interface RequestBody {
  /** The request. Its body is released, not cancelled, when the application stops reading. */
  readonly request: HttpServerRequest.HttpServerRequest
  /** Reads the rest of the body in the background. */
  readonly drain: Effect.Effect<void>
}

/** Takes the body from the source request, for methods that can have one. Reading a body twice is a defect. */
export const makeRequestBody = (request: HttpServerRequest.HttpServerRequest, source: Request): RequestBody => {
  const body = HttpMethod.hasBody(request.method) ? source.body : null
  if (body === null) {
    return { request: Object.create(request, { stream: { value: Stream.empty } }), drain: Effect.void }
  }
  if (source.bodyUsed || body.locked) {
    const alreadyRead = Effect.die(new BodyAlreadyRead())
    const properties = { stream: { value: Stream.fromEffect(alreadyRead) }, text: { value: alreadyRead } }
    return { request: Object.create(request, properties), drain: Effect.void }
  }
  const stream = Stream.fromReadableStream({
    evaluate: () => body,
    onError: (cause) => new HttpServerError.RequestError({ request, reason: "Decode", cause }),
    releaseLockOnEnd: true
  })
  return {
    request: Object.create(request, { stream: { value: stream } }),
    drain: Effect.sync(() => void drainBody(body))
  }
}

const brokenStream = () => new Error("The response broke off")

/** Makes a stream fail as soon as the signal is aborted, even while no one reads it. */
const failOnAbort = (bytes: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> => {
  const reader = bytes.getReader()
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const fail = () => {
        controller.error(brokenStream())
        reader.cancel().catch(() => undefined)
      }
      if (signal.aborted) fail()
      else signal.addEventListener("abort", () => queueMicrotask(fail))
    },
    pull: async (controller) => {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason)
  }, { highWaterMark: 0 })
}

/**
 * Converts a stream to the body of a response. A failure breaks the body off without its details: ending it instead would
 * make an incomplete body look complete.
 */
export const makeResponseBody = <E>(
  stream: Stream.Stream<Uint8Array, E>,
  signal: AbortSignal
): Effect.Effect<ReadableStream<Uint8Array>> =>
  Stream.catchAllCause(stream, () => Stream.fail(brokenStream())).pipe(
    Stream.toReadableStreamEffect(),
    Effect.interruptible,
    Effect.map((bytes) => failOnAbort(bytes, signal))
  )
