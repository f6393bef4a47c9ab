import { misspeltName } from "@trunkline/errors"
import { isJsonObject, type Scope, templateVariables } from "@trunkline/kernel"
import type { AgentTool } from "../AgentTool.js"
import type { versionFields } from "../AgentVersion.js"
import { referencesIn } from "../HttpRequest.js"
import type { Script } from "../Script.js"
import type { Localized } from "../Templates.js"
import { type HostOffer, isOpenTo, openSecrets } from "./HostOffer.js"

type VersionValues = typeof versionFields.Type

/** A mistake in a version, and its place in it. */
export interface VersionIssue {
  readonly path: ReadonlyArray<string | number>
  readonly message: string
}

/** Bounds of the search for names that are meant: a definition may have thousands of unknown and of known ones. */
const maxCompared = { unknown: 20, known: 50 }

/** The end of a message about an unknown name, the one at a position among others. */
const nearTo = (name: string, names: ReadonlyArray<string>, position: number): string => {
  const near = position < maxCompared.unknown ? misspeltName(name, names.slice(0, maxCompared.known)) : undefined
  return near === undefined ? "" : `; did you mean ${near}?`
}

/** Steps of a script in which a call can be: the first, those where calls may start, and all to which these lead. */
const reachedSteps = (script: Script, starts: ReadonlyArray<string>): ReadonlySet<string> => {
  const reachedNames = new Set<string>()
  const open = [script[0].id, ...starts]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const index = script.findIndex((step) => step.id === id)
    const step = script[index]
    if (step === undefined || reachedNames.has(id)) continue
    reachedNames.add(id)
    const next = script[index + 1]?.id
    const isAsked = step.listen && step.expect.length > 0
    const others = isAsked ? step.expect.map(({ go }) => go ?? next) : []
    const last = step.otherwise ?? (isAsked ? undefined : next)
    // Exits are no steps, and found as such above.
    open.push(...[...others, last].flatMap((target) => target ?? []))
  }
  return reachedNames
}

/** Steps of a script to which nothing leads. */
const unreachedIssues = ({ script, states }: VersionValues): ReadonlyArray<VersionIssue> => {
  if (script === undefined) return []
  const reachedNames = reachedSteps(script, (states ?? []).map(({ name }) => name))
  return script.flatMap(({ id }, index) =>
    reachedNames.has(id) ? [] : [{
      path: ["script", index, "id"],
      message: `no step leads to ${id}: let one go there, or list it in states if calls start in it`
    }]
  )
}

/** Texts of a version in which variables are filled in, with their places. */
const templatesOf = (version: VersionValues): ReadonlyArray<readonly [VersionIssue["path"], string]> => {
  const of = (text: Localized | undefined, ...path: VersionIssue["path"]) =>
    text === undefined
      ? []
      : typeof text === "string"
      ? [[path, text] as const]
      : Object.entries(text).map(([language, wording]) => [[...path, language], wording] as const)
  return [
    ...of(version.prompt, "prompt"),
    ...of(version.first_message, "first_message"),
    ...of(version.goodbye_message, "goodbye_message"),
    ...of(version.silence_prompt, "silence_prompt"),
    ...(version.states ?? []).flatMap(({ prompt }, at) => of(prompt, "states", at, "prompt")),
    ...(version.script ?? []).flatMap(({ say }, at) => of(say, "script", at, "say")),
    ...version.tools.flatMap(({ filler }, at) => of(filler, "tools", at, "filler")),
    ...(version.transfers ?? []).flatMap(({ briefing, hold_message }, at) => [
      ...of(hold_message, "transfers", at, "hold_message"),
      ...of(briefing, "transfers", at, "briefing")
    ]),
    ...(version.hand_overs ?? []).flatMap(({ first_words }, at) => of(first_words, "hand_overs", at, "first_words")),
    ...(version.digit_entries ?? []).flatMap(({ say }, at) => of(say, "digit_entries", at, "say")),
    ...of(version.hold?.message, "hold", "message")
  ]
}

