import type { LanguageCode } from "@trunkline/spoken-text"

/** What of a text can be told by ear: its letters, marks and digits, without case. */
export const comparable = (text: string, _language: LanguageCode): string =>
  text.normalize("NFC").toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]/gu, "")
