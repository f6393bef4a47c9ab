import { VoiceId } from "@trunkline/kernel"
import { CollectionName } from "@trunkline/knowledge"
import { LanguageName } from "@trunkline/spoken-text"
import { Schema } from "effect"
import { AfterCall } from "./AfterCall.js"
import { actionTools, actionToolsOf, DigitEntry, HandOver, Hold } from "./AgentActions.js"
import { AgentTool } from "./AgentTool.js"
import { referencesIn } from "./HttpRequest.js"
import { OutputVariable } from "./OutputVariable.js"
import { requestIssues } from "./RequestIssues.js"
import { Script, undeclaredInScript } from "./Script.js"
import { Localized, optional, Template, VariableName } from "./Templates.js"
import { lineTools, TransferTarget } from "./TransferTarget.js"

/** A stage of a conversation at which a call can start. */
export const AgentState = Schema.Struct({
  /** Name of the state, which calls name to start in it. */
  name: Schema.NonEmptyString,
  /** Instructions that are added to the prompt of calls that start in this state. */
  prompt: optional(Template)
})
export type AgentState = typeof AgentState.Type

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

/** Recording of an agent's calls with sound. */
const AgentRecording = Schema.Struct({
  /** True, the default, to record its calls, false not to; a call can say otherwise. */
  enabled: Schema.optionalWith(Schema.Boolean, { exact: true, default: () => true }),
  /** Text that the agent says first on a call that is recorded, in the language that the call begins in. */
  notice: optional(Schema.NonEmptyString),
  /**
   * `ask`: nothing is kept until the caller agrees, which the model tells by the tool `record_call`, or a tool of the host by
   * `recording.consent`. Absent: the call is recorded from its beginning.
   */
  consent: optional(Schema.Literal("ask"))
})

/** Longest call, in seconds. */
const maxCallSeconds = 3600

const duplicates = (names: ReadonlyArray<string>) =>
  names.flatMap((name, index) =>
    names.indexOf(name) < index ? [{ path: [index], message: `${name} is listed twice` }] : []
  )

/** Fields of a version, each with its own checks; {@link versionIssues} has those that concern several. */
export const versionFields = Schema.Struct({
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
  /** Work of a model on each call after its end: a summary, and output variables. Absent: nothing. */
  after_call: optional(AfterCall),
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
  /**
   * Collections of documents that the agent looks things up in, by the tool `search_knowledge`. One that has no documents yet is
   * no error.
   */
  knowledge: Schema.optionalWith(Schema.Array(CollectionName).pipe(Schema.filter(duplicates)), {
    exact: true,
    default: () => []
  }),
  /** Names of the MCP servers whose tools the agent can use as well, as the engine's options name them. */
  mcp_servers: optional(Schema.Array(Schema.NonEmptyString).pipe(Schema.filter(duplicates))),
  /** Agents to which a call may be handed over. */
  hand_overs: optional(
    Schema.Array(HandOver).pipe(
      Schema.filter((handOvers) =>
        duplicates(handOvers.map(({ app_id }) => app_id)).map(({ message, path }) => ({
          path: [...path, "app_id"],
          message
        }))
      )
    )
  ),
  /** Digits for which the agent may ask, such as the number of a card. */
  digit_entries: optional(
    Schema.Array(DigitEntry).pipe(
      Schema.filter((entries) =>
        duplicates(entries.map(({ name }) => name)).map(({ message, path }) => ({ path: [...path, "name"], message }))
      )
    )
  ),
  /** Rules by which the agent may put the caller on hold; absent: it may not. */
  hold: optional(Hold),
  /** People and numbers to whom the agent can transfer calls, by the tool `transfer_call`. */
  transfers: optional(
    Schema.Array(TransferTarget).pipe(Schema.filter((targets) => duplicates(targets.map(({ name }) => name))))
  ),
  /** True lets the agent press keys, such as in the menu of another system, by the tool `send_digits`. */
  send_digits: optional(Schema.Boolean),
  /** Longest duration of a call, 1 to 3600 seconds; 600 by default. */
  max_duration_seconds: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, maxCallSeconds)), {
    exact: true,
    default: () => 600
  }),
  /** Preferred voice. */
  voice: optional(VoiceHints),
  /** Recording of its calls; absent: as the engine says. */
  recording: optional(AgentRecording)
})

