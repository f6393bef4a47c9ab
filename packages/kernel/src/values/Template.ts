/** A variable in a template, such as `{{name}}`; its name is the first group. */
export const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g

/** Longest part of a template that a message repeats, in UTF-16 units. */
const longestQuote = 30

/** Names of the variables that a template uses, each once. */
export const templateVariables = (template: string): ReadonlyArray<string> =>
  Array.from(new Set(Array.from(template.matchAll(placeholder), ([, name = ""]) => name)))

/** Fault of a template; undefined for one that can be filled. */
export const templateFault = (template: string): string | undefined => {
  const at = template.replace(placeholder, (variable) => " ".repeat(variable.length)).indexOf("{{")
  return at < 0
    ? undefined
    : `"${template.slice(at, at + longestQuote)}" is not closed: write a variable as {{name}}`
}
