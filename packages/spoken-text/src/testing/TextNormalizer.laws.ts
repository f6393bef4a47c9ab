import { assert, layer } from "@effect/vitest"
import { Effect, FastCheck, type Layer } from "effect"
import { LanguageCode } from "../LanguageCode.js"
import { TextNormalizer } from "../TextNormalizer.js"

const language = FastCheck.constantFrom(...LanguageCode.literals)

/** Pieces of written forms, whole and broken, that make others when they stand together. */
const writtenText = FastCheck.array(
  FastCheck.constantFrom(
    ..."0 1 5 12 00 1998 2026 9876543210 1,00,000 , . .. / - – : ; + % ₹ $ Rs. INR USD # & @ ½ ° °C am p.m. Aug May"
      .split(" "),
    ..."st th kg km/h sq_ft lakh cr k L m OTP PIN order No. Dr. etc com www. http:// x.com a T ( ) ' ! ? = _ /-".split(
      " "
    ),
    ..."१ ২ ੩ ૪ ୫ ௬ ౭ ೮ ൯ क वां লা ম ನೇ ാം வது é 😀 रु. రూ ।".split(" "),
    ..."Rs Rs. Re. Mon. Fri Sat, to @ *4521 x4521 6E AI flight 45-82-91 09/28 11.45 पर जन. ড০ मो. ता. டாக்டர். रु॰ min. Exp."
      .split(" "),
    ..."9.30 18.30 8450.50 XX12 ** to बजे வ மணி hrs code is ending rupees रुपये Ltd. M/s. Govt. প্রা. लि. ఓటీపీ 4521 AB KA"
      .split(" "),
    ..."৳ (022) 2345 6789 Sec. 80C 0930 hours 5.12.26 SAVE50 க்கு ಕ್ಕೆ ರಂದು ಬೆ. ले. कर्नल Ph.D. tabs. no ref ஐ -91 रुपये টায় রা."
      .split(" "),
    " ",
    " ",
    "  ",
    "\n",
    "\u200d",
    "\u0301"
  ),
  { maxLength: 12 }
).map((parts) => parts.join(""))

const text = FastCheck.oneof(writtenText, FastCheck.fullUnicodeString({ maxLength: 40 }))

/** Figures of the scripts that are used in India, and Latin ones. */
const figures = /[0-9०-९০-৯੦-੯૦-૯୦-୯௦-௯౦-౯೦-೯൦-൯]/

/** Words that are no part of any written form, in several scripts. */
const word = FastCheck.constantFrom("zebra", "कमल", "बाघ", "পাহাড়", "ആന", "யானை", "ఏనుగు", "ಹುಲಿ", "ਹਾਥੀ", "વાઘ", "ପକ୍ଷୀ")

const number = FastCheck.constantFrom(
  "12",
  "3.5",
  "₹20",
  "10-15",
  "1/2",
  "15/08/2026",
  "14:30",
  "५%",
  "5 kg",
  "9876543210"
)

/** The laws of `TextNormalizer`: they hold for every text in every language. */
export const textNormalizerLaws = <E>(name: string, live: Layer.Layer<TextNormalizer, E>) =>
  layer(live)(`TextNormalizer laws: ${name}`, (it) => {
    it.effect("leaves no digits, and is idempotent", () =>
      Effect.map(TextNormalizer, ({ normalize }) =>
        FastCheck.assert(
          FastCheck.property(text, language, (text, language) => {
            const speech = normalize(text, language)
            assert.notMatch(speech, figures)
            assert.strictEqual(normalize(speech, language), speech)
          }),
          { numRuns: 1_000 }
        )))

    it.effect("keeps words and their order, with anything between them", () =>
      Effect.map(TextNormalizer, ({ normalize }) =>
        FastCheck.assert(
          FastCheck.property(FastCheck.array(FastCheck.tuple(word, number)), language, (pairs, language) => {
            const words = normalize(pairs.flat().join(" "), language).split(" ")
            assert.deepStrictEqual(
              words.filter((part) => pairs.some(([word]) => word === part)),
              pairs.map(([word]) => word)
            )
          })
        )))

    it.effect("changes nothing in a text of words and punctuation", () =>
      Effect.map(TextNormalizer, ({ normalize }) =>
        FastCheck.assert(
          FastCheck.property(
            FastCheck.array(
              FastCheck.tuple(word, FastCheck.constantFrom(" ", ", ", ". ", "? ", "। ", " — ", "\n", "-"))
            ),
            language,
            (pairs, language) => {
              const text = pairs.flat().join("")
              assert.strictEqual(normalize(text, language), text)
            }
          )
        )))

    it.effect("writes at most 40 characters for each character", () =>
      Effect.map(TextNormalizer, ({ normalize }) =>
        FastCheck.assert(
          FastCheck.property(text, language, (text, language) => {
            assert.isAtMost(normalize(text, language).length, 40 * text.length)
          })
        )))
  })
