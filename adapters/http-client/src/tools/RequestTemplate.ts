import {
  fillReferences,
  type HttpRequest,
  soleReference,
  type TemplateReference,
  type ToolCall
} from "@trunkline/agents"
import { isJsonObject } from "@trunkline/kernel"
import type { GuardedRequest } from "../guarded/GuardedSend.js"

/** Values that the templates of a request refer to. */
export interface TemplateValues {
  readonly input: unknown
  readonly call: ToolCall
  readonly secrets: Readonly<Record<string, string>>
}

/** Longest answer that is read when a tool declares none, in bytes. */
const usualBytes = 65_536

const fieldOf = (value: unknown, name: string): unknown =>
  isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** The value of a reference; undefined without one. */
const valueOf = ({ call, input, secrets }: TemplateValues) => ({ name, source }: TemplateReference): unknown => {
  switch (source) {
    case "args":
      return fieldOf(input, name)
    case "variables":
      return fieldOf(call.variables, name)
    case "secrets":
      return fieldOf(secrets, name)
    case "digits":
      return fieldOf(call.digits, name)
    case "call":
      return fieldOf(call, name)
  }
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value)

/** Fills a body: a text that is nothing but a reference keeps the type of its value, and fields without one are left out. */
const fillBody = (template: unknown, values: TemplateValues): unknown => {
  if (typeof template === "string") {
    const sole = soleReference(template)
    return sole === undefined
      ? fillReferences(template, (reference) => textOf(valueOf(values)(reference)))
      : valueOf(values)(sole)
  }
  if (Array.isArray(template)) return template.map((item) => fillBody(item, values) ?? null)
  if (!isJsonObject(template)) return template
  return Object.fromEntries(
    Object.entries(template).flatMap(([key, item]) => {
      const part = fillBody(item, values)
      return part === undefined ? [] : [[key, part]]
    })
  )
}

/** A value that would change the path: URLs read it as the folder itself or the one above, also when it is encoded. */
const isDots = (value: string): boolean => value === "." || value === ".."

/** Half of a character of two code units, for which there is no encoding. */
const halfCharacter = /\p{Cs}/u

/** Fills a request. A text tells the model why its arguments fit into no request. */
export const fillRequest = (
  { body, headers = {}, max_bytes = usualBytes, method, query = {}, url }: HttpRequest,
  values: TemplateValues
): GuardedRequest | string => {
  const fill = (template: string) => fillReferences(template, (reference) => textOf(valueOf(values)(reference)))
  let wrong: string | undefined
  const address = new URL(fillReferences(url, (reference) => {
    const text = textOf(valueOf(values)(reference))
    if (isDots(text)) wrong = `${reference.name} cannot be "${text}"`
    if (!halfCharacter.test(text)) return encodeURIComponent(text)
    wrong = `${reference.name} has half a character`
    return ""
  }))
  for (const [name, template] of Object.entries(query)) {
    const value = fill(template)
    if (value !== "") address.searchParams.append(name, value)
  }
  const headerEntries = Object.entries(headers).map(([name, template]) => [name.toLowerCase(), fill(template)] as const)
    .filter(([, value]) => value !== "")
  const unfit = headerEntries.find(([, value]) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
  if (unfit !== undefined) wrong = `the header ${unfit[0]} cannot hold this value`
  if (wrong !== undefined) return `The arguments are wrong: ${wrong}`
  const hasBody = body !== undefined || (method !== "GET" && method !== "DELETE")
  return {
    method,
    url: address.href,
    headers: {
      accept: "application/json, text/plain;q=0.9, */*;q=0.5",
      ...(hasBody && { "content-type": "application/json" }),
      ...Object.fromEntries(headerEntries)
    },
    maxBytes: max_bytes,
    ...(hasBody && { body: JSON.stringify(body === undefined ? values.input : fillBody(body, values)) ?? "null" })
  }
}
