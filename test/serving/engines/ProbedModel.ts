import { type Delta, emptyCompletion, LanguageModel, messageText, type ModelRequest } from "@trunkline/models"
import { Effect, Layer, Stream } from "effect"
import { gate, report } from "./Reporting.js"

const word = (text: string): Delta => ({ _tag: "Text", text })

const stopped = report("model stopped")

let flooded = 0

/** Number of chunks of the endless stream that were consumed. */
export const floodedChunks = (): number => flooded

/** Endless stream. */
const flood = Stream.repeatEffect(Effect.sync(() => {
  flooded += 1
  return word("x".repeat(8_000))
}))

const asked = ({ messages }: ModelRequest): string => messages.map(messageText).join()

const begun = Stream.fromEffect(Effect.as(report("model begun"), word("first")))

const pieces = (request: ModelRequest): Stream.Stream<Delta> => {
  switch (asked(request)) {
    case "say nothing":
      return Stream.concat(Stream.drain(Stream.fromEffect(report("model begun"))), Stream.never)
    case "say one word":
      return Stream.concat(begun, Stream.never)
    case "flood":
      return flood
    case "break":
      return Stream.concat(begun, Stream.dieMessage("+919876543210 is secret"))
    default:
      return begun.pipe(
        Stream.concat(Stream.fromEffect(Effect.as(gate("word"), word(" second")))),
        Stream.concat(Stream.succeed<Delta>({ _tag: "Finish", reason: "stop" }))
      )
  }
}

/** Model that follows the instructions in the messages, waits at the gate `word`, and reports when it is stopped. */
export const probedModel = Layer.succeed(LanguageModel, {
  generate: (request) =>
    asked(request) === "say nothing"
      ? Effect.onInterrupt(Effect.zipRight(report("model begun"), Effect.never), () => stopped)
      : Effect.succeed({ ...emptyCompletion, text: "whole", finish: "stop" }),
  stream: (request) => Stream.ensuring(pieces(request), stopped)
})
