import { isJsonObject, type JsonObject } from "@trunkline/kernel"
import { Schema } from "effect"
import type { versionFields } from "../AgentVersion.js"
import { encodeDefinition } from "./Definition.js"

/** A field in which two versions differ. */
export const VersionDifference = Schema.Struct({
  /**
   * Way to the field: names, and for an item of a list its `id`, `name` or `app_id` where all items have one of their own, else its
   * position, such as `["script", "greeting", "say", "Hindi"]`.
   */
  path: Schema.Array(Schema.Union(Schema.String, Schema.Int)),
  /** `moved` for a list with the same items in another order: `before` and `after` are their names. */
  kind: Schema.Literal("added", "removed", "changed", "moved"),
  /** Value in the one version; null for one that is added. */
  before: Schema.Unknown,
  /** Value in the other version; null for one that is removed. */
  after: Schema.Unknown
}).annotations({ identifier: "VersionDifference" })
export type VersionDifference = typeof VersionDifference.Type

/** Differences of two versions. */
export const AgentDifferences = Schema.Struct({
  app_id: Schema.String,
  /** Number of the version before. */
  from: Schema.Int,
  /** Number of the version after. */
  to: Schema.Int,
  /** Fields that differ, in the order of the definition; none for versions with the same definition. */
  items: Schema.Array(VersionDifference),
  /** The same to read: the way to each field, and its lines with `-` before and `+` after. */
  text: Schema.String
}).annotations({ identifier: "AgentDifferences" })
export type AgentDifferences = typeof AgentDifferences.Type

type Path = VersionDifference["path"]

const itemNames = ["id", "name", "app_id"] as const

/** Names of the items of a list, each one of its own; undefined for a list without. */
const namesOf = (items: ReadonlyArray<unknown>): ReadonlyArray<string> | undefined => {
  for (const key of itemNames) {
    const names = items.flatMap((item) => isJsonObject(item) && typeof item[key] === "string" ? [item[key]] : [])
    if (names.length === items.length && new Set(names).size === names.length) return names
  }
  return undefined
}

/** Fields of an object in the order of the one after, each with its values on both sides. */
const inObjects = (before: JsonObject, after: JsonObject, path: Path): ReadonlyArray<VersionDifference> =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    const [has, will] = [Object.hasOwn(before, key), Object.hasOwn(after, key)]
    return has && will
      ? compare(before[key], after[key], [...path, key])
      : [{
        path: [...path, key],
        kind: has ? "removed" as const : "added" as const,
        before: has ? before[key] : null,
        after: will ? after[key] : null
      }]
  })

const inLists = (
  before: ReadonlyArray<unknown>,
  after: ReadonlyArray<unknown>,
  path: Path
): ReadonlyArray<VersionDifference> => {
  const [were, are] = [namesOf(before), namesOf(after)]
  if (were === undefined || are === undefined || before.length + after.length === 0) {
    const isPlain = [...before, ...after].every((item) => !isJsonObject(item))
    if (isPlain || before.length !== after.length) {
      return [{ path, kind: "changed", before, after }]
    }
    return before.flatMap((item, index) => compare(item, after[index], [...path, index]))
  }
  const oldOrder = were.filter((name) => are.includes(name))
  const keptNames = are.filter((name) => were.includes(name))
  const byName = (names: ReadonlyArray<string>, items: ReadonlyArray<unknown>): JsonObject =>
    Object.fromEntries(names.map((name, index) => [name, items[index]]))
  return [
    ...(oldOrder.some((name, index) => name !== keptNames[index])
      ? [{ path, kind: "moved" as const, before: oldOrder, after: keptNames }]
      : []),
    ...inObjects(byName(were, before), byName(are, after), path)
  ]
}

const compare = (before: unknown, after: unknown, path: Path): ReadonlyArray<VersionDifference> => {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  if (isJsonObject(before) && isJsonObject(after)) return inObjects(before, after, path)
  return Array.isArray(before) && Array.isArray(after)
    ? inLists(before, after, path)
    : [{ path, kind: "changed", before, after }]
}

const linesOf = (value: unknown): ReadonlyArray<string> =>
  (typeof value === "string" ? value : JSON.stringify(value, null, 2)).split("\n")

/** The lines of a difference, without those that a text has on both sides at its beginning and its end. */
const textOf = ({ after, before, kind, path }: VersionDifference): string => {
  const removedLines = kind === "added" ? [] : linesOf(before)
  const addedLines = kind === "removed" ? [] : linesOf(after)
  const shorter = Math.min(removedLines.length, addedLines.length)
  let start = 0
  while (start < shorter && removedLines[start] === addedLines[start]) start++
  let end = 0
  while (end < shorter - start && removedLines.at(-1 - end) === addedLines.at(-1 - end)) end++
  const between = (lines: ReadonlyArray<string>) => lines.slice(start, lines.length - end)
  return [
    `${path.join(".")} (${kind})`,
    ...between(removedLines).map((line) => `- ${line}`),
    ...between(addedLines).map((line) => `+ ${line}`)
  ].join("\n")
}

/** Compares the definitions of two versions of an agent, whose defaults count as written out. */
export const differencesOf = (
  app_id: string,
  one: typeof versionFields.Type,
  other: typeof versionFields.Type
): AgentDifferences => {
  const [{ app_version: from, committed: _, ...before }, { app_version: to, committed: __, ...after }] = [
    encodeDefinition(one),
    encodeDefinition(other)
  ]
  const items = compare(before, after, [])
  return { app_id, from, to, items, text: items.map(textOf).join("\n\n") }
}
