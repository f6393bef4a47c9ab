import type { JsonSchema, Message, ModelTool } from "@trunkline/models"
import { type Intent, type Phrases, phrasesFor, phrasesWithIntent, pickWording, type Wordings } from "./Phrases.js"
import { latestResults, type ScriptedAnswer, type ScriptedTool, type ScriptedTurn } from "./ScriptedTurn.js"
import { synthesize } from "./synthesis/Synthesize.js"
import { describeResult, excerpt, truncate } from "./Text.js"
import { matchingTools } from "./ToolMatching.js"

/** Limits of the part of a schema that is sorted: levels and values. */
const max = { depth: 100, values: 5_000 }

/**
 * Sorts the fields of a schema so that equal schemas are the same however they were written: properties in the order of
 * `required` and then by name, everything else by name. The rest of a very large schema stays as it is.
 */
const canonicalOrder = (schema: JsonSchema): JsonSchema => {
  let remaining = max.values

  const inOrder = (value: object, first: ReadonlyArray<unknown>, depth: number): JsonSchema => {
    const rank = new Map(first.map((name, index) => [name, index]))
    const rankOf = (name: string) => rank.get(name) ?? first.length
    const requiredNames = "required" in value && Array.isArray(value.required) ? value.required : []
    return Object.fromEntries(
      Object.entries(value)
        .toSorted(([a], [b]) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
        .map(([name, inner]) => [name, walk(inner, name === "properties" ? requiredNames : [], depth + 1)])
    )
  }

  const walk = (value: unknown, first: ReadonlyArray<unknown>, depth: number): unknown => {
    remaining--
    if (typeof value !== "object" || value === null || remaining < 0 || depth > max.depth) return value
    return Array.isArray(value) ? value.map((item) => walk(item, [], depth + 1)) : inOrder(value, first, depth)
  }

  return inOrder(schema, [], 0)
}

/** Longest text, in words, that counts as a mere greeting, thanks or goodbye. */
const maxPoliteWords = 4

/** Longest text that is repeated whole, in UTF-16 units; of longer ones the first and last sentence. */
const maxEchoLength = 500

/** Longest text that values are derived from, in UTF-16 units. */
const maxWords = 1_000

/** Upper bound of images that are mentioned. */
const maxImages = 5

const seedOf = ({ request }: ScriptedTurn): number | undefined => request.sampling?.seed

/** Makes a value for a schema from the user's message and a tool's result. */
const valueFor = ({ request, toolResult, userText }: ScriptedTurn, schema: JsonSchema): unknown => {
  const results = toolResult === null ? [] : [describeResult(toolResult.content)]
  const words = [...results, userText].map((text) => excerpt(text, maxWords / 2)).join("\n")
  return synthesize(canonicalOrder(schema), { seed: String(request.sampling?.seed ?? 0), text: words })
}

const callOf = (turn: ScriptedTurn, { name, parameters = {} }: ModelTool): ScriptedTool => ({
  name,
  arguments: JSON.stringify(valueFor(turn, { type: "object", ...parameters }))
})

/** Selects the tools that the request requires or the user's message calls for. */
const toolsOf = (turn: ScriptedTurn): ReadonlyArray<ModelTool> => {
  const { parallelTools = true, toolChoice = "auto", tools = [] } = turn.request
  if (toolChoice === "none") return []
  if (typeof toolChoice === "object") {
    return [tools.find(({ name }) => name === toolChoice.name) ?? { name: toolChoice.name }]
  }
  const fitting = matchingTools(turn.request, turn.userText)
  if (fitting.length > 0) return parallelTools ? fitting : fitting.slice(0, 1)
  if (toolChoice !== "required") return []
  const nearest = matchingTools(turn.request, turn.userText, 1)
  return [...nearest, ...tools].slice(0, 1)
}

const courtesyIntents: ReadonlyArray<readonly [Intent, (manners: Phrases) => Wordings]> = [
  ["leave", ({ toGoodbye }) => toGoodbye],
  ["gratitude", ({ toThanks }) => toThanks],
  ["greeting", ({ toGreeting }) => toGreeting]
]

/** Replies to a mere greeting, thanks or goodbye. */
const courtesyReply = (turn: ScriptedTurn): string | undefined => {
  const text = truncate(turn.userText, maxEchoLength)
  if (text.split(/\s+/).filter((word) => word !== "").length > maxPoliteWords) return undefined
  for (const [thing, wordings] of courtesyIntents) {
    const manners = phrasesWithIntent(text, thing)
    if (manners !== undefined) return pickWording(wordings(manners), seedOf(turn))
  }
  return undefined
}

/** Returns a text, or the first and last sentence of a long one. */
const extract = (text: string): string => {
  if (text.length <= maxEchoLength) return text
  const sentences = excerpt(text).split(/(?<=[.!?।])\s+/)
  return [sentences.at(0), sentences.at(-1)].map((sentence = "") => excerpt(sentence, maxEchoLength / 2)).join(" … ")
}

const imagesIn = (messages: ReadonlyArray<Message>): ReadonlyArray<string> => {
  const content = messages.findLast(({ role }) => role === "user")?.content ?? ""
  return typeof content === "string"
    ? []
    : content.flatMap((part) => part.type === "image" ? [part.mediaType] : [])
}

/** Repeats the user's message and mentions its images. */
const echo = (turn: ScriptedTurn): string => {
  const { request, userText } = turn
  const manners = phrasesFor(excerpt(userText))
  const images = imagesIn(request.messages).slice(0, maxImages)
  const imageTexts = images.length === 0 ? [] : [manners.images(images)]
  const words = userText.trim()
  const echo = words === "" ? [] : [pickWording(manners.youSaid, seedOf(turn))(extract(words))]
  return [...echo, ...imageTexts].join(" ") || "Hello."
}

/** Describes the results of tools in words. */
const describeResults = (turn: ScriptedTurn): string => {
  const { resultPhrase, someTool } = phrasesFor(excerpt(turn.userText))
  const tell = pickWording(resultPhrase, seedOf(turn))
  return latestResults(turn.request).map(({ content, name }) => tell(name || someTool, describeResult(content))).join(
    "\n"
  )
}

const textFor = (turn: ScriptedTurn): string =>
  turn.toolResult === null ? courtesyReply(turn) ?? echo(turn) : describeResults(turn)

/** Writes the answer in the format that the request asks for. */
const formattedText = (turn: ScriptedTurn): string => {
  const { format } = turn.request
  switch (format?.type) {
    case "json":
      return JSON.stringify({ answer: textFor(turn) })
    case "schema":
      return JSON.stringify(valueFor(turn, format.schema))
    default:
      return textFor(turn)
  }
}

/**
 * Answers in writing: calls tools that are required or match the user's message, describes tool results, replies to a
 * greeting, thanks or a goodbye, and otherwise repeats the message. For JSON, the text is in the field `answer`, or a
 * value is made for the schema.
 */
export const writtenAnswer = (turn: ScriptedTurn): ScriptedAnswer => {
  const tools = toolsOf(turn)
  return tools.length > 0 ? { tools: tools.map((tool) => callOf(turn, tool)) } : { text: formattedText(turn) }
}
