import { Effect, Stream } from "effect"

const broken = () => new Error("The answer broke off")

/** The same bytes, which break off when the signal is aborted, whether or not somebody reads them just then. */
const cuttable = (bytes: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> => {
  const reader = bytes.getReader()
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const cut = () => {
        controller.error(broken())
        reader.cancel().catch(() => undefined)
      }
      if (signal.aborted) cut()
      else signal.addEventListener("abort", () => queueMicrotask(cut))
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
 * The bytes of a stream. Where it breaks they break off and do not say why: to end them would pass what there is of it
 * for the whole.
 */
export const responseBody = <E>(
  stream: Stream.Stream<Uint8Array, E>,
  signal: AbortSignal
): Effect.Effect<ReadableStream<Uint8Array>> =>
  Stream.catchAllCause(stream, () => Stream.fail(broken())).pipe(
    Stream.toReadableStreamEffect(),
    Effect.interruptible,
    Effect.map((bytes) => cuttable(bytes, signal))
  )
