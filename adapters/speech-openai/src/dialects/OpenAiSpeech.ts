import { LanguageCode } from "@trunkline/spoken-text"
import { Effect } from "effect"
import type { DialectOptions, Saying, SpeechDialect } from "./SpeechDialect.js"

/** The fields of OpenAI's request. A pace of 1 is left out, since servers without a control of it may refuse the field. */
export const speechFields = ({ format, model, pace, text, voice }: Saying): Readonly<Record<string, unknown>> => ({
  ...(model !== null && { model }),
  input: text,
  ...(voice !== null && { voice }),
  response_format: format,
  ...(pace !== 1 && { speed: pace })
})

/** OpenAI's own: `POST /audio/speech`, a fixed voice, and no cloning. It counts as speaking every language. */
export const openAi = (
  { extra = {}, languages = LanguageCode.literals, path = "/audio/speech" }: DialectOptions = {}
): SpeechDialect => ({
  name: "openai",
  cloning: "none",
  languages,
  controls: ["pace"],
  request: (saying) => Effect.succeed({ path, body: { ...extra, ...speechFields(saying) } })
})
