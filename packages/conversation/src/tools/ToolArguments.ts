import type { AgentTool } from "@trunkline/agents"
import { violations } from "@trunkline/models"

/** The place of a violation as a path: `#/guests/0` is `guests.0`, and the root is nothing. */
const pathOf = (pointer: string): string => pointer.replace(/^#\/?/u, "").replaceAll("/", ".")

/** Fault of arguments that do not fit a schema, for the model; null when they do. Only the innermost places are named. */
export const argumentsFault = (schema: AgentTool["parameters"], input: unknown): string | null => {
  const issues = violations(schema, input).map((violation) => {
    const [place = "", ...words] = violation.split(": ")
    return { path: pathOf(place), text: words.join(": ") }
  })
  const inner = issues.filter(({ path }, index) =>
    !issues.some((other, at) =>
      at > index && other.path.startsWith(path === "" ? "" : `${path}.`) && other.path !== path
    )
  )
  return issues.length === 0
    ? null
    : `The arguments are wrong: ${inner.map(({ path, text }) => path === "" ? text : `${path}: ${text}`).join("; ")}`
}
