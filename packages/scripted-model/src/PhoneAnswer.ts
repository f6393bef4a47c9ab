import { type Message, messageText, type ModelRequest } from "@trunkline/models"
import { Option, Schema } from "effect"
import { hasIntent, type Phrases, phrasesFor, phrasesIn } from "./Phrases.js"
import { instructionsOf, type ScriptedAnswer, type ScriptedTurn } from "./ScriptedTurn.js"
import { describeResult, excerpt, truncate } from "./Text.js"
import { writtenAnswer } from "./WrittenAnswer.js"

/** A variable of the `set_variables` tool. */
interface WantedVariable {
  readonly name: string
  readonly label: string
  readonly type: string
}

/** Turns of the user after which a call without open questions ends. */
const enoughTurns = 3
/** Turns of the user after which a call ends in any case. */
const maxTurns = 10

/** Limits for long calls: properties, messages, and UTF-16 units of arguments, labels and values. */
const max = { properties: 100, messages: 400, units: 4_000, label: 300, value: 500 }

const Property = Schema.Struct({
  type: Schema.optionalWith(Schema.String, { default: () => "string" }),
  description: Schema.optional(Schema.String)
})
const decodeProperties = Schema.decodeUnknownOption(Schema.Struct({ properties: Schema.Object }))
const decodeProperty = Schema.decodeUnknownOption(Property)
const decodeArguments = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
)

const wantedOf = (request: ModelRequest): ReadonlyArray<WantedVariable> => {
  const tool = request.tools?.find((tool) => tool.name === "set_variables")
  const properties = Option.match(decodeProperties(tool?.parameters), {
    onNone: () => [],
    onSome: ({ properties }) => Object.entries(properties).slice(0, max.properties)
  })
  return properties.flatMap(([name, property]) =>
    Option.match(decodeProperty(property), {
      onNone: () => [],
      onSome: ({ description = `your ${name.replaceAll("_", " ")}`, type }) => [
        { name, type, label: truncate(description, max.label) }
      ]
    })
  )
}

const alreadySet = (messages: ReadonlyArray<Message>): ReadonlyArray<string> =>
  messages.slice(-max.messages)
    .flatMap((message) => message.role === "assistant" ? message.toolRequests : [])
    .filter((tool) => tool.name === "set_variables" && tool.arguments.length <= max.units)
    .flatMap((tool) => Option.match(decodeArguments(tool.arguments), { onNone: () => [], onSome: Object.keys }))

const valueIn = (text: string, { type }: WantedVariable): unknown => {
  switch (type) {
    case "number":
    case "integer": {
      const digits = text.replaceAll(",", "").match(/\d{1,15}(\.\d{1,15})?/)
      return digits === null ? null : Number(digits[0])
    }
    case "boolean":
      return hasIntent(text, "no") ? false : hasIntent(text, "yes") ? true : null
    default:
      return truncate(text.trim(), max.value)
  }
}

const ending = (text: string, tools: ScriptedAnswer["tools"] = []): ScriptedAnswer => ({
  text,
  tools: [...tools, { name: "end_call", arguments: {} }]
})

/** Continues a call: with the next question, an offer of help, or the end. */
const continueCall = (options: {
  readonly manners: Phrases
  readonly next: WantedVariable | undefined
  readonly before: string
  readonly tools: ScriptedAnswer["tools"]
  readonly turns: number
  readonly over: boolean
}): ScriptedAnswer => {
  const { manners, next, before, tools = [], turns, over } = options
  if (next !== undefined && turns < maxTurns) return { text: `${before} ${manners.ask(next.label)}`, tools }
  if (over || turns >= enoughTurns) return ending(`${before} ${manners.farewell}`, tools)
  return { text: `${before} ${turns <= 1 ? manners.help : manners.more}`, tools }
}

/** Language that the instructions ask for: `Speak Hindi.` */
const spokenLanguage = /^Speak (\p{L}+)\./mu

const phoneAnswer = (turn: ScriptedTurn): ScriptedAnswer => {
  const { request: { messages }, role, toolResult, turn: turns } = turn
  const userText = excerpt(turn.userText)
  const question = messages.findLast((message) => message.role === "assistant")
  const asking = question === undefined ? "" : excerpt(messageText(question))
  const language = spokenLanguage.exec(instructionsOf(turn.request))?.[1]
  const manners = language === undefined ? phrasesFor(userText === "" ? asking : userText) : phrasesIn(language)
  const set = alreadySet(messages)
  const missing = wantedOf(turn.request).filter(({ name }) => !set.includes(name))
  if (toolResult !== null) {
    const before = toolResult.name === "set_variables" ? manners.noted : describeResult(toolResult.content)
    return continueCall({ manners, next: missing[0], before, tools: [], turns, over: false })
  }
  if (role !== "user") return { text: manners.help }
  if (hasIntent(userText, "later")) return ending(manners.callBack, [{ name: "request_callback", arguments: {} }])
  if (hasIntent(userText, "goodbye")) return ending(manners.farewell)
  const field = missing.find(({ label }) => asking.includes(label))
  const value = field === undefined ? null : valueIn(userText, field)
  return field === undefined || value === null
    ? continueCall({
      manners,
      next: missing[0],
      before: manners.thanks,
      tools: [],
      turns,
      over: hasIntent(userText, "no") && turns > 1
    })
    : continueCall({
      manners,
      next: missing.find((other) => other !== field),
      before: manners.noted,
      tools: [{ name: "set_variables", arguments: { [field.name]: value } }],
      turns,
      over: true
    })
}

/**
 * Answers where no rule matches, in English or Hindi. With an `end_call` tool it is a phone call: it asks for the
 * variables of `set_variables` one by one, records the answers, and says goodbye when the caller does, wants a
 * callback, or has nothing more to say. Otherwise, and where a tool is required, it answers in writing.
 */
export const defaultAnswer = (turn: ScriptedTurn): ScriptedAnswer => {
  const { toolChoice = "auto", tools = [] } = turn.request
  const isDemanded = toolChoice !== "auto" && toolChoice !== "none"
  if (isDemanded || !tools.some(({ name }) => name === "end_call")) return writtenAnswer(turn)
  const answer = phoneAnswer(turn)
  return toolChoice === "none" ? { ...answer, tools: [] } : answer
}
