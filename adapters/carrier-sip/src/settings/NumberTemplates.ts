import { parseUri } from "@trunkline/sip"
import { Either } from "effect"

/** Values of a template's placeholders, apart from the number. */
export interface TemplateValues {
  /** Host of the server, and its port where it has one, as URIs write them. */
  readonly server: string
  /** Domain of the addresses of callers. */
  readonly domain: string
}

const placeholder = /\{(\w*)\}/g

/**
 * Fills a template: `{e164}` is the number with its plus, `{digits}` the number without it, and `{server}` and `{domain}`
 * are hosts.
 */
export const fillTemplate = (template: string, number: string, { domain, server }: TemplateValues): string =>
  template.replace(placeholder, (placeholderText, name: string) => {
    switch (name) {
      case "e164":
        return number
      case "digits":
        return number.replace(/^\+/, "")
      case "server":
        return server
      case "domain":
        return domain
      default:
        return placeholderText
    }
  })

/** Why a text is not a template of a header; null when it is one. */
export const headerFault = (template: string): string | null => {
  const unknownMatch = [...template.matchAll(placeholder)].find(([, name = ""]) =>
    !["e164", "digits", "server", "domain"].includes(name)
  )
  if (unknownMatch !== undefined) {
    return `There is no placeholder ${unknownMatch[0]}: use {e164}, {digits}, {server} or {domain}`
  }
  return /[\r\n\0]/.test(template) ? "Must be one line" : null
}

/** Why a text is not a template of a URI, with a number where one is needed; null when it is one. */
export const uriFault = (template: string, needsNumber: boolean): string | null => {
  const fault = headerFault(template)
  if (fault !== null) return fault
  if (needsNumber && !/\{(?:e164|digits)\}/.test(template)) return "Must contain {e164} or {digits}"
  const uri = parseUri(fillTemplate(template, "+919876543210", { server: "server.example", domain: "a.example" }))
  return Either.isRight(uri) && uri.right._tag !== "OtherUri"
    ? null
    : "Must make a SIP or tel URI, such as sip:{e164}@{server}"
}
