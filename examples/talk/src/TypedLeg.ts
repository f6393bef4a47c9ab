import { type Heard, type Leg, LegEnded } from "@trunkline/telephony"
import { Effect, Queue, type Scope } from "effect"
import { createInterface } from "node:readline"
import type { Readable, Writable } from "node:stream"

/** Streams of a terminal, or of a program in its place. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly output: Writable
  /** Messages beside the conversation. */
  readonly errors: Writable
}

/**
 * A leg of typed lines, for the duration of the scope. The end of the input hangs up. An empty line is a silence; there is
 * no other, because people type more slowly than they speak.
 */
export const makeTypedLeg = ({ input, output }: Terminal): Effect.Effect<Leg, never, Scope.Scope> =>
  Effect.gen(function*() {
    const isTerminal = input.isTTY === true
    const lines = yield* Queue.unbounded<string | null>()
    let ended: LegEnded | null = null
    const reader = yield* Effect.acquireRelease(
      Effect.sync(() =>
        createInterface({ input, prompt: "You: ", terminal: isTerminal, ...(isTerminal && { output }) })
      ),
      (reader) => Effect.sync(() => reader.close())
    )
    reader.on("line", (line) => Queue.unsafeOffer(lines, line.trim()))
    reader.once("close", () => Queue.unsafeOffer(lines, null))

    const heardOf = (line: string | null): Effect.Effect<Heard, LegEnded> => {
      if (line === null) return (ended = new LegEnded({ by: "user" }))
      if (!isTerminal) output.write(`You: ${line}\n`)
      return Effect.succeed(
        line === "" ? { _tag: "Silent" } : {
          _tag: "Said",
          text: line,
          en_text: null,
          language_name: null
        }
      )
    }

    return {
      say: ({ text }) =>
        Effect.suspend(() => {
          if (ended !== null) return ended
          output.write(`Agent: ${text}\n`)
          return Effect.succeed({ heard: text, interrupted: false })
        }),
      listen: () =>
        Effect.suspend(() => {
          if (ended !== null) return ended
          if (isTerminal) reader.prompt()
          return Effect.flatMap(Queue.take(lines), heardOf)
        }),
      hangUp: Effect.sync(() => void (ended ??= new LegEnded({ by: "agent" })))
    }
  })
