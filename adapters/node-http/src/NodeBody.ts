import { type BodyPace, ChunksTooSmall, makeChunkCheck, measureProgress } from "@trunkline/http-api"
import { appendBytes } from "@trunkline/kernel"
import { Effect, Exit, Option, Stream } from "effect"
import type { IncomingMessage } from "node:http"

/** Reads the body of a request. */
export interface BodyOptions<E> {
  readonly pace: BodyPace
  readonly errorOf: (cause: unknown) => E
}

/** Requests whose chunks were too small. */
const wasteful = new WeakSet<IncomingMessage>()

/** True for a request whose chunks were too small, and which is not worth reading on. */
export const isWasteful = (request: IncomingMessage): boolean => wasteful.has(request)

/** Checks the chunks of a body, given the bytes of each piece; returns false once they are too small. */
const checkChunks = (source: IncomingMessage): (bytes: number) => boolean => {
  if (source.headers["transfer-encoding"] === undefined) return () => true
  const check = makeChunkCheck(source.socket.bytesRead)
  return (bytes) => {
    if (check(bytes, source.socket.bytesRead)) return true
    wasteful.add(source)
    return false
  }
}

/**
 * Reads a body as text. Later reads have the same outcome; the interruption of the first one ends the request. It has one
 * timer, and merges small pieces: most bodies are a single one.
 */
export const readText = <E>(source: IncomingMessage, { errorOf, pace }: BodyOptions<E>): Effect.Effect<string, E> => {
  let outcome: Exit.Exit<string, E> | undefined
  const read = Effect.async<string, E>((resume) => {
    const progress = measureProgress(pace)
    const accept = checkChunks(source)
    const pieces: Array<Uint8Array> = []
    let since = performance.now()
    const settle = (exit: Exit.Exit<string, E>) => {
      clearTimeout(timer)
      source.off("error", onError).off("end", onEnd).off("data", onData)
      outcome = exit
      resume(exit)
    }
    const onError = (cause: unknown) => settle(Exit.fail(errorOf(cause)))
    const onEnd = () => settle(Exit.succeed(Buffer.concat(pieces).toString()))
    const onData = (piece: Uint8Array) => {
      const now = performance.now()
      progress.countBytes(piece.length, now - since)
      since = now
      if (!accept(piece.length)) return onError(new ChunksTooSmall())
      appendBytes(pieces, piece)
    }
    const check = () => {
      const remaining = progress.patience() - (performance.now() - since)
      if (remaining > 0) timer = setTimeout(check, remaining)
      else onError(progress.tooSlow())
    }
    let timer = setTimeout(check, progress.patience())
    source.on("error", onError).on("end", onEnd).on("data", onData)
    return Effect.sync(() => {
      clearTimeout(timer)
      source.destroy()
    })
  })
  return Effect.suspend(() => outcome ?? read)
}

/** Streams a body in the pieces in which it is read. The request stays open when its reader stops. */
export const streamBody = <E>(
  source: IncomingMessage,
  { errorOf, pace }: BodyOptions<E>
): Stream.Stream<Uint8Array, E> => {
  const attach = Effect.sync(() => {
    const reading = { wake: () => {}, failure: Option.none<unknown>() }
    const onReadable = () => reading.wake()
    const onError = (cause: unknown) => {
      reading.failure = Option.some(cause)
      reading.wake()
    }
    source.on("readable", onReadable).on("end", onReadable).on("error", onError)
    const detach = () => source.off("readable", onReadable).off("end", onReadable).off("error", onError)
    return { reading, detach }
  })

  return Stream.unwrapScoped(Effect.map(
    Effect.acquireRelease(attach, ({ detach }) => Effect.sync(detach)),
    ({ reading }) => {
      const progress = measureProgress(pace)
      const accept = checkChunks(source)

      /** The next piece, the end or a failure; undefined when none of them is there. */
      const take = (): Exit.Exit<Uint8Array, Option.Option<E>> | undefined => {
        const piece: Uint8Array | null = source.read()
        if (piece !== null) {
          return accept(piece.length) ? Exit.succeed(piece) : Exit.fail(Option.some(errorOf(new ChunksTooSmall())))
        }
        if (Option.isSome(reading.failure)) return Exit.fail(Option.some(errorOf(reading.failure.value)))
        return source.readable ? undefined : Exit.fail(Option.none())
      }

      const wait = Effect.async<Uint8Array, Option.Option<E>>((resume) => {
        const since = performance.now()
        const stop = () => {
          clearTimeout(timer)
          reading.wake = () => {}
        }
        const timer = setTimeout(() => {
          stop()
          resume(Exit.fail(Option.some(errorOf(progress.tooSlow()))))
        }, progress.patience())
        reading.wake = () => {
          const chunk = take()
          if (chunk === undefined) return
          stop()
          if (Exit.isSuccess(chunk)) progress.countBytes(chunk.value.length, performance.now() - since)
          resume(chunk)
        }
        return Effect.sync(stop)
      })

      return Stream.repeatEffectOption(Effect.suspend(() => {
        const chunk = take()
        if (chunk === undefined) return wait
        if (Exit.isSuccess(chunk)) progress.countBytes(chunk.value.length, 0)
        return chunk
      }))
    }
  ))
}
