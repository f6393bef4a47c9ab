import { HttpMethod, HttpServerError, type HttpServerRequest } from "@effect/platform"
import { type BodyPace, measureProgress } from "@trunkline/http-api"
import { collectBytes } from "@trunkline/kernel"
import { Effect, Option, Stream } from "effect"
import { batchesOf, drainBody, waitFor } from "./BodyReader.js"

/** The name contains the advice, because logs show the names of defects but not their messages. */
class BodyAlreadyRead extends Error {
  override readonly name = "BodyAlreadyRead (give Trunkline the request before its body is read, or a clone of it)"
}

/** Bodies up to this size, in bytes, are read as the host reads them. */
const smallBytes = 16_384

/** Reads a small body within the idle timeout, which is about the minimum rate by default. */
const smallText = async (source: Request, pace: BodyPace): Promise<string> => {
  const progress = measureProgress(pace)
  const text = await waitFor(source.text(), progress.patience())
  if (text === undefined) throw progress.tooSlow()
  return text
}

/** A request whose body stays owned by the host. */
export interface RequestBody {
  /** The request. Its body is released, not cancelled, when the application stops reading. */
  readonly request: HttpServerRequest.HttpServerRequest
  /** Reads the rest of the body, before the response is sent. */
  readonly drain: Effect.Effect<void>
}

/** Takes the body from the source request, for methods that can have one. Reading a body twice is a defect. */
export const makeRequestBody = (
  request: HttpServerRequest.HttpServerRequest,
  source: Request,
  pace: BodyPace = {}
): RequestBody => {
  const body = HttpMethod.hasBody(request.method) ? source.body : null
  if (body === null) {
    return { request: Object.create(request, { stream: { value: Stream.empty } }), drain: Effect.void }
  }
  if (source.bodyUsed || body.locked) {
    const alreadyRead = Effect.die(new BodyAlreadyRead())
    const properties = { stream: { value: Stream.fromEffect(alreadyRead) }, text: { value: alreadyRead } }
    return { request: Object.create(request, properties), drain: Effect.void }
  }
  const errorOf = (cause: unknown) => new HttpServerError.RequestError({ request, reason: "Decode", cause })
  const stream = Stream.unwrapScoped(Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => body.getReader()),
      (reader) => Effect.sync(() => reader.releaseLock())
    ),
    (reader) => {
      const next = batchesOf(reader, pace)
      return Stream.repeatEffectOption(Effect.flatMap(
        Effect.tryPromise({ try: next, catch: (cause) => Option.some(errorOf(cause)) }),
        (bytes) => bytes === undefined ? Effect.fail(Option.none()) : Effect.succeed(bytes)
      ))
    }
  ))
  const isSmall = Number(request.headers["content-length"] ?? Infinity) <= smallBytes
  const text = isSmall
    ? Effect.tryPromise({ try: () => smallText(source, pace), catch: errorOf })
    : Effect.map(collectBytes(stream), (bytes) => new TextDecoder().decode(bytes))
  const properties = { stream: { value: stream }, text: { value: Effect.runSync(Effect.cached(text)) } }
  return {
    request: Object.create(request, properties),
    drain: Effect.promise(() => drainBody(body))
  }
}
