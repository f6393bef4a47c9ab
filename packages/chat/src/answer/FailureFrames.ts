import { envelope, type Failure, internalEnvelope } from "@trunkline/errors"
import { sseFrame } from "@trunkline/kernel"
import { Cause, Option } from "effect"

/** The last event of every stream of chat, whether it went well or not (decisions 6). */
export const doneFrame: Uint8Array = sseFrame("[DONE]")

/** What ends a stream of chat that failed after it had begun: the error, of a defect only that there was one, and the end. */
export const chatFailureFrames = (cause: Cause.Cause<Failure>, requestId: string): ReadonlyArray<Uint8Array> => {
  const { body } = Option.match(Cause.failureOption(cause), {
    onNone: () => internalEnvelope("chat", requestId),
    onSome: (failure) => envelope("chat", failure, requestId)
  })
  return [sseFrame(JSON.stringify(body)), doneFrame]
}
