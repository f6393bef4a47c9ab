import type { AgentVersion } from "../api/types.js"

/** Body of a definition, as a person writes it. */
type Definition = Readonly<Record<string, unknown>>

/** The definition of a version without its number and its history. */
export const definitionOf = (version: AgentVersion): Definition => {
  const {
    app_version: _,
    committed: __,
    committed_at: ___,
    created_at: ____,
    revision: _____,
    updated_at: ______,
    updated_by: _______,
    ...definition
  } = version
  return definition
}

/** A definition to edit. */
export const textOf = (version: AgentVersion): string => JSON.stringify(definitionOf(version), null, 2)

/** Reads a definition that a person has written; null for a text that is no object in JSON. */
export const readDefinition = (text: string): Definition | null => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

/** Changes that make one definition another: fields that are gone get their defaults. */
export const changesOf = (before: Definition, after: Definition): Definition => ({
  ...Object.fromEntries(Object.keys(before).filter((name) => !Object.hasOwn(after, name)).map((name) => [name, null])),
  ...after
})
