import { Option, Schema } from "effect"
import { type Message, textOf } from "../Message.js"
import type { ModelRequest } from "../ModelRequest.js"
import { type Manners, mannersIn, mannersOf, means } from "./Manners.js"
import type { ScriptedAnswer, ScriptedTurn } from "./ScriptedModel.js"

/** Something that the `set_variables` tool wants to know. */
interface Wanted {
  readonly name: string
  readonly label: string
  readonly type: string
}

/** After so many words of the user, with nothing left to ask, the talk is over. */
const enoughTurns = 3
/** After so many, the talk is over whatever is missing. */
const patience = 10

const Property = Schema.Struct({
  type: Schema.optionalWith(Schema.String, { default: () => "string" }),
  description: Schema.optional(Schema.String)
})
const Properties = Schema.Struct({ properties: Schema.Record({ key: Schema.String, value: Property }) })
const decodeProperties = Schema.decodeUnknownOption(Properties)
const decodeArguments = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
)

const wantedOf = (request: ModelRequest): ReadonlyArray<Wanted> => {
  const tool = request.tools?.find((tool) => tool.name === "set_variables")
  return Option.match(decodeProperties(tool?.parameters), {
    onNone: () => [],
    onSome: ({ properties }) =>
      Object.entries(properties).map(([name, { type, description }]) => ({
        name,
        type,
        label: description ?? `your ${name.replaceAll("_", " ")}`
      }))
  })
}

const alreadySet = (messages: ReadonlyArray<Message>): ReadonlyArray<string> =>
  messages
    .flatMap((message) => message.role === "assistant" ? message.toolRequests : [])
    .filter((tool) => tool.name === "set_variables")
    .flatMap((tool) => Option.match(decodeArguments(tool.arguments), { onNone: () => [], onSome: Object.keys }))

const valueIn = (text: string, { type }: Wanted): unknown => {
  switch (type) {
    case "number":
    case "integer": {
      const digits = text.replaceAll(",", "").match(/\d+(\.\d+)?/)
      return digits === null ? null : Number(digits[0])
    }
    case "boolean":
      return means(text, "no") ? false : means(text, "yes") ? true : null
    default:
      return text.trim()
  }
}

const spokenResult = (content: string): string =>
  Option.match(decodeArguments(content), {
    onNone: () => content,
    onSome: (result) => Object.entries(result).map(([key, value]) => `${key.replaceAll("_", " ")}: ${value}`).join(", ")
  })

const ending = (text: string, tools: ScriptedAnswer["tools"] = []): ScriptedAnswer => ({
  text,
  tools: [...tools, { name: "end_call", arguments: {} }]
})

/** What comes after an answer was taken in: the next question, an offer of help, or the end. */
const goOn = (options: {
  readonly manners: Manners
  readonly next: Wanted | undefined
  readonly before: string
  readonly tools: ScriptedAnswer["tools"]
  readonly turns: number
  readonly over: boolean
}): ScriptedAnswer => {
  const { manners, next, before, tools = [], turns, over } = options
  if (next !== undefined && turns < patience) return { text: `${before} ${manners.ask(next.label)}`, tools }
  if (over || turns >= enoughTurns) return ending(`${before} ${manners.farewell}`, tools)
  return { text: `${before} ${turns <= 1 ? manners.help : manners.more}`, tools }
}

/** The language that the instructions ask for: `Speak Hindi.` */
const spokenLanguage = /^Speak (\p{L}+)\./mu

const onThePhone = (turn: ScriptedTurn): ScriptedAnswer => {
  const { request: { messages }, role, toolResult, userText } = turn
  const wished = spokenLanguage.exec(messages.filter((m) => m.role === "system").map(textOf).join("\n"))?.[1]
  const manners = wished === undefined
    ? mannersOf(userText === "" ? messages.filter((m) => m.role === "assistant").map(textOf).join() : userText)
    : mannersIn(wished)
  const turns = messages.filter((message) => message.role === "user").length
  const set = alreadySet(messages)
  const missing = wantedOf(turn.request).filter(({ name }) => !set.includes(name))
  if (toolResult !== null) {
    const before = toolResult.name === "set_variables" ? manners.noted : spokenResult(toolResult.content)
    return goOn({ manners, next: missing[0], before, tools: [], turns, over: false })
  }
  if (role !== "user") return { text: manners.help }
  if (means(userText, "later")) return ending(manners.callBack, [{ name: "request_callback", arguments: {} }])
  if (means(userText, "goodbye")) return ending(manners.farewell)
  const question = messages.findLast((message) => message.role === "assistant")
  const asked = missing.find(({ label }) => question !== undefined && textOf(question).includes(label))
  const value = asked === undefined ? null : valueIn(userText, asked)
  return asked === undefined || value === null
    ? goOn({
      manners,
      next: missing[0],
      before: manners.thanks,
      tools: [],
      turns,
      over: means(userText, "no") && turns > 1
    })
    : goOn({
      manners,
      next: missing.find((other) => other !== asked),
      before: manners.noted,
      tools: [{ name: "set_variables", arguments: { [asked.name]: value } }],
      turns,
      over: true
    })
}

/**
 * What the scripted model says of its own accord. With an `end_call` tool it is on the phone: it asks for whatever
 * `set_variables` wants, one thing at a time, takes the answers down, and says goodbye when the caller does, wants to be
 * called later, or has nothing more to say. In writing it repeats what it was told. English and Hindi.
 */
export const politeAnswer = (turn: ScriptedTurn): ScriptedAnswer =>
  turn.request.tools?.some((tool) => tool.name === "end_call") === true
    ? onThePhone(turn)
    : { text: turn.userText === "" ? "Hello." : `You said: ${turn.userText}` }
