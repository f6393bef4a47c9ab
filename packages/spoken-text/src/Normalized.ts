import type { LanguageCode } from "./LanguageCode.js"

/** The text as it is spoken. */
export const normalized = (text: string, _language: LanguageCode): string => text
