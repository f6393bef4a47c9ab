import type { PhoneNumber } from "@trunkline/kernel"
import { createHmac } from "node:crypto"
import { isSameText } from "../../settings/PublicAddress.js"
import {
  type ApiRequest,
  type AuthenticRequest,
  type CallToCreate,
  formBody,
  newsOf,
  type Notice,
  type NoticeContent,
  type ProviderCall
} from "../Dialect.js"
import { connected, failed, outcomeIn, type OutcomeWords, ringing, talking } from "../Outcomes.js"
import { textAt } from "../StreamFormat.js"
import { escapeXml, responseXml } from "../Xml.js"

/** Responses of SIP networks that stand for a number that does not exist. */
export const invalidNumber: ReadonlyArray<string> = ["404", "410", "484", "604"]

/** States of a call by its status. Source: https://www.twilio.com/docs/voice/api/call-resource#call-status-values */
export const twilioStates: OutcomeWords = {
  queued: ringing,
  initiated: ringing,
  ringing,
  "in-progress": talking,
  answered: talking,
  completed: connected,
  busy: failed("busy"),
  "no-answer": failed("no_answer"),
  canceled: failed("no_answer", "twilio: cancelled"),
  failed: failed("failed", "twilio: the call failed")
}

/** State of a call by its status, and by the response of the network where it failed; null for a status that is not known. */
export const twilioState = (status: string, sipResponse = ""): ProviderCall | null =>
  status === "failed" && invalidNumber.includes(sipResponse)
    ? failed("failed", "twilio: invalid_number")
    : outcomeIn(twilioStates, status)

/** Error codes of numbers that cannot be called (https://www.twilio.com/docs/api/errors). */
export const badNumbers: ReadonlyArray<string> = ["13223", "13224", "21211", "21214", "21217"]

/** Outcome of a refusal. */
export const twilioRefusal = (json: unknown) => {
  const code = textAt(json, "code")
  if (badNumbers.includes(code)) return { status: "failed" as const, reason: "invalid_number" }
  return /^\d{5}$/.test(code) ? { reason: `error ${code}` } : null
}

/** Verifies a signature: HMAC-SHA1 of the address and the sorted fields of the form. Source:
 * https://www.twilio.com/docs/usage/security#validating-requests
 */
export const isTwilioSignature = (authToken: string, { address, body, headers, method }: AuthenticRequest): boolean => {
  const isForm = method === "POST" && !(headers["content-type"] ?? "").includes("json")
  const fields = isForm ? Array.from(new URLSearchParams(new TextDecoder().decode(body))) : []
  const sortedFields = fields.sort(([one], [other]) => one < other ? -1 : one > other ? 1 : 0)
  const signedText = address + sortedFields.map(([name, value]) => name + value).join("")
  const expectedText = createHmac("sha1", authToken).update(signedText).digest("base64")
  return isSameText(expectedText, headers["x-twilio-signature"] ?? "")
}

/**
 * Checks the signature of a stream's handshake, where it has one: that of its address without fields. Some of Twilio's regions
 * sign the address with a slash at its end.
 */
export const isTwilioStream = (
  authToken: string,
  address: string,
  headers: Readonly<Record<string, string>>
): boolean => {
  const signature = headers["x-twilio-signature"]
  return signature === undefined ||
    [address, `${address}/`].some((signedText) =>
      isSameText(createHmac("sha1", authToken).update(signedText).digest("base64"), signature)
    )
}

/** Requests about calls of an account. */
export const twilioCalls = (account: string) => {
  const calls = `/2010-04-01/Accounts/${encodeURIComponent(account)}/Calls`
  const change = (id: string, fields: ReadonlyArray<readonly [string, string]>): ApiRequest => ({
    method: "POST",
    path: `${calls}/${encodeURIComponent(id)}.json`,
    ...formBody(fields)
  })
  return {
    /** Creates a call that follows instructions (https://www.twilio.com/docs/voice/api/call-resource#create-a-call). */
    create: (
      { eventsUrl, from, limitSeconds, ringSeconds, to }: CallToCreate,
      { detectsMachines, instructions }: { readonly detectsMachines: boolean; readonly instructions: string }
    ): ApiRequest => ({
      method: "POST",
      path: `${calls}.json`,
      ...formBody([
        ["To", to],
        ["From", from],
        ["Twiml", responseXml(instructions)],
        ["Timeout", String(Math.min(600, ringSeconds))],
        ...(limitSeconds === null ? [] : [["TimeLimit", String(Math.min(86_400, limitSeconds))] as const]),
        ["StatusCallback", eventsUrl("status")],
        ["StatusCallbackMethod", "POST"],
        ...["ringing", "answered", "completed"].map((event) => ["StatusCallbackEvent", event] as const),
        ...(detectsMachines
          ? [
            ["MachineDetection", "Enable"],
            ["AsyncAmd", "true"],
            ["AsyncAmdStatusCallback", eventsUrl("machine")],
            ["AsyncAmdStatusCallbackMethod", "POST"]
          ] as const
          : [])
      ])
    }),
    end: (id: string) => [change(id, [["Status", "completed"]])],
    lookUp: (id: string): ReadonlyArray<ApiRequest> => [
      { method: "GET", path: `${calls}/${encodeURIComponent(id)}.json` }
    ],
    transfer: (id: string, to: PhoneNumber) => change(id, [["Twiml", responseXml(`<Dial>${escapeXml(to)}</Dial>`)]])
  }
}

/** Reads a request of the provider: a status, who answered, or an inbound call. */
export const readTwilio = ({ fields }: Notice): NoticeContent | null => {
  const call_id = fields.get("CallSid") ?? ""
  if (!/^\w{1,64}$/.test(call_id)) return null
  if (fields.get("about") === "machine") {
    return { _tag: "Machine", call_id, isMachine: /^(machine|fax)/.test(fields.get("AnsweredBy") ?? "") }
  }
  const status = fields.get("CallStatus") ?? ""
  if (fields.get("about") !== "status") {
    return fields.get("Direction") === "inbound" && status === "ringing"
      ? { _tag: "Inbound", call_id, from: fields.get("From") ?? "", to: fields.get("To") ?? "" }
      : { _tag: "Other" }
  }
  const reportedCall = twilioState(status, fields.get("SipResponseCode") ?? "")
  if (reportedCall === null) return null
  return {
    _tag: "Status",
    call_id,
    attempt_id: fields.get("attempt"),
    event_id: `${call_id}:${status}`,
    news: newsOf(reportedCall)
  }
}

/** Instructions that reject a call: callers hear a busy tone where there is no capacity. */
export const twilioReject = (reason: string): string =>
  `<Reject reason="${reason === "no_capacity" ? "busy" : "rejected"}"/>`
