import { AppId, Timestamp } from "@trunkline/kernel"
import { Schema } from "effect"
import { AgentTool } from "../AgentTool.js"
import { versionFields } from "../AgentVersion.js"
import { optional } from "../Templates.js"
import { agentLimits } from "./AgentLimits.js"

/** Home of an agent: the code or configuration of the server, which HTTP cannot change, or the workspace. */
const AgentSource = Schema.Literal("code", "workspace")

/** Number of changes of a record, from 1. */
const Revision = Schema.Int.pipe(Schema.greaterThanOrEqualTo(1))

/** Characters that an id must not have, since logs, paths and terminals show it: also halves of characters, which no database takes. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u

/** Display name of an agent. */
const DisplayName = Schema.NonEmptyString.pipe(Schema.maxLength(agentLimits.name))

/** A version of an agent of a workspace, as it is stored. */
export class VersionEntry extends Schema.Class<VersionEntry>("VersionEntry")({
  version: Schema.Struct(versionFields.fields),
  revision: Revision,
  created_at: Timestamp,
  updated_at: Timestamp,
  committed_at: Schema.NullOr(Timestamp),
  /** Label of the key that made the last change. */
  updated_by: Schema.String
}) {}

/** An agent of a workspace without its versions, as it is stored. */
export class AgentEntry extends Schema.Class<AgentEntry>("AgentEntry")({
  app_id: AppId,
  name: Schema.NullOr(DisplayName),
  /** Number of changes of the agent and of its versions. */
  revision: Revision,
  created_at: Timestamp,
  updated_at: Timestamp,
  updated_by: Schema.String
}) {}

/** A version of an agent, with its history. The history of an agent of the code is null. */
export const VersionRecord = Schema.Struct({
  ...versionFields.fields,
  /** Number of changes of the definition, from 1, which a change of the draft names. */
  revision: Schema.NullOr(Revision),
  created_at: Schema.NullOr(Timestamp),
  updated_at: Schema.NullOr(Timestamp),
  /** Time since which it takes calls and cannot change; null for a draft. */
  committed_at: Schema.NullOr(Timestamp),
  /** Label of the key that made the last change. */
  updated_by: Schema.NullOr(Schema.String)
}).annotations({ identifier: "VersionRecord" })
export type VersionRecord = typeof VersionRecord.Type

/** An agent with its versions, and its home. */
export const AgentRecord = Schema.Struct({
  /** Id, by which calls, campaigns and deployments name the agent. */
  app_id: AppId,
  /** Display name, for instance on boards; absent: the id. */
  name: optional(Schema.NonEmptyString),
  /** `code` for an agent of the server's code or configuration, which is read-only here; `workspace` for one that was made over HTTP. */
  source: AgentSource,
  /** Number of changes of the agent and of its versions, from 1, which a change of its name names; null for an agent of the code. */
  revision: Schema.NullOr(Revision),
  created_at: Schema.NullOr(Timestamp),
  updated_at: Schema.NullOr(Timestamp),
  /** Versions in ascending order for an agent of the workspace, in that of the definition for one of the code. */
  versions: Schema.NonEmptyArray(VersionRecord)
}).annotations({ identifier: "AgentRecord" })
export type AgentRecord = typeof AgentRecord.Type

/**
 * A tool of a version over HTTP: a request, which needs a description and a schema, or a function that the server offers by this name,
 * which has its own.
 */
export const WorkspaceTool = Schema.Struct({
  ...AgentTool.fields,
  description: optional(AgentTool.fields.description),
  parameters: optional(AgentTool.fields.parameters.from)
}).annotations({ identifier: "WorkspaceTool" })

/** A field to set: its value, or null for the default. */
const changeOf = <S extends Schema.Schema.Any>({ from }: { readonly from: S }) =>
  Schema.optionalWith(Schema.NullOr(from), { exact: true })

/** A field to set whose value may be null itself, which is its default. */
const sameOf = <S extends Schema.Schema.Any>({ from }: { readonly from: S }) =>
  Schema.optionalWith(from, { exact: true })

const { fields } = versionFields

