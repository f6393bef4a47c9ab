import { sseFrame } from "@trunkline/kernel"
import type { AnswerEvent } from "@trunkline/models"
import { Chunk } from "effect"
import { makeChoiceWriter } from "./ChoiceWriter.js"
import type { ChatHead } from "./Completed.js"
import { chatUsage } from "./Wording.js"

/** Writes the events of a streamed answer. */
export interface ChunkWriter {
  /** The frames of what came in together. */
  readonly write: (events: Chunk.Chunk<AnswerEvent>) => Chunk.Chunk<Uint8Array>
  /** Whether it has written a frame. */
  readonly hasBegun: () => boolean
}

/** A writer for one answer, whose events have `usage` if that was asked for (shapes 9.2). */
export const makeChunkWriter = (
  { created, id, model }: ChatHead,
  { includeUsage }: { readonly includeUsage: boolean }
): ChunkWriter => {
  const head = JSON.stringify({ id, object: "chat.completion.chunk", created, model })
  const opening = `${head.slice(0, -1)},"choices":[`
  const closing = includeUsage ? "],\"usage\":null}" : "]}"
  const choices = new Map<number, ReturnType<typeof makeChoiceWriter>>()
  let hasBegun = false

  return {
    write: (events) => {
      const frames: Array<Uint8Array> = []
      for (const event of Chunk.toReadonlyArray(events)) {
        if (event._tag === "Total") {
          if (includeUsage) frames.push(sseFrame(`${opening}],"usage":${JSON.stringify(chatUsage(event.usage))}}`))
          continue
        }
        const known = choices.get(event.choice)
        const choice = known ?? makeChoiceWriter({ opening, closing }, event.choice)
        if (known === undefined) {
          choices.set(event.choice, choice)
          frames.push(choice.begin())
        }
        frames.push(...choice.write(event.delta))
      }
      hasBegun ||= frames.length > 0
      return Chunk.unsafeFromArray(frames)
    },
    hasBegun: () => hasBegun
  }
}
