import { textOf } from "../agent/AgentContext.js"
import type { RequestParts } from "../dialogs/Dialog.js"
import { parseMediaType } from "../headers/MediaType.js"
import { header, type SipRequest } from "../message/Message.js"

/** A key that was pressed. */
export interface Key {
  readonly digit: string
  readonly millis: number
}

const defaultMillis = 160
const maxMillis = 10_000
const keys = "0123456789*#ABCD"

const millisOf = (text: string | undefined): number => {
  const millis = Number(text ?? defaultMillis)
  return millis > 0 ? Math.min(millis, maxMillis) : defaultMillis
}

/** Some peers send 10 for `*` and 11 for `#`. */
const digitOf = (text: string): string | null => {
  const digit = text === "10" ? "*" : text === "11" ? "#" : text.toUpperCase()
  return digit.length === 1 && keys.includes(digit) ? digit : null
}

/**
 * Key that an INFO request reports: in `application/dtmf-relay` with a duration, or in `application/dtmf`. Null where
 * the type is another one or the body names no key.
 */
export const keyOf = (request: SipRequest): Key | null => {
  const type = parseMediaType(header(request, "content-type") ?? "")?.type
  const text = textOf(request.body.subarray(0, 256))
  const isRelay = type === "application/dtmf-relay"
  if (!isRelay && type !== "application/dtmf") return null
  const digit = digitOf(isRelay ? /^\s*Signal\s*=\s*([^\s;]{1,2})/im.exec(text)?.[1] ?? "" : text.trim())
  return digit === null ? null : { digit, millis: millisOf(/^\s*Duration\s*=\s*(\d{1,6})/im.exec(text)?.[1]) }
}

/** Parts of an INFO request that reports a key. */
export const keyParts = ({ digit, millis }: Key): RequestParts => ({
  headers: [["content-type", "application/dtmf-relay"]],
  body: new TextEncoder().encode(`Signal=${digit}\r\nDuration=${millis}\r\n`)
})
