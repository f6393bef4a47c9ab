import { assert } from "@effect/vitest"
import { ResponseResource } from "@trunkline/responses"
import { Effect, Schema } from "effect"
import type { AnswerDelta } from "../src/output/Output.js"
import { checkEvents } from "../src/testing.js"
import { bodyWith, eventsFor, scripted, whole } from "./Fixtures.js"

/** The types of events without their prefix, with their output index and delta. */
export const outline = (events: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  events.map(({ delta, output_index, type }) =>
    [String(type).replace("response.", ""), output_index, delta].filter((part) => part !== undefined).join(" ")
  )

export const streamed = (pieces: ReadonlyArray<AnswerDelta>, more: object = {}) =>
  Effect.provide(eventsFor(bodyWith(more)), scripted({ chunks: whole(pieces) }))

export const assertCorrect = (events: ReadonlyArray<unknown>) => assert.deepStrictEqual(checkEvents(events), [])

/** The response that a stream ends with. */
export const terminal = (events: ReadonlyArray<Readonly<Record<string, unknown>>>): ResponseResource =>
  Schema.decodeUnknownSync(ResponseResource)(events.at(-1)?.["response"])

/** Types, statuses and arguments of the output items. */
export const outputSummary = ({ output }: ResponseResource) =>
  output.map((item) => [item.type, item.status, item.type === "function_call" ? item.arguments : null])
