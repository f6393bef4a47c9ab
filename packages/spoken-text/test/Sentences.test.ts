import { LanguageCode, makeClauseCutter, TextNormalizer } from "@trunkline/spoken-text"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import type { Cases } from "./cases/Cases.js"
import { assamese } from "./sentences/Assamese.js"
import { bengali } from "./sentences/Bengali.js"
import { english } from "./sentences/English.js"
import { englishBills } from "./sentences/EnglishBills.js"
import { gujarati } from "./sentences/Gujarati.js"
import { hindi } from "./sentences/Hindi.js"
import { kannada } from "./sentences/Kannada.js"
import { malayalam } from "./sentences/Malayalam.js"
import { marathi } from "./sentences/Marathi.js"
import { odia } from "./sentences/Odia.js"
import { punjabi } from "./sentences/Punjabi.js"
import { tamil } from "./sentences/Tamil.js"
import { telugu } from "./sentences/Telugu.js"

const { normalize } = Effect.runSync(Effect.provide(TextNormalizer, TextNormalizer.layer))

/** Sentences of invoices, appointments, deliveries, collections and banks, with the reading of a careful speaker. */
const sentences: Readonly<Record<LanguageCode, Cases>> = {
  "as-IN": assamese,
  "bn-IN": bengali,
  "en-IN": [...english, ...englishBills],
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

describe.each(LanguageCode.literals)("sentences of calls in %s", (language) => {
  const cases = sentences[language]

  it("are forty or more", () => {
    expect(new Set(cases.map(([written]) => written)).size).toBeGreaterThanOrEqual(40)
  })

  it.each(cases)("reads %s", (written, spoken) => {
    expect(normalize(written, language)).toBe(spoken.normalize("NFC"))
  })

  it.each(cases)("reads %s the same in clauses that arrive letter by letter", (written, spoken) => {
    const { end, push } = makeClauseCutter(language)
    const clauses = [...Array.from(written).flatMap(push), ...end()]
    expect(clauses.map((clause) => normalize(clause, language)).join(" ")).toBe(spoken.normalize("NFC"))
  })
})
