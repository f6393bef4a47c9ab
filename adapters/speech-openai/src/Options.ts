import type { UpstreamOptions } from "@trunkline/http-upstream"
import type { LanguageCode } from "@trunkline/spoken-text"
import type { SoundFormat, SpeechDialect } from "./dialects/SpeechDialect.js"

/** Where a speech server is, how it is spoken to, and what it can do. */
export interface SynthesizerOptions extends UpstreamOptions {
  /** How it is asked. */
  readonly dialect: SpeechDialect
  /** The model, for dialects that name one. Default: none is named. */
  readonly model?: string
  /** The fixed voice, or one for each language, for servers and moments without cloning. Default: none is named. */
  readonly voice?: string | Partial<Readonly<Record<LanguageCode, string>>>
  /** The languages that it speaks. Default: those of the dialect. Others are refused with `BadRequest`. */
  readonly languages?: SpeechDialect["languages"]
  /** What it calls languages. Default: the dialect's names, and ISO 639-1 codes for the rest, `or` for Odia among them. */
  readonly languageNames?: Partial<Readonly<Record<LanguageCode, string>>>
  /** The samples per second of what it sends bare; WAV says so itself, and is brought to this rate. Default: 24,000. */
  readonly nativeRate?: number
  /** What it is asked for. Default: `pcm`. */
  readonly responseFormat?: SoundFormat
  /** Whether it changes the pace by itself. Default: as the dialect says. */
  readonly pace?: boolean
}
