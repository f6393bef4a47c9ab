import { LanguageCode, TextNormalizer } from "@trunkline/spoken-text"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { assamese } from "./cases/Assamese.js"
import { bengali } from "./cases/Bengali.js"
import type { Cases } from "./cases/Cases.js"
import { english } from "./cases/English.js"
import { gujarati } from "./cases/Gujarati.js"
import { hindi } from "./cases/Hindi.js"
import { kannada } from "./cases/Kannada.js"
import { malayalam } from "./cases/Malayalam.js"
import { marathi } from "./cases/Marathi.js"
import { odia } from "./cases/Odia.js"
import { punjabi } from "./cases/Punjabi.js"
import { tamil } from "./cases/Tamil.js"
import { telugu } from "./cases/Telugu.js"

const { normalize } = Effect.runSync(Effect.provide(TextNormalizer, TextNormalizer.layer))

const cases: Readonly<Record<LanguageCode, Cases>> = {
  "as-IN": assamese,
  "bn-IN": bengali,
  "en-IN": english,
  "gu-IN": gujarati,
  "hi-IN": hindi,
  "kn-IN": kannada,
  "ml-IN": malayalam,
  "mr-IN": marathi,
  "od-IN": odia,
  "pa-IN": punjabi,
  "ta-IN": tamil,
  "te-IN": telugu
}

describe.each(LanguageCode.literals.map((language) => ({ language })))("TextNormalizer, $language", ({ language }) => {
  it.each(cases[language].map(([written, spoken]) => ({ written, spoken })))(
    "writes $written as $spoken",
    ({ spoken, written }) => {
      expect(normalize(written, language)).toBe(spoken.normalize("NFC"))
    }
  )
})
