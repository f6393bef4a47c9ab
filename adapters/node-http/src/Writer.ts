import type { HttpBody, HttpServerResponse } from "@effect/platform"
import { type FrameReader, frameReaderOf, isSubscription, subscriptionCloseTimeout } from "@trunkline/http-api"
import { Chunk, Effect, Stream } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { endResponse } from "./Linger.js"

/** Settings of a writer. */
export interface WriterOptions {
  /** Time after which a client that does not read a streamed response is cut, in milliseconds. */
  readonly readTimeout: number
  /** Completes when the server closes, which ends subscriptions. */
  readonly closing: Effect.Effect<void>
}

/** Writes a response to the connection of its request. Completes when it is written, or was discarded. */
export type WriteResponse = (
  request: IncomingMessage,
  target: ServerResponse,
  response: HttpServerResponse.HttpServerResponse
) => Effect.Effect<void>

/**
 * Ends a response. A request with a body waits until the response is flushed: releasing the body earlier would close the
 * connection.
 */
const end = (request: IncomingMessage, target: ServerResponse, body?: Uint8Array | string) => {
  const { method = "GET" } = request
  if (method === "GET" || method === "HEAD") return Effect.sync(() => endResponse(request, target, body))
  return Effect.async<void>((resume) => {
    target.once("close", () => resume(Effect.void))
    target.once("finish", () => resume(Effect.void))
    endResponse(request, target, body)
  })
}

/** Writes chunks as they arrive, those that arrive together at once, and waits while the client does not read. */
const writeChunks = <E>(target: ServerResponse, stream: Stream.Stream<Uint8Array, E>) => {
  const drain = Effect.async<void>((resume) => {
    const onDrain = () => resume(Effect.void)
    target.once("drain", onDrain)
    return Effect.sync(() => void target.off("drain", onDrain))
  })
  return Stream.runForEachChunk(stream, (chunk) => {
    const pieces = Chunk.toReadonlyArray(chunk)
    const [first] = pieces
    if (first === undefined) return Effect.void
    return target.write(pieces.length === 1 ? first : Buffer.concat(pieces)) ? Effect.void : drain
  })
}

/** Writes frames as they arrive, like `writeChunks`, without a fiber that waits for them. */
const writeFrames = (target: ServerResponse, frames: FrameReader) =>
  Effect.async<void>((resume) => {
    const flow = () => {
      let isWritable = true
      while (isWritable) {
        const frame = frames.take()
        if (frame === null) return resume(Effect.void)
        const [first] = frame
        if (first === undefined) return frames.wait(flow)
        isWritable = target.write(frame.length === 1 ? first : Buffer.concat(frame))
      }
      target.once("drain", flow)
    }
    flow()
    return Effect.sync(() => {
      target.off("drain", flow)
      frames.wait(() => {})
    })
  })

/** Makes the writer of the responses of a server. */
export const makeWriter = ({ closing, readTimeout }: WriterOptions): WriteResponse => {
  /** Cuts the connection when a stream fails: ending the response would make an incomplete body look complete. */
  const stream = (
    request: IncomingMessage,
    target: ServerResponse,
    { contentType, stream: bytes }: HttpBody.Stream
  ) => {
    const cut = Effect.sync(() => void target.destroy())
    target.setTimeout(readTimeout, () => target.destroy())
    // Runs before Node sets the keep-alive timeout of the connection.
    target.prependOnceListener("finish", () => target.socket?.setTimeout(0))
    const reader = frameReaderOf(bytes)
    const work = isSubscription(request, contentType)
      ? Effect.scoped(Effect.zipRight(
        Effect.forkScoped(Effect.zipRight(closing, Effect.delay(cut, subscriptionCloseTimeout))),
        writeChunks(target, Stream.interruptWhen(bytes, closing))
      ))
      : reader === undefined
      ? writeChunks(target, bytes)
      : writeFrames(target, reader)
    return Effect.onError(work, () => cut).pipe(
      Effect.zipRight(Effect.sync(() => endResponse(request, target))),
      Effect.catchAllCause(() => Effect.void)
    )
  }

  return (request, target, { body, headers, status }) => {
    if (target.writableEnded || target.destroyed) return Effect.void
    target.writeHead(status, headers)
    if (request.method === "HEAD") return end(request, target)
    switch (body._tag) {
      case "Empty":
        return end(request, target)
      case "Uint8Array":
        return end(request, target, body.body)
      case "Raw":
        return end(request, target, typeof body.body === "string" ? body.body : undefined)
      case "Stream":
        return stream(request, target, body)
      case "FormData":
        return Effect.dieMessage("A response cannot be a form")
    }
  }
}
