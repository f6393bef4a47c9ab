import { parseObject, textAt } from "../dialects/StreamFormat.js"

/** A message of a relay from the provider. */
export type RelayMessage =
  | { readonly _tag: "Setup"; readonly call_id: string }
  /** Words of the caller; more of the same sentence follow while it is not the last. */
  | { readonly _tag: "Prompt"; readonly text: string; readonly language: string; readonly isLast: boolean }
  | { readonly _tag: "Key"; readonly digit: string }
  /** The caller has interrupted, after these words were heard. */
  | { readonly _tag: "Interrupt"; readonly heard: string }
  /** The agent's voice begins, or has ended. */
  | { readonly _tag: "Speaking"; readonly on: boolean }
  | { readonly _tag: "Error"; readonly description: string }
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
      return { _tag: "Interrupt", heard: textAt(message, "utteranceUntilInterrupt") }
    case "info":
      return textAt(message, "name") === "agentSpeaking"
        ? { _tag: "Speaking", on: textAt(message, "value") === "on" }
        : { _tag: "Other" }
    case "error":
      return { _tag: "Error", description: textAt(message, "description") }
    default:
      return { _tag: "Other" }
  }
}

/** Words to speak; the last token of an utterance ends it. */
export const textToken = (
  token: string,
  { interruptible, lang, last }: {
    readonly last: boolean
    readonly lang: string | null
    readonly interruptible: boolean
  }
): string => JSON.stringify({ type: "text", token, last, ...(lang !== null && { lang }), interruptible })

/** Language of the voice and of the ear from now on. */
export const languageChange = (code: string): string =>
  JSON.stringify({ type: "language", ttsLanguage: code, transcriptionLanguage: code })

/** The end of the session; the data is passed on to the account's own instructions. */
export const endSession = (reason: string): string =>
  JSON.stringify({ type: "end", handoffData: JSON.stringify({ reasonCode: reason }) })