/** Variables that texts and requests use but no one gives: neither the call, nor the agent, nor the answer of a tool. */
const variableIssues = (version: VersionValues): ReadonlyArray<VersionIssue> => {
  const { output_variables, tools, variables } = version
  if (variables === null) return []
  const names = [
    ...variables,
    ...output_variables.map(({ name }) => name),
    ...tools.flatMap(({ http }) => Object.keys(http?.answer?.set ?? {}))
  ]
  const variableNames = new Set(names)
  const used = [
    ...templatesOf(version).flatMap(([path, text]) => templateVariables(text).map((name) => ({ path, name }))),
    ...tools.flatMap(({ http }, at) =>
      referencesIn(http).filter(({ source }) => source === "variables").map(({ name }) => ({
        path: ["tools", at, "http"],
        name
      }))
    )
  ]
  return used.filter(({ name }) => !variableNames.has(name)).map(({ name, path }, position) => ({
    path,
    message: `{{${name}}} is neither in variables nor in output_variables${nearTo(name, names, position)}`
  }))
}

/** Arguments that a request uses but its schema does not have. */
const argumentIssues = ({ http, parameters }: AgentTool, at: number): ReadonlyArray<VersionIssue> => {
  const { properties = {}, ...others } = parameters
  if (Object.keys(others).some((name) => ["$ref", "allOf", "anyOf", "oneOf"].includes(name))) return []
  const names = isJsonObject(properties) ? Object.keys(properties) : []
  const unknown = referencesIn(http).filter(({ name, source }) => source === "args" && !names.includes(name))
  return unknown.map(({ name }, position) => ({
    path: ["tools", at, "http"],
    message: `{{args.${name}}}: parameters has no property ${name}${nearTo(name, names, at + position)}`
  }))
}

/** Functions, secrets and servers that the host does not offer to the workspace. */
const offerIssues = (
  { mcp_servers = [], tools }: VersionValues,
  offer: HostOffer.Service,
  scope: Scope
): ReadonlyArray<VersionIssue> => {
  const functions = offer.functions.map(({ name }) => name)
  const servers = offer.mcpServers.filter(isOpenTo(scope)).map(({ name }) => name)
  return [
    ...tools.flatMap(({ http, name }, at) => {
      if (http === undefined) {
        return functions.includes(name) ? [] : [{
          path: ["tools", at, "name"],
          message: `the server offers no function ${name}${nearTo(name, functions, at)}: give http, or have it offered`
        }]
      }
      const open = openSecrets(offer, scope, http.url)
      const secrets = referencesIn(http).filter(({ source }) => source === "secrets").map(({ name }) => name)
      return [...new Set(secrets)].filter((secret) => !open.includes(secret)).map((secret) => ({
        path: ["tools", at, "http"],
        message: `{{secrets.${secret}}}: the server offers no such secret for requests to this host${
          nearTo(secret, open, at)
        }`
      }))
    }),
    ...mcp_servers.flatMap((name, at) =>
      servers.includes(name) ? [] : [{
        path: ["mcp_servers", at],
        message: `the server offers no MCP server ${name}${nearTo(name, servers, at)}`
      }]
    )
  ]
}

/**
 * Mistakes of a version beyond those that no agent may have, which need no server to be told: unknown variables and arguments, and
 * steps that nothing leads to. Code may leave some of them to its author.
 */
export const draftIssues = (version: VersionValues): ReadonlyArray<VersionIssue> => [
  ...unreachedIssues(version),
  ...variableIssues(version),
  ...version.tools.flatMap(argumentIssues)
]

/**
 * Mistakes of a version of a workspace beyond those of any version: those of {@link draftIssues}, and functions, secrets and
 * servers that the host does not offer.
 */
export const workspaceVersionIssues = (
  version: VersionValues,
  offer: HostOffer.Service,
  scope: Scope
): ReadonlyArray<VersionIssue> => [
  ...draftIssues(version),
  ...offerIssues(version, offer, scope)
]
