import type { LanguageCode } from "./LanguageCode.js"
import { normalized } from "./Normalized.js"

/** Joiners that change how letters look, and apostrophes inside words. */
const unheard = /[\p{Cf}'’]/gu

const unspoken = /[^\p{L}\p{M}\p{N}]+/gu

/**
 * A text as it is compared with a transcript of its sound: as it is spoken, in Unicode's form NFC, in lower case, with
 * single spaces in place of all punctuation. Two texts that sound alike are mostly equal, so that a rate of wrong
 * characters between them counts what was said wrong.
 */
export const comparable = (text: string, language: LanguageCode): string =>
  normalized(text, language).normalize("NFC").toLowerCase().replace(unheard, "").replace(unspoken, " ").trim()
