import { type JsonObject, VoiceId } from "@trunkline/kernel"
import { LanguageName } from "@trunkline/spoken-text"
import { Schema } from "effect"
import { Script } from "./Script.js"
import { Localized, optional, OutputVariable, Template, VariableName } from "./Templates.js"
import { parametersFault } from "./ToolParameters.js"

/** A stage of a conversation at which a call can start. */
export const AgentState = Schema.Struct({
  /** Name of the state, which calls name to start in it. */
  name: Schema.NonEmptyString,
  /** Instructions that are added to the prompt of calls that start in this state. */
  prompt: optional(Template)
})
export type AgentState = typeof AgentState.Type

/** Names of the tools that every conversation provides. */
export const builtInTools = ["end_call", "set_variables", "request_callback", "try_again", "set_language"] as const
export type BuiltInTool = (typeof builtInTools)[number]

/** A tool that the agent can use during a call. The host application supplies its handler in code. */
export const AgentTool = Schema.Struct({
  /** Name by which the model uses the tool: up to 64 letters, digits, `_` and `-`. */
  name: Schema.String.pipe(
    Schema.pattern(/^[A-Za-z0-9_-]{1,64}$/),
    Schema.filter((name) => builtInTools.every((toolName) => toolName !== name) || `${name} is a built-in tool`)
  ),
  /** Description for the model: what the tool does, and when to use it. */
  description: Schema.String,
  /** JSON Schema of the arguments, which are an object. */
  parameters: Schema.optionalWith(
    Schema.Record({ key: Schema.String, value: Schema.Unknown }).pipe(
      Schema.filter((parameters) => parametersFault(parameters) ?? true, {
        arbitrary: () => (fc) => fc.constantFrom<JsonObject>({}, { type: "object", required: ["city"] })
      })
    ),
    {
      exact: true,
      default: () => ({ type: "object", properties: {} })
    }
  )
})
export type AgentTool = typeof AgentTool.Type

/** Preferred voice. Carriers and engines that cannot choose a voice, or its rate, ignore it. */
export const VoiceHints = Schema.Struct({
  /** Name of a voice of the carrier. */
  voice: optional(Schema.String),
  /** Id of a saved voice of the account, with which the engine speaks on lines with sound; its own voice by default. */
  voice_id: optional(VoiceId),
  /** Speaking rate, 0.5 to 2, where 1 is natural. */
  pace: optional(Schema.Number.pipe(Schema.between(0.5, 2)))
})
export type VoiceHints = typeof VoiceHints.Type

/** Longest call, in seconds. */
const maxCallSeconds = 3600

const duplicates = (names: ReadonlyArray<string>) =>
  names.flatMap((name, index) =>
    names.indexOf(name) < index ? [{ path: [index], message: `${name} is listed twice` }] : []
  )

const fields = Schema.Struct({
  /** Number of the version, from 1. */
  app_version: Schema.Int.pipe(Schema.greaterThanOrEqualTo(1)),
  /** Only committed versions take calls. */
  committed: Schema.Boolean,
  /** Name by which the agent introduces itself. */
  name: Schema.optionalWith(Schema.NonEmptyString, { exact: true, default: () => "Assistant" }),
  /** Template of the instructions to the language model. Excludes `script`; without both, default instructions apply. */
  prompt: optional(Template.pipe(Schema.nonEmptyString())),
  /** A conversation without a language model. Excludes `prompt`. */
  script: optional(Script),
  /** The language model; absent: the default of the conversation. */
  model: optional(Schema.NonEmptyString),
  /** Template of the greeting; absent: a default, or the first step of the script. */
  first_message: optional(Localized),
  /** Template of the last words. */
  goodbye_message: optional(Localized),
  /** Template of the text after a silence of the caller. */
  silence_prompt: optional(Localized),
  /** Languages by their English names or codes, such as `Hindi` or `hi-IN`; the call begins in the first. */
  languages: Schema.optionalWith(Schema.NonEmptyArray(LanguageName).pipe(Schema.filter(duplicates)), {
    exact: true,
    default: () => ["English"] as const
  }),
  /** The variables that a call accepts; null: any. */
  variables: Schema.optionalWith(Schema.NullOr(Schema.Array(VariableName).pipe(Schema.filter(duplicates))), {
    exact: true,
    default: () => null
  }),
  /** The values that the agent finds out. */
  output_variables: Schema.optionalWith(
    Schema.Array(OutputVariable).pipe(Schema.filter((outputs) => duplicates(outputs.map((output) => output.name)))),
    {
      exact: true,
      default: () => []
    }
  ),
  /** Stages of the conversation at which calls can start; null: none. */
  states: Schema.optionalWith(
    Schema.NullOr(
      Schema.Array(AgentState).pipe(Schema.filter((states) => duplicates(states.map((state) => state.name))))
    ),
    {
      exact: true,
      default: () => null
    }
  ),
  /** Tools that the agent can use during a call, beside the built-in ones. */
  tools: Schema.optionalWith(
    Schema.Array(AgentTool).pipe(Schema.filter((tools) => duplicates(tools.map((tool) => tool.name)))),
    { exact: true, default: () => [] }
  ),
  /** Longest duration of a call, 1 to 3600 seconds; 600 by default. */
  max_duration_seconds: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, maxCallSeconds)), {
    exact: true,
    default: () => 600
  }),
  /** Preferred voice. */
  voice: optional(VoiceHints)
})

/** Variables that a script sets but the version does not declare. */
const undeclaredInScript = (version: typeof fields.Type) => {
  if (version.script === undefined || version.variables === null) return []
  const variableNames = new Set([...version.variables, ...version.output_variables.map((output) => output.name)])
  return version.script.flatMap((step, index) =>
    step.expect.flatMap((expectation, at) =>
      Object.keys(expectation.set)
        .filter((name) => !variableNames.has(name))
        .map((name) => ({
          path: ["script", index, "expect", at, "set", name],
          message: `${name} is neither a variable nor an output variable`
        }))
    )
  )
}

/**
 * One version of an agent: its instructions or script, languages, variables and tools. Only `app_version` and `committed`
 * are required; the defaults make an agent that holds a short, polite conversation.
 */
export class AgentVersion extends Schema.Class<AgentVersion>("AgentVersion")(
  fields.pipe(Schema.filter((version) => [
    ...(version.prompt !== undefined && version.script !== undefined
      ? [{ path: ["script"], message: "an agent has a prompt or a script, not both" }]
      : []),
    ...undeclaredInScript(version)
  ]))
) {}
