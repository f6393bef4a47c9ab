import { createHmac } from "node:crypto"
import { isSameText } from "../../settings/PublicAddress.js"
import type { AuthenticRequest } from "../Dialect.js"

type Fields = ReadonlyArray<readonly [name: string, value: string]>

const compare = ([name, value]: Fields[number], [otherName, otherValue]: Fields[number]): number =>
  name === otherName ? (value < otherValue ? -1 : value > otherValue ? 1 : 0) : name < otherName ? -1 : 1

const sortFields = (fields: Iterable<readonly [string, string]>): Fields => Array.from(fields).sort(compare)

/** Text that a signature covers: the address, its sorted query, and the sorted fields of a form. */
const signedText = (method: string, address: string, form: Fields): string => {
  const { host, pathname, protocol, searchParams } = new URL(address)
  const query = sortFields(searchParams).map(([name, value]) => `${name}=${value}`).join("&")
  const base = `${protocol}//${host}${pathname}`
  if (method === "GET" || form.length === 0) return query === "" ? base : `${base}?${query}`
  const fields = form.map(([name, value]) => name + value).join("")
  return `${base}?${query}${query === "" ? "" : "."}${fields}`
}

/** Makes a signature of version 3: HMAC-SHA256 with the nonce. */
export const plivoSignature = (
  authToken: string,
  nonce: string,
  { address, body, method }: Pick<AuthenticRequest, "address" | "body" | "method">
): string => {
  const form = sortFields(new URLSearchParams(new TextDecoder().decode(body)))
  return createHmac("sha256", authToken).update(`${signedText(method, address, form)}.${nonce}`).digest("base64")
}

/** Verifies a signature of version 3. Source: https://www.plivo.com/docs/voice/concepts/signature-validation */
export const isPlivoSignature = (authToken: string, request: AuthenticRequest): boolean => {
  const nonce = request.headers["x-plivo-signature-v3-nonce"] ?? ""
  const signatures = (request.headers["x-plivo-signature-v3"] ?? "").split(",")
  const expectedText = plivoSignature(authToken, nonce, request)
  return nonce !== "" && signatures.some((signature) => isSameText(signature.trim(), expectedText))
}
