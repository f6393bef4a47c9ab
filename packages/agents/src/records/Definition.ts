import { Invalid, issuesOf } from "@trunkline/errors"
import { Effect, Schema } from "effect"
import { AgentTool } from "../AgentTool.js"
import { versionFields } from "../AgentVersion.js"
import { VersionDefinition } from "./AgentRecord.js"
import type { HostOffer } from "./HostOffer.js"
import type { VersionIssue } from "./VersionChecks.js"

/** Definition of a version with its number and all defaults. */
const Definition = Schema.Struct(versionFields.fields)
type Definition = typeof Definition.Type

const decode = Schema.decodeUnknown(Definition, { errors: "all", onExcessProperty: "error" })

/** Writes a definition as JSON. */
export const encodeDefinition = Schema.encodeSync(Definition)

const encodeChanges = Schema.encodeSync(VersionDefinition)

const encodeTool = Schema.encodeSync(AgentTool)

type ToolChange = NonNullable<ReturnType<typeof encodeChanges>["tools"]>[number]

/** A tool with what the function that the host offers by its name has: its description, its schema and its policies. */
const withFunction = (tool: ToolChange, { functions }: HostOffer.Service): ToolChange => {
  const declaration = tool.http === undefined ? functions.find(({ name }) => name === tool.name) : undefined
  return declaration === undefined ? tool : { ...encodeTool(declaration), ...tool }
}

/** Mistakes of tools that lack what no function gives them. A function that the host does not offer is a mistake of its name alone. */
const toolIssues = (tools: ReadonlyArray<ToolChange>): ReadonlyArray<VersionIssue> =>
  tools.flatMap(({ description, http, parameters }, at) =>
    http === undefined ? [] : [
      ...(description === undefined
        ? [{ path: ["tools", at, "description"], message: "is missing: say what the tool does, and when to use it" }]
        : []),
      ...(parameters === undefined
        ? [{
          path: ["tools", at, "parameters"],
          message:
            "is missing: write the JSON Schema of the arguments, { \"type\": \"object\", \"properties\": {} } for none"
        }]
        : [])
    ]
  )

/** A definition, and what its tools lack. */
export interface ChangedDefinition {
  readonly definition: Definition
  readonly issues: ReadonlyArray<VersionIssue>
}

/** Applies changes to the definition of a version, or to the defaults: each field that is given replaces the whole field. */
export const changeDefinition = (
  base: Definition | null,
  changes: VersionDefinition,
  { app_version, offer }: { readonly app_version: number; readonly offer: HostOffer.Service }
): Effect.Effect<ChangedDefinition, Invalid> =>
  Effect.suspend(() => {
    const { tools, ...others } = encodeChanges(changes)
    const fullTools = (tools ?? []).map((tool) => withFunction(tool, offer))
    const fields = Object.entries({
      ...(base === null ? {} : encodeDefinition(base)),
      ...others,
      ...(tools !== undefined && { tools: fullTools.map((tool) => ({ description: "", ...tool })) }),
      app_version,
      committed: false
    })
    return Effect.mapBoth(decode(Object.fromEntries(fields.filter(([, value]) => value !== null))), {
      onFailure: (error) => new Invalid({ issues: issuesOf(error, "body") }),
      onSuccess: (definition) => ({ definition, issues: toolIssues(fullTools) })
    })
  })
