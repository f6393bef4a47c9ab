import type { Timeouts, UpstreamOptions } from "@trunkline/http-upstream"
import type { LanguageCode } from "@trunkline/spoken-text"
import type { Duration } from "effect"

/** Where a transcription server is, and how it is asked. */
export interface TranscriberOptions extends Omit<UpstreamOptions, "timeouts"> {
  /** Such as `whisper-1`. Default: none is named, for servers that have but one. */
  readonly model?: string
  /** What comes after the base URL. Default: `/audio/transcriptions`; whisper.cpp's own server has `/inference`. */
  readonly path?: string
  /**
   * What it calls languages; null for one that it does not know, which is then not named. Default: their ISO 639-1 codes,
   * `or` for Odia, which Whisper does not know.
   */
  readonly languageNames?: Partial<Readonly<Record<LanguageCode, string | null>>>
  /** What it is told of a language that nobody knows. Default: nothing, so that it finds out; whisper.cpp wants `auto`. */
  readonly unknownLanguage?: string
  /** Words for it to expect, such as names. Default: none. */
  readonly prompt?: string
  /** What it is asked for. Default: `json`. */
  readonly responseFormat?: "json" | "verbose_json" | "text"
  /** How long it may take to be reached. Default: 5 s. */
  readonly connect?: Timeouts["connect"]
  /** How long one try may take in all. Default: 30 s. */
  readonly total?: Duration.DurationInput
}
