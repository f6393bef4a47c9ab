import { Schema } from "effect"
import { LanguageName, Localized } from "./Localized.js"
import { optional } from "./Optional.js"
import { Script } from "./Script.js"
import { OutputVariable, VariableName } from "./Variables.js"

/** A stage of a conversation that a call can be started in. */
export const AgentState = Schema.Struct({
  name: Schema.NonEmptyString,
  /** Instructions that are added to the prompt while the call is in this state. */
  prompt: optional(Schema.String)
})
export type AgentState = typeof AgentState.Type

/** Tool names that the conversation itself provides. */
export const builtInTools = ["end_call", "set_variables", "request_callback", "try_again", "set_language"] as const
export type BuiltInTool = (typeof builtInTools)[number]

/** Something that the agent can have done during a call; the embedder supplies its handler in code. */
export const AgentTool = Schema.Struct({
  name: Schema.String.pipe(
    Schema.pattern(/^[A-Za-z0-9_-]{1,64}$/),
    Schema.filter((name) => builtInTools.every((taken) => taken !== name) || `${name} is a built-in tool`)
  ),
  description: Schema.String,
  /** JSON Schema of the arguments, an object. */
  parameters: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.Unknown }), {
    exact: true,
    default: () => ({ type: "object", properties: {} })
  })
})
export type AgentTool = typeof AgentTool.Type

/** Wishes for the voice; a carrier without such a choice ignores them. */
export const VoiceHints = Schema.Struct({
  voice: optional(Schema.String),
  pace: optional(Schema.Number.pipe(Schema.between(0.5, 2)))
})
export type VoiceHints = typeof VoiceHints.Type

/** The longest call, in seconds (shapes 11). */
export const maxCallSeconds = 3600

const repeated = (names: ReadonlyArray<string>) =>
  names.flatMap((name, index) =>
    names.indexOf(name) < index ? [{ path: [index], message: `${name} is listed twice` }] : []
  )

const fields = Schema.Struct({
  app_version: Schema.Int.pipe(Schema.greaterThanOrEqualTo(1)),
  /** Only committed versions take calls. */
  committed: Schema.Boolean,
  /** What the agent calls itself. */
  name: Schema.optionalWith(Schema.NonEmptyString, { exact: true, default: () => "Assistant" }),
  /** Template of the instructions to the language model; exclusive with `script`, neither means a polite default. */
  prompt: optional(Schema.NonEmptyString),
  /** A conversation without a language model; exclusive with `prompt`. */
  script: optional(Script),
  /** The language model that answers; absent: the conversation's own choice. */
  model: optional(Schema.NonEmptyString),
  /** Template of the greeting; absent: a default, or the first step of the script. */
  first_message: optional(Localized),
  /** Template of the last words. */
  goodbye_message: optional(Localized),
  /** Template of what is said into a silence. */
  silence_prompt: optional(Localized),
  /** English names; the call begins in the first. */
  languages: Schema.optionalWith(Schema.NonEmptyArray(LanguageName).pipe(Schema.filter(repeated)), {
    exact: true,
    default: () => ["English"] as const
  }),
  /** The variables that a call may be given; null: any. */
  variables: Schema.optionalWith(Schema.NullOr(Schema.Array(VariableName).pipe(Schema.filter(repeated))), {
    exact: true,
    default: () => null
  }),
  /** What the agent finds out. */
  output_variables: Schema.optionalWith(
    Schema.Array(OutputVariable).pipe(Schema.filter((outputs) => repeated(outputs.map((output) => output.name)))),
    {
      exact: true,
      default: () => []
    }
  ),
  states: Schema.optionalWith(
    Schema.NullOr(
      Schema.Array(AgentState).pipe(Schema.filter((states) => repeated(states.map((state) => state.name))))
    ),
    {
      exact: true,
      default: () => null
    }
  ),
  tools: Schema.optionalWith(
    Schema.Array(AgentTool).pipe(Schema.filter((tools) => repeated(tools.map((tool) => tool.name)))),
    { exact: true, default: () => [] }
  ),
  max_duration_seconds: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, maxCallSeconds)), {
    exact: true,
    default: () => 600
  }),
  voice: optional(VoiceHints)
})

/** Variables that a script sets although the version declares others. */
const undeclaredInScript = (version: typeof fields.Type) => {
  if (version.script === undefined || version.variables === null) return []
  const known = new Set([...version.variables, ...version.output_variables.map((output) => output.name)])
  return version.script.flatMap((step, index) =>
    step.expect.flatMap((expectation, at) =>
      Object.keys(expectation.set)
        .filter((name) => !known.has(name))
        .map((name) => ({
          path: ["script", index, "expect", at, "set", name],
          message: `${name} is neither a variable nor an output variable`
        }))
    )
  )
}

/**
 * One version of an agent: everything that decides how it talks. Only `app_version` and `committed` are needed, the
 * defaults hold a short, polite conversation (reference-server, Bootstrap file).
 */
export class AgentVersion extends Schema.Class<AgentVersion>("AgentVersion")(
  fields.pipe(Schema.filter((version) => [
    ...(version.prompt !== undefined && version.script !== undefined
      ? [{ path: ["script"], message: "an agent has a prompt or a script, not both" }]
      : []),
    ...undeclaredInScript(version)
  ]))
) {}
