import { type AgentVersion, type BuiltInTool, builtInTools, outputSchema } from "@trunkline/agents"
import { VariableValue } from "@trunkline/kernel"
import type { ModelTool, ToolRequest } from "@trunkline/models"
import { Array, Duration, Either, Option, ParseResult, Schema } from "effect"
import { callbackDelay } from "../clauses/Phrases.js"
import { type CallPlan, type CallState, setVariables } from "../state/CallState.js"
import { readOutputs } from "../tools/OutputValues.js"

/** Longest delay of a promised callback. */
const maxDelay = Duration.days(30)

const Values = Schema.Record({ key: Schema.String, value: VariableValue })
const Callback = Schema.Struct({
  in_minutes: Schema.optional(Schema.Int),
  at: Schema.optional(Schema.DateTimeUtc)
})
const Language = Schema.Struct({ language_name: Schema.String })

const noArguments = { type: "object", properties: {} }

/** The built-in tools that a version offers to its model. */
export const builtInToolsOf = (version: AgentVersion): ReadonlyArray<ModelTool> => {
  const settable = version.variables === null || version.variables.length > 0
  const tools: Record<BuiltInTool, ModelTool | null> = {
    end_call: { name: "end_call", description: "Ends the call once you have said goodbye.", parameters: noArguments },
    set_variables: version.output_variables.length === 0 && !settable ? null : {
      name: "set_variables",
      description: `Writes down what the caller has told you.${
        version.variables === null || !settable ? "" : ` It can also correct ${version.variables.join(", ")}.`
      }`,
      parameters: {
        type: "object",
        properties: Object.fromEntries(
          version.output_variables.map((output) => [output.name, outputSchema(output)])
        ),
        additionalProperties: settable
      }
    },
    request_callback: {
      name: "request_callback",
      description:
        "Promises a call back, in so many minutes or at a moment; with neither, at the time the caller named.",
      parameters: {
        type: "object",
        properties: { in_minutes: { type: "integer" }, at: { type: "string", format: "date-time" } }
      }
    },
    try_again: {
      name: "try_again",
      description: "Asks for another call on another day, because this one could not reach its goal.",
      parameters: noArguments
    },
    set_language: version.languages.length === 1 ? null : {
      name: "set_language",
      description: "Changes the language of the call.",
      parameters: {
        type: "object",
        properties: { language_name: { type: "string", enum: version.languages } },
        required: ["language_name"]
      }
    }
  }
  return builtInTools.flatMap((name) => tools[name] ?? [])
}

/** The built-in tool of a request; undefined for a tool of the host application. */
export const builtInOf = (request: ToolRequest): BuiltInTool | undefined =>
  builtInTools.find((name) => name === request.name)

/** Outcome of a built-in tool: the state afterwards, and the content for the model. */
interface BuiltInUse {
  readonly state: CallState
  readonly content: string
}

/** The outcome of a failed use, with the reason for the model. */
const failure = (state: CallState, content: string): BuiltInUse => ({ state, content })

const decodeArguments = <A, I>(schema: Schema.Schema<A, I>, request: ToolRequest) =>
  Schema.decodeUnknownEither(Schema.parseJson(schema))(request.arguments === "" ? "{}" : request.arguments).pipe(
    Either.mapLeft((error) => ParseResult.TreeFormatter.formatErrorSync(error))
  )

const setValues = (plan: CallPlan, state: CallState, request: ToolRequest): BuiltInUse =>
  Either.match(decodeArguments(Values, request), {
    onLeft: (problem) => failure(state, problem),
    onRight: (values) => {
      const { output_variables, variables } = plan.version
      const names = new Set([...(variables ?? []), ...output_variables.map((output) => output.name)])
      const [unknown, declaredValues] = Array.partition(
        Object.entries(values),
        ([name]) => variables === null || names.has(name)
      )
      const { variables: accepted, problems } = readOutputs(output_variables, declaredValues)
      const sentences = [
        ...problems,
        ...(unknown.length === 0 ? [] : [`There is no variable ${unknown.map(([name]) => name).join(", ")}.`])
      ]
      return {
        state: setVariables(plan, state, accepted),
        content: sentences.length === 0 ? "Written down." : sentences.join(" ")
      }
    }
  })

const requestCallback = (state: CallState, request: ToolRequest, at: number): BuiltInUse =>
  Either.match(decodeArguments(Callback, request), {
    onLeft: (problem) => failure(state, problem),
    onRight: (callback) => {
      const lastWords = state.turns.findLast((turn) => turn.role === "user")?.text ?? ""
      const delay = callback.in_minutes === undefined ? callbackDelay(lastWords) : Duration.minutes(callback.in_minutes)
      const rescheduleAt = callback.at?.epochMillis ?? at + Duration.toMillis(delay)
      return rescheduleAt > at && rescheduleAt <= at + Duration.toMillis(maxDelay)
        ? { state: { ...state, rescheduleAt }, content: "Promised." }
        : failure(state, "Choose a moment in the next 30 days.")
    }
  })

const setLanguage = (plan: CallPlan, state: CallState, request: ToolRequest): BuiltInUse => {
  const requestedText = Option.map(
    Either.getRight(decodeArguments(Language, request)),
    ({ language_name }) => language_name
  )
  const language = plan.version.languages.find((language) => Option.contains(requestedText, language))
  return language === undefined
    ? failure(state, `Choose one of ${plan.version.languages.join(", ")}.`)
    : { state: { ...state, language }, content: `Speak ${language} from now on.` }
}

/** Executes a built-in tool. */
export const useBuiltIn = (
  plan: CallPlan,
  state: CallState,
  { at, name, request }: { readonly at: number; readonly name: BuiltInTool; readonly request: ToolRequest }
): BuiltInUse => {
  switch (name) {
    case "end_call":
      return { state: { ...state, closing: "done" }, content: "The call ends." }
    case "set_variables":
      return setValues(plan, state, request)
    case "request_callback":
      return requestCallback(state, request, at)
    case "try_again":
      return { state: { ...state, businessRetry: true }, content: "Noted." }
    case "set_language":
      return setLanguage(plan, state, request)
  }
}
