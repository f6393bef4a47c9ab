import { EventRefused, type EventRequest } from "@trunkline/telephony"
import { Effect } from "effect"
import type { NoticeContent, OpenLine } from "../dialects/Dialect.js"
import { parseObject } from "../dialects/StreamFormat.js"
import { askedAddress, isAllowedAddress } from "../settings/PublicAddress.js"

/** Largest request of a provider, in bytes. */
const maxBytes = 65_536

const problem = (msg: string) =>
  new EventRefused({ why: "malformed", issues: [{ loc: ["body"], msg, type: "value_error" }] })

/** Fields of a request: those of its form, and those of its address that the form has not. */
const fieldsOf = ({ headers, url }: EventRequest, text: string): URLSearchParams => {
  const fields = new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?") + 1) : "")
  if (!(headers["content-type"] ?? "").includes("json")) {
    for (const [name, value] of new URLSearchParams(text)) fields.set(name, value)
  }
  return fields
}

/** Verifies and parses a request of a provider. */
export const readNotice = (
  line: OpenLine,
  request: EventRequest,
  now: number
): Effect.Effect<NoticeContent, EventRefused> =>
  Effect.suspend(() => {
    const { body, method } = request
    if (body.byteLength > maxBytes) return problem(`Must have at most ${maxBytes} bytes`)
    const text = new TextDecoder().decode(body)
    const fields = fieldsOf(request, text)
    const address = askedAddress(line.settings, request)
    const isProven = isAllowedAddress(line.settings, request)
      && line.isAuthentic({ ...request, address, fields, now })
    if (!isProven) return new EventRefused({ why: "signature" })
    const content = line.read({ method, fields, json: parseObject(text) ?? undefined, now })
    return content === null ? problem("Must be a request of the provider about a call") : Effect.succeed(content)
  })
