import { assert } from "@effect/vitest"
import { Chat, ChatChunk } from "@trunkline/chat"
import { Chunk, Effect, Schema, Stream } from "effect"
import { minimalBody, ticket } from "./Doubles.js"

const decoder = new TextDecoder("utf-8", { fatal: true })

/** The data of a frame whose event has no name. */
export const dataOf = (frame: Uint8Array): string => {
  const [, data] = /^data: (.*)\n\n$/s.exec(decoder.decode(frame)) ?? []
  assert.isDefined(data)
  return data
}

const decodeChunk = Schema.decodeUnknownSync(Schema.parseJson(ChatChunk), { onExcessProperty: "error" })

/** The chunks of a successful stream, decoded; `[DONE]` must be last. */
export const chunksIn = (frames: ReadonlyArray<Uint8Array>): ReadonlyArray<ChatChunk> => {
  const data = frames.map(dataOf)
  assert.strictEqual(data.at(-1), "[DONE]")
  return data.slice(0, -1).map((text) => decodeChunk(text))
}

/** The stream for a body, in the chunks in which it arrives. */
export const streamed = (fields: object = {}) =>
  Stream.unwrap(Effect.gen(function*() {
    const chat = yield* Chat
    return chat.stream(yield* chat.read("v2", { ...minimalBody(), stream: true, ...fields }), ticket)
  }))

/** All frames of the stream for a body. */
export const framesOf = (fields: object = {}) =>
  Effect.map(Stream.runCollect(streamed(fields)), (frames) => Chunk.toReadonlyArray(frames))

const joined = (texts: ReadonlyArray<string | undefined>) =>
  texts.every((text) => text === undefined) ? undefined : texts.join("")

/** The message assembled from the chunks of one choice. */
export const messageIn = (chunks: ReadonlyArray<ChatChunk>, choice: number) => {
  const choiceChunks = chunks.flatMap(({ choices }) => choices).filter(({ index }) => index === choice)
  const deltas = choiceChunks.map(({ delta }) => delta)
  const fragments = deltas.flatMap(({ tool_calls = [] }) => tool_calls)
  const calls = fragments.flatMap(({ function: { name }, id, index, type }) =>
    id === undefined ? [] : [{
      id,
      type,
      function: {
        name,
        arguments: fragments.filter((fragment) => fragment.index === index).map((fragment) =>
          fragment.function.arguments
        )
          .join("")
      }
    }]
  )
  return {
    roles: deltas.flatMap(({ role = [] }) => role),
    content: joined(deltas.map(({ content }) => content)) ?? "",
    refusal: joined(deltas.map(({ refusal }) => refusal)) ?? null,
    reasoning_content: joined(deltas.map(({ reasoning_content }) => reasoning_content)),
    tool_calls: calls,
    logprobs: choiceChunks.flatMap(({ logprobs }) => logprobs?.content ?? []),
    finish: choiceChunks.flatMap(({ finish_reason }) => finish_reason ?? [])
  }
}
