import { describeCause } from "@trunkline/kernel"
import type { AnswerEvent, AnswerFailure } from "@trunkline/models"
import { Cause, Chunk, Effect, Stream } from "effect"
import type { ResponseAsked } from "../reading/ResponseAsked.js"
import { unixSeconds } from "../UnixSeconds.js"
import { makeResponseFrames, type ResponseFrames } from "./ResponseFrames.js"

const endingOf = (frames: ResponseFrames) =>
  Effect.gen(function*() {
    const finished = frames.finished()
    if (finished === null) return yield* Effect.dieMessage("An answer ended without its finish or its usage")
    return Stream.fromIterable(frames.ending(finished, yield* unixSeconds))
  })

const reported = (cause: Cause.Cause<AnswerFailure>) =>
  Cause.isFailure(cause) && !Cause.isDie(cause)
    ? Effect.void
    : Effect.logError("A response broke off", describeCause(cause))

/** The frames of an answer's stream, as `Responses.stream` promises them. */
export const responseStream = (
  asked: ResponseAsked,
  requestId: string,
  answer: Stream.Stream<AnswerEvent, AnswerFailure>
): Stream.Stream<Uint8Array, AnswerFailure> =>
  Stream.suspend(() => {
    const frames = makeResponseFrames(asked, requestId)
    return answer.pipe(
      Stream.mapChunks((events) => Chunk.unsafeFromArray(frames.pieces(events))),
      Stream.concat(Stream.unwrap(endingOf(frames))),
      Stream.catchAllCause((cause) =>
        frames.hasBegun()
          ? Stream.unwrap(Effect.as(reported(cause), Stream.fromIterable(frames.failure(cause))))
          : Stream.failCause(cause)
      )
    )
  })
