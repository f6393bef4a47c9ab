import type { Variables } from "@trunkline/kernel"

const token = /\{\{\s*([^{}]*?)\s*\}\}/g

/**
 * Puts the values of variables in place of `{{name}}`. A missing or null variable leaves nothing behind: double spaces
 * and spaces before punctuation go, line breaks stay. Values are inserted as they are, never run or filled again.
 */
export const fillTemplate = (template: string, variables: Variables): string =>
  template
    .replace(token, (_match, name: string) => Object.hasOwn(variables, name) ? String(variables[name] ?? "") : "")
    .replace(/[ \t]+/g, " ")
    .replace(/ (?=[,.!?;:।\n]|$)/g, "")
    .trim()
