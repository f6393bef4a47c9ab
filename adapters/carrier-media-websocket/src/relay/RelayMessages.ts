import { parseObject, textAt } from "../dialects/StreamFormat.js"

/** A message of a relay from the provider. */
export type RelayMessage =
  | { readonly _tag: "Setup"; readonly call_id: string }
  /** Words of the caller; more of the same sentence follow while it is not the last. */
  | { readonly _tag: "Prompt"; readonly text: string; readonly language: string; readonly isLast: boolean }
  | { readonly _tag: "Key"; readonly digit: string }
  /** The caller has interrupted, after these words were heard. */
  | { readonly _tag: "Interrupt"; readonly heardText: string }
  /** The agent's voice begins, or has ended. */
  | { readonly _tag: "Speaking"; readonly on: boolean }
  | { readonly _tag: "Error"; readonly description: string }
  /** Settings of the session were changed as we have asked. */
  | { readonly _tag: "Changed" }
  | { readonly _tag: "Other" }

/**
 * Reads a message. Source: https://www.twilio.com/docs/voice/conversationrelay/websocket-messages, whose setup, prompt, dtmf,
 * interrupt and error are those of Telnyx's Conversation Relay as well.
 */
export const readRelay = (text: string): RelayMessage => {
  const message = parseObject(text)
  switch (textAt(message, "type")) {
    case "setup":
      return { _tag: "Setup", call_id: textAt(message, "callSid") }
    case "prompt":
      return {
        _tag: "Prompt",
        text: textAt(message, "voicePrompt"),
        language: textAt(message, "lang"),
        isLast: textAt(message, "last") !== "false"
      }
    case "dtmf":
      return { _tag: "Key", digit: textAt(message, "digit") }
    case "interrupt":
      return { _tag: "Interrupt", heardText: textAt(message, "utteranceUntilInterrupt") }
    case "info":
      return textAt(message, "name") === "agentSpeaking"
        ? { _tag: "Speaking", on: textAt(message, "value") === "on" }
        : { _tag: "Other" }
    case "configUpdated":
      return { _tag: "Changed" }
    case "error":
      return { _tag: "Error", description: textAt(message, "description") }
    default:
      return { _tag: "Other" }
  }
}

const eventTypes: ReadonlyArray<string> = ["prompt", "dtmf", "interrupt", "info"]

/** True for a message that a leg hears: one that a provider replays, as well. */
export const isRelayEvent = (text: string): boolean => {
  const message = parseObject(text)
  const type = textAt(message, "type")
  return eventTypes.includes(type) && (type !== "info" || textAt(message, "name") === "agentSpeaking")
}

/** True for an event that is told from another one of the same content: a report of the voice has its moment for that. */
export const isComparable = (event: string): boolean => {
  const message = parseObject(event)
  return textAt(message, "type") !== "info" || textAt(message, "ts") !== ""
}

/** Language of the voice and of the ear from now on. */
export const languageChange = (code: string): string =>
  JSON.stringify({ type: "language", ttsLanguage: code, transcriptionLanguage: code })

/** The end of the session; the data is passed on to the account's own instructions. */
export const endSession = (reason: string): string =>
  JSON.stringify({ type: "end", handoffData: JSON.stringify({ reasonCode: reason }) })

/** Keys to send to the caller. Source: https://www.twilio.com/docs/voice/conversationrelay/websocket-messages */
export const sendDigits = (digits: string): string => JSON.stringify({ type: "sendDigits", digits })