type VersionValues = typeof versionFields.Type

/** True for a tool of the line that a version has. */
const hasLineTool = ({ send_digits, transfers = [] }: VersionValues, name: string): boolean =>
  name === "send_digits" ? send_digits === true : transfers.length > 0

/** Mistakes in what the agent does in the call itself: a script with such tools, names that are taken, and unknown digits. */
const actionIssues = (version: VersionValues) => {
  const { digit_entries = [], script, tools } = version
  const names = actionToolsOf(version)
  const entries = new Set(digit_entries.map(({ name }) => name))
  return [
    ...(script === undefined ? [] : names.map((name) => ({
      path: [actionTools[name]],
      message: "a script asks no model, which alone uses it: give a prompt, or leave it out"
    }))),
    ...tools.flatMap((tool, index) => [
      ...(names.some((name) => name === tool.name)
        ? [{ path: ["tools", index, "name"], message: `an agent has a tool ${tool.name} already: rename yours` }]
        : []),
      ...referencesIn(tool.http).filter(({ name, source }) => source === "digits" && !entries.has(name)).map((
        { name }
      ) => ({
        path: ["tools", index, "http"],
        message: `{{digits.${name}}}: there is no entry ${name} in digit_entries`
      }))
    ])
  ]
}

/** Issues of the wishes for the time after the call. */
const afterCallIssues = ({ after_call, output_variables }: VersionValues) =>
  after_call === undefined ? [] : [
    ...(after_call.summary === false && !after_call.extract
      ? [{ path: ["after_call"], message: "asks for nothing: set summary or extract, or leave it out" }]
      : []),
    ...(after_call.extract && output_variables.length === 0
      ? [{ path: ["after_call", "extract"], message: "needs output_variables, which say what to find out" }]
      : [])
  ]

/** Variables that a script sets but the version does not declare. */
const scriptVariableIssues = ({ output_variables, script, variables }: VersionValues) =>
  script === undefined || variables === null
    ? []
    : undeclaredInScript(script, [...variables, ...output_variables.map(({ name }) => name)])

/** Mistakes that show only where fields of a version meet. */
export const versionIssues = (
  version: VersionValues
): ReadonlyArray<{ readonly path: ReadonlyArray<string | number>; readonly message: string }> => [
  ...(version.prompt !== undefined && version.script !== undefined
    ? [{ path: ["script"], message: "an agent has a prompt or a script, not both" }]
    : []),
  ...(["knowledge", "mcp_servers"] as const).flatMap((field) =>
    version.script !== undefined && (version[field] ?? []).length > 0
      ? [{ path: [field], message: "a script asks no model, which alone uses it: give a prompt, or leave it out" }]
      : []
  ),
  ...version.knowledge.length > 0 && version.tools.some(({ name }) => name === "search_knowledge")
    ? [{ path: ["tools"], message: "an agent with knowledge has a tool search_knowledge already: rename yours" }]
    : [],
  ...actionIssues(version),
  ...lineTools.flatMap((tool) =>
    !hasLineTool(version, tool)
      ? []
      : version.script !== undefined
      ? [{
        path: [tool === "send_digits" ? tool : "transfers"],
        message: "a script asks no model, which alone uses it: give a prompt, or leave it out"
      }]
      : version.tools.some(({ name }) => name === tool)
      ? [{ path: ["tools"], message: `the agent has a tool ${tool} already: rename yours` }]
      : []
  ),
  ...afterCallIssues(version),
  ...version.recording?.consent === "ask" && version.tools.some(({ name }) => name === "record_call")
    ? [{ path: ["tools"], message: "an agent that asks for consent has a tool record_call already: rename yours" }]
    : [],
  ...scriptVariableIssues(version),
  ...requestIssues(version.tools)
]

/**
 * One version of an agent: its instructions or script, languages, variables and tools. Only `app_version` and `committed`
 * are required; the defaults make an agent that holds a short, polite conversation.
 */
export class AgentVersion extends Schema.Class<AgentVersion>("AgentVersion")(
  versionFields.pipe(Schema.filter((version) => versionIssues(version)))
) {}
