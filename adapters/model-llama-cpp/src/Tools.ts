import { BadRequest } from "@trunkline/errors"
import type { JsonSchema, ModelRequest, ModelTool } from "@trunkline/models"
import { Either } from "effect"
import { type JsonGrammar, jsonGrammar } from "./grammar/JsonGrammar.js"
import type { Functions } from "./LlamaModule.js"

const refused = (message: string) => Either.left(new BadRequest({ message, param: null }))

/** The grammar for a schema, where it can be had: a strict one has to be enforced to the letter. */
export const grammarFor = (
  schema: unknown,
  { name, strict }: { readonly name: string; readonly strict: boolean }
): Either.Either<string, BadRequest> => {
  const { text, tooLarge, unkept }: JsonGrammar = jsonGrammar(schema)
  if (tooLarge) return refused(`The schema of ${name} is too large or too deep for this model`)
  if (strict && unkept.length > 0) {
    return refused(`This model cannot keep strictly what the schema of ${name} says with: ${unkept.join(", ")}`)
  }
  return Either.right(text)
}

/** Whether templates can name a tool in one word, as they do. */
const isWord = (name: string) => /^[^\s"\\]+$/.test(name)

/** The grammar of a tool's arguments; null where it takes none. */
export const argumentsFor = ({ name, parameters, strict = false }: ModelTool) => {
  if (!isWord(name)) return refused(`A tool of this model needs a name without blanks, quotes and backslashes`)
  return parameters === undefined
    ? Either.right(null)
    : grammarFor({ ...parameters, type: "object" }, { name, strict })
}

/** Chat templates that describe schemas know `oneOf`, but not `anyOf`. */
const readable = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(readable)
  if (typeof schema !== "object" || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key === "anyOf" ? "oneOf" : key, readable(value)])
  )
}

const readableSchema = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, readable(value)]))

/** Tools as chat templates describe them. */
export const described = (tools: ReadonlyArray<ModelTool>): Functions =>
  Object.fromEntries(tools.map(({ description, name, parameters }) => [name, {
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { params: readableSchema(parameters) })
  }]))

/** The tools that may be asked for. */
export const choosable = ({ toolChoice = "auto", tools = [] }: ModelRequest): ReadonlyArray<ModelTool> => {
  if (toolChoice === "none") return []
  return typeof toolChoice === "string" ? tools : tools.filter(({ name }) => name === toolChoice.name)
}
