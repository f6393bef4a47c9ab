import { contentText, type Message, type ModelRequest } from "@trunkline/models"

/** Arguments of a tool in one form, whatever the spaces and the order of their names. */
export const canonical = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text === "" ? "{}" : text), sortKeys)
  } catch {
    return text
  }
}

const sortKeys = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => a < b ? -1 : 1))
    : value

/** 64 bits of a text by two runs of FNV-1a: enough to tell requests apart, and quick. */
const hashOf = (text: string): string => {
  let one = 0x811c9dc5
  let two = 0x01000193
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    one = Math.imul(one ^ unit, 0x01000193)
    two = Math.imul(two ^ (unit + at), 0x85ebca6b)
  }
  return `${(one >>> 0).toString(36)}${(two >>> 0).toString(36)}`
}

/** Differences of the parts of a fingerprint, in order, as a report names them. */
const parts = ["another model", "another prompt", "other tools", "another conversation before"] as const

/** The meaning of a message: requests for tools without their ids, which each provider makes up. */
const meaningOf = (message: Message): string => {
  const role = message.role === "other" ? message.as : message.role
  const text = contentText(message.content)
  if (message.role === "tool") return `${role}\u0000${message.name}\u0000${text}`
  if (message.role !== "assistant") return `${role}\u0000${text}`
  const requests = message.toolRequests.map(({ arguments: args, name }) => `${name} ${canonical(args)}`)
  return [role, text, ...requests].join("\u0000")
}

/**
 * The fingerprint of a request to a model: four hashes of its model, its system messages at the beginning, its tools, and the
 * conversation before it. Two requests with the same fingerprint mean the same.
 *
 * @param read - Reads the texts of the request, for instance without personal data.
 */
export const fingerprintOf = (
  { messages, model, tools = [] }: ModelRequest,
  read: (text: string) => string = (text) => text
): string => {
  const first = messages.findIndex(({ role }) => role !== "system")
  const count = first === -1 ? messages.length : first
  const text = (some: ReadonlyArray<Message>) => hashOf(some.map((message) => read(meaningOf(message))).join("\u0001"))
  const toolTexts = tools.map(({ description = "", name, parameters = {} }) =>
    `${name}\u0000${description}\u0000${JSON.stringify(parameters)}`
  )
  return [hashOf(model), text(messages.slice(0, count)), hashOf(toolTexts.join("\u0001")), text(messages.slice(count))]
    .join(".")
}

/** Parts in which two fingerprints differ. */
export const differencesOf = (one: string, other: string): ReadonlyArray<string> => {
  const others = other.split(".")
  return one.split(".").flatMap((hash, index) => hash === others[index] ? [] : [parts[index] ?? "another form"])
}
