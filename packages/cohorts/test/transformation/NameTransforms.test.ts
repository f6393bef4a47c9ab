import { assert, describe, it } from "@effect/vitest"
import { apply, table } from "./TransformFixtures.js"

describe("transforms of names of states and languages", () => {
  it("state_language_map knows every state and union territory", () => {
    const languages: Record<string, ReadonlyArray<string>> = {
      Assamese: ["Assam"],
      Bengali: ["Tripura", "West Bengal"],
      English: ["Arunachal Pradesh", "Meghalaya", "Nagaland"],
      Gujarati: ["Gujarat", "Dadra and Nagar Haveli and Daman and Diu"],
      Hindi: ["Bihar", "Chhattisgarh", "Haryana", "Himachal Pradesh", "Jharkhand", "Madhya Pradesh", "Rajasthan"],
      Hindi_: ["Uttar Pradesh", "Uttarakhand", "Andaman and Nicobar Islands", "Chandigarh", "Delhi", "Ladakh"],
      Kannada: ["Karnataka"],
      Konkani: ["Goa"],
      Malayalam: ["Kerala", "Lakshadweep"],
      Manipuri: ["Manipur"],
      Marathi: ["Maharashtra"],
      Mizo: ["Mizoram"],
      Nepali: ["Sikkim"],
      Odia: ["Odisha"],
      Punjabi: ["Punjab"],
      Tamil: ["Tamil Nadu", "Puducherry"],
      Telugu: ["Andhra Pradesh", "Telangana"],
      Urdu: ["Jammu and Kashmir"]
    }
    assert.lengthOf(Object.values(languages).flat(), 36)
    for (const [language, states] of Object.entries(languages)) {
      for (const state of states) {
        assert.strictEqual(apply({ type: "state_language_map" }, state), language.replace("_", ""), state)
      }
    }
  })

  table("takes former names, and any case and spacing", { type: "state_language_map" }, [
    ["  tamil   NADU ", "Tamil"],
    ["Jammu & Kashmir", "Urdu"],
    ["Orissa", "Odia"],
    ["TamilNadu", "Tamil"],
    ["TAMIL-NADU", "Tamil"],
    ["J&K", "Urdu"],
    ["M.P.", "Hindi"],
    ["Andaman & Nicobar", "Hindi"],
    ["Chattisgarh", "Hindi"],
    ["Delhi NCR", "Hindi"],
    ["Telengana", "Telugu"],
    ["IN-MH", "Marathi"],
    ["in-ka", "Kannada"],
    ["and", null],
    ["IN", null],
    ["महाराष्ट्र", null],
    ["Texas", null],
    ["", null]
  ])

  it("state_language_map knows current and former codes of every state and union territory", () => {
    const codes: Record<string, string> = {
      Assamese: "AS",
      Bengali: "TR WB",
      English: "AR ML NL",
      Gujarati: "GJ DH DN DD",
      Hindi: "AN BR CG CH CT DL HP HR JH LA MP RJ UA UK UP UT",
      Kannada: "KA",
      Konkani: "GA",
      Malayalam: "KL LD",
      Manipuri: "MN",
      Marathi: "MH",
      Mizo: "MZ",
      Nepali: "SK",
      Odia: "OD OR",
      Punjabi: "PB",
      Tamil: "PY TN",
      Telugu: "AP TG TS",
      Urdu: "JK"
    }
    for (const [language, ofLanguage] of Object.entries(codes)) {
      for (const code of ofLanguage.split(" ")) {
        assert.strictEqual(apply({ type: "state_language_map" }, code), language, code)
        assert.strictEqual(apply({ type: "state_language_map" }, `IN-${code.toLowerCase()}`), language, code)
      }
    }
  })

  it("format_language_name knows every language by its codes, and keeps its name", () => {
    const codes: Record<string, string> = {
      Assamese: "as asm",
      Bengali: "bn ben",
      Bodo: "brx",
      Dogri: "doi",
      English: "en eng",
      Gujarati: "gu guj",
      Hindi: "hi hin",
      Kannada: "kn kan",
      Kashmiri: "ks kas",
      Konkani: "kok gom",
      Maithili: "mai",
      Malayalam: "ml mal",
      Manipuri: "mni",
      Marathi: "mr mar",
      Mizo: "lus",
      Nepali: "ne nep",
      Odia: "or od ori ory",
      Punjabi: "pa pan",
      Sanskrit: "sa san",
      Santali: "sat",
      Sindhi: "sd snd",
      Tamil: "ta tam",
      Telugu: "te tel",
      Urdu: "ur urd"
    }
    for (const [language, ofLanguage] of Object.entries(codes)) {
      for (const word of [...ofLanguage.split(" "), language, language.toUpperCase()]) {
        assert.strictEqual(apply({ type: "format_language_name" }, word), language, word)
        assert.strictEqual(apply({ type: "format_language_name" }, ` ${word.toLowerCase()} `), language, word)
      }
      for (const code of ofLanguage.split(" ")) {
        assert.strictEqual(apply({ type: "format_language_name" }, `${code}-IN`), language, code)
      }
    }
  })

  table("takes codes, tags and names in any case", { type: "format_language_name" }, [
    ["hi", "Hindi"],
    ["HI", "Hindi"],
    ["hi-IN", "Hindi"],
    ["od-IN", "Odia"],
    ["or_IN", "Odia"],
    ["tamil", "Tamil"],
    ["ENGLISH", "English"],
    ["kok", "Konkani"],
    ["en-Latn-IN", "English"],
    ["हिंदी", "Hindi"],
    ["हिन्दी", "Hindi"],
    ["ଓଡ଼ିଆ", "Odia"],
    ["ଓଡ\u0b3cିଆ", "Odia"],
    ["தமிழ்", "Tamil"],
    ["hi-", null],
    ["hi--IN", null],
    ["Klingon", null],
    ["-IN", null],
    ["", null]
  ])
})
