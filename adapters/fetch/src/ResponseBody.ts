import { Effect, Stream } from "effect"

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
