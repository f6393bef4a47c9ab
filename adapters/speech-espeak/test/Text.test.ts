import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { closingPause, hasWords, speakableText } from "../src/SpeakableText.js"

const english = (text: string) => speakableText(text, "en-IN")

describe("speakableText", () => {
  it("keeps words and punctuation", () => {
    for (const text of ["नमस्ते, आप कैसे हैं?", "Fish & chips: 5 % off!", "க்\u200Cஷ क्\u200Dष", "O'Neil's (new) e-mail"]) {
      assert.strictEqual(speakableText(text, "hi-IN"), text)
    }
  })

  it("removes phonemes, markup and controls, however they are hidden", () => {
    assert.strictEqual(english("say [[h@'loU]] there"), "say h@'loU there")
    assert.strictEqual(english("[\u0000[h@'loU]\u200B]"), "h@'loU")
    assert.strictEqual(english("a<break time=\"10s\"/>b <voice name='de'>c</voice><mark name = \"x\" >"), "a b c")
    assert.strictEqual(english("<\u0001speak>hi<</speak>/speak>"), "hi /speak")
    assert.strictEqual(english("\u0001450Sfast\u0007\u001B[31m"), "450Sfast 31m")
  })

  it("keeps the words of text that only looks like markup", () => {
    assert.strictEqual(english("if a < b and c > d"), "if a b and c d")
    assert.strictEqual(english("<no end"), "no end")
  })

  it("gives one line without emoji", () => {
    assert.strictEqual(english("  Thanks\r\n\r\n👍🏽 a\tlot 👨‍👩‍👧 1️⃣ 🇮🇳! "), "Thanks a lot 1 !")
  })

  it("has something to say when it contains a letter or a digit", () => {
    for (const text of ["a", "अ", "7", "৭", "!? x"]) assert.isTrue(hasWords(english(text)), text)
    for (const text of ["", "...", "👍", "₹ %", "\uD83D", "ा", "\u0000"]) assert.isFalse(hasWords(english(text)), text)
  })

  it("transliterates Odia and Telugu, except in the voice of their language", () => {
    assert.strictEqual(speakableText("ନମସ୍କାର నమస్కారం", "hi-IN"), "नमस्कार ನಮಸ್ಕಾರಂ")
    assert.strictEqual(speakableText("ନମସ୍କାର నమస్కారం", "od-IN"), "ନମସ୍କାର ನಮಸ್ಕಾರಂ")
    assert.strictEqual(speakableText("ନମସ୍କାର నమస్కారం", "te-IN"), "नमस्कार నమస్కారం")
  })

  it.prop(
    "gives nothing that espeak interprets, for any input",
    [
      FastCheck.string({ unit: "binary", maxLength: 60 }),
      FastCheck.array(FastCheck.constantFrom("[", "<", "a", "/", ">", "\0"))
    ],
    ([text, orders]) => {
      for (const input of [text, orders.join(""), `${orders.join("")}${text}`]) {
        assert.notMatch(english(input), /[<>[\]]|(?![\u200C\u200D])\p{C}/u)
      }
    }
  )
})

describe("letters that a voice does not read", () => {
  it("are replaced by ones that sound alike, in both forms of Unicode", () => {
    for (const form of ["NFC", "NFD"]) {
      assert.strictEqual(speakableText("ছয়".normalize(form), "as-IN"), "ছ\u09DF")
      assert.strictEqual(speakableText("গাড়ী".normalize(form), "as-IN"), "গাৰী")
      assert.strictEqual(speakableText("গাড়ি".normalize(form), "bn-IN"), "গা\u09DCি")
    }
    assert.strictEqual(speakableText("ସ୍ୱାଗତ", "od-IN"), "ସ୍ବାଗତ")
    assert.strictEqual(speakableText("নমস্কার", "bn-IN"), "নমস্কার")
  })
})

describe("the pause after a text", () => {
  it("is that of a sentence, of a clause, or none between words", () => {
    for (const text of ["Hello.", "नमस्ते।", "How?", "Well…", "“Yes!”", "(no.) "]) {
      assert.strictEqual(closingPause(text, 175), 0.28, text)
    }
    for (const text of ["Hello,", "first;", "so:", "and –"]) assert.strictEqual(closingPause(text, 175), 0.14, text)
    for (const text of ["Hello", "", "3.5"]) assert.strictEqual(closingPause(text, 175), 0, text)
  })

  it("is shorter for faster speech", () => {
    assert.isBelow(closingPause("Hello.", 260), closingPause("Hello.", 110))
  })
})
