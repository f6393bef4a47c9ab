import { sseFrame } from "@trunkline/kernel"
import type { AnswerEvent, TokenChoice } from "@trunkline/models"
import { chatLogprobs, replacement, wellFormed } from "./Wording.js"

/** What every event of an answer begins and ends with, around its one choice. */
export interface EventEnds {
  readonly opening: string
  readonly closing: string
}

/** A piece of an answer. */
export type Piece = Extract<AnswerEvent, { readonly _tag: "Piece" }>["delta"]

/** What stands around a text in the JSON of a delta. */
interface Place {
  readonly before: string
  readonly after: string
}

const content: Place = { before: "\"content\":", after: "" }
const reasoning: Place = { before: "\"reasoning_content\":", after: "" }
const refusal: Place = { before: "\"refusal\":", after: "" }

const argumentsOf = (index: number): Place => ({
  before: `"tool_calls":[{"index":${index},"function":{"arguments":`,
  after: "}}]"
})

const endsInHalf = (text: string): boolean => {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}

/**
 * Writes the pieces of one choice, a frame each. It puts JSON together from prepared parts, since it runs once for every
 * token. Half of a surrogate pair at the end of a piece waits for its other half.
 */
export const makeChoiceWriter = ({ closing, opening }: EventEnds, index: number) => {
  const before = `${opening}{"index":${index},"delta":{`
  const tools: Array<Place> = []
  const halves = new Map<Place, string>()

  const frame = (delta: string, logprobs = "null", finish = "null"): Uint8Array =>
    sseFrame(`${before}${delta}},"logprobs":${logprobs},"finish_reason":${finish}}${closing}`)

  const joined = (place: Place, text: string): string => {
    const half = halves.get(place)
    const whole = half === undefined ? text : half + text
    if (half !== undefined) halves.delete(place)
    if (!endsInHalf(whole)) return wellFormed(whole)
    halves.set(place, whole.slice(-1))
    return wellFormed(whole.slice(0, -1))
  }

  const placed = (place: Place, text: string): string => `${place.before}${JSON.stringify(text)}${place.after}`

  const written = (place: Place, text: string, tokens?: ReadonlyArray<TokenChoice>): ReadonlyArray<Uint8Array> => {
    const whole = joined(place, text)
    if (tokens !== undefined) return [frame(placed(place, whole), JSON.stringify(chatLogprobs(tokens)))]
    return whole === "" ? [] : [frame(placed(place, whole))]
  }

  return {
    /** The first event of the choice. */
    begin: (): Uint8Array => frame(`"role":"assistant",${placed(content, "")}`),
    /** The events of a piece; none while there is nothing to show. */
    write: (piece: Piece): ReadonlyArray<Uint8Array> => {
      switch (piece._tag) {
        case "Text":
          return written(content, piece.text, piece.logprobs)
        case "Reasoning":
          return written(reasoning, piece.text)
        case "Refusal":
          return written(refusal, piece.text)
        case "ToolStart": {
          const { id, index, name } = piece
          const start = { index, id, type: "function", function: { name, arguments: "" } }
          return [frame(`"tool_calls":[${JSON.stringify(start)}]`)]
        }
        case "ToolArgs":
          return written(tools[piece.index] ??= argumentsOf(piece.index), piece.text)
        case "Finish":
          return [
            ...[...halves.keys()].map((place) => frame(placed(place, replacement))),
            frame("", "null", JSON.stringify(piece.reason))
          ]
      }
    }
  }
}
