import type { EventReply } from "@trunkline/telephony"

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;",
  "'": "&apos;"
}

/** Escapes text for an element or an attribute of XML. */
export const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)

/** Attributes of an element, in their order; those without a value are left out. */
export const attributesOf = (values: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(values).map(([name, value]) => value === undefined ? "" : ` ${name}="${escapeXml(value)}"`).join("")

/** A document with a root `Response`. */
export const responseXml = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Response>${body}</Response>`

/** A reply with such a document. */
export const xmlReply = (body: string): EventReply => ({ contentType: "text/xml", body: responseXml(body) })