/** Fields of the definition of a version to set. One that is given replaces the whole field; null stands for its default. */
const definitionFields = {
  /** Name by which the agent introduces itself; `Assistant` by default. */
  name: changeOf(fields.name),
  /** Template of the instructions to the language model. Excludes `script`; without both, default instructions apply. */
  prompt: changeOf(fields.prompt),
  /** A conversation without a language model. Excludes `prompt`. */
  script: changeOf(fields.script),
  /** The language model; by default that of the conversation. */
  model: changeOf(fields.model),
  /** Template of the greeting; by default one of the engine, or the first step of the script. */
  first_message: changeOf(fields.first_message),
  /** Template of the last words. */
  goodbye_message: changeOf(fields.goodbye_message),
  /** Template of the text after a silence of the caller. */
  silence_prompt: changeOf(fields.silence_prompt),
  /** Languages by their English names or codes, such as `Hindi` or `hi-IN`; the call begins in the first. English by default. */
  languages: changeOf(fields.languages),
  /** The variables that a call accepts; null, the default: any. */
  variables: sameOf(fields.variables),
  /** The values that the agent finds out; none by default. */
  output_variables: changeOf(fields.output_variables),
  /** Work of a model on each call after its end: a summary, and output variables; nothing by default. */
  after_call: changeOf(fields.after_call),
  /** Stages of the conversation at which calls can start, or steps of a script that only such calls reach; null, the default: none. */
  states: sameOf(fields.states),
  /** Tools that the agent can use during a call, beside the built-in ones; none by default. */
  tools: changeOf({ from: Schema.Array(WorkspaceTool) }),
  /** Collections of documents that the agent looks things up in; none by default. */
  knowledge: changeOf(fields.knowledge),
  /** Names of the MCP servers whose tools the agent can use as well, among those that the server offers; none by default. */
  mcp_servers: changeOf(fields.mcp_servers),
  /** Agents to which a call may be handed over, 50 at most; none by default. */
  hand_overs: changeOf(fields.hand_overs),
  /** Digits for which the agent may ask, such as the number of a card; none by default. */
  digit_entries: changeOf(fields.digit_entries),
  /** Rules by which the agent may put the caller on hold; by default it may not. */
  hold: changeOf(fields.hold),
  /** People and numbers to whom the agent can transfer calls; none by default. */
  transfers: changeOf(fields.transfers),
  /** True lets the agent press keys, such as in the menu of another system; false by default. */
  send_digits: changeOf(fields.send_digits),
  /** Longest duration of a call, 1 to 3600 seconds; 600 by default. */
  max_duration_seconds: changeOf(fields.max_duration_seconds),
  /** Preferred voice. */
  voice: changeOf(fields.voice),
  /** Recording of its calls; by default as the engine says. */
  recording: changeOf(fields.recording)
}

/** Definition of a version without its number: every field has a default. */
export const VersionDefinition = Schema.Struct(definitionFields).annotations({ identifier: "VersionDefinition" })
export type VersionDefinition = typeof VersionDefinition.Type

/** Body that makes an agent with its first version, a draft. */
export const CreateAgent = Schema.Struct({
  /**
   * Id of your choice, 1 to 128 characters without `/` and control characters, which no other agent of the workspace and of the server
   * has.
   */
  app_id: AppId.pipe(
    Schema.filter((id) => !/^\.{1,2}$/.test(id) || "Must not be . or .., which no path can name"),
    Schema.filter((id) => !unprintable.test(id) || "Must have no control characters, line breaks and half characters")
  ),
  /** Display name, up to 200 characters; absent: the id. */
  name: optional(DisplayName),
  /** Definition of version 1. */
  version: VersionDefinition
}).annotations({ identifier: "CreateAgent" })
export type CreateAgent = typeof CreateAgent.Type

/** Body that changes an agent. */
export const PatchAgent = Schema.Struct({
  /** Revision that was read: with another one nothing changes. */
  revision: Revision,
  /** Display name, up to 200 characters; null for the id. */
  name: changeOf({ from: DisplayName })
}).annotations({ identifier: "PatchAgent" })
export type PatchAgent = typeof PatchAgent.Type

/** Body that makes a draft: a definition, or what differs from another version. */
export const CreateVersion = Schema.Struct({
  /** Version whose definition the draft begins with; absent: the defaults. */
  base_version: optional(fields.app_version),
  ...definitionFields
}).annotations({ identifier: "CreateVersion" })
export type CreateVersion = typeof CreateVersion.Type

/** Body that changes a draft. */
export const PatchVersion = Schema.Struct({
  /** Revision that was read: with another one nothing changes. */
  revision: Revision,
  ...definitionFields
}).annotations({ identifier: "PatchVersion" })
export type PatchVersion = typeof PatchVersion.Type

/** Body that commits a draft. */
export const CommitVersion = Schema.Struct({
  /** Revision that was read: with another one nothing changes. */
  revision: Revision
}).annotations({ identifier: "CommitVersion" })
export type CommitVersion = typeof CommitVersion.Type
