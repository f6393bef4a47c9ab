import { assert, describe, it } from "@effect/vitest"
import { endOfTurnByWords, fixedEndOfTurn } from "@trunkline/turn-taking"
import { isBackchannel } from "../src/Backchannel.js"

const silenceAfter = (words: string | null) => endOfTurnByWords({ words, spokenMillis: 1_000, completion: null }).millis

describe("the end of a turn by its words", () => {
  it("comes soon after a finished sentence", () => {
    for (const words of ["I need a table.", "Yes", "What is my balance?", "मुझे मेज़ चाहिए।", "हाँ", "Stop!"]) {
      assert.strictEqual(silenceAfter(words), 400, words)
    }
  })

  it("waits for more after a comma or a word that goes on", () => {
    for (
      const words of [
        "I need a table and",
        "I need a table, ",
        "My name is",
        "It's",
        "UM...",
        "to the…",
        "मुझे मेज़ चाहिए और",
        "मेरा नाम मेरी",
        "আমি জানি কিন্তু",
        "મને ખબર છે અને",
        "ನನಗೆ ಬೇಕು ಆದರೆ",
        "എനിക്ക് വേണം പക്ഷേ",
        "मला हवे आहे पण",
        "ମୁଁ ଜାଣେ କିନ୍ତୁ",
        "ਮੈਨੂੰ ਪਤਾ ਹੈ ਪਰ",
        "எனக்கு வேண்டும் ஆனால்",
        "నాకు కావాలి కానీ",
        "মই জানো কিন্তু",
        "दिल्ली में।"
      ]
    ) {
      assert.strictEqual(silenceAfter(words), 1_200, words)
    }
  })

  it("waits between the groups of a number", () => {
    for (const words of ["My number is 98765", "98 765.", "at 7pm", "मेरा नंबर ९८७६५"]) {
      assert.strictEqual(silenceAfter(words), 900, words)
    }
  })

  it("waits while the words are not known or there are none", () => {
    for (const words of [null, "", "  "]) assert.strictEqual(silenceAfter(words), 1_200)
  })

  it("is always the same with a fixed silence", () => {
    assert.strictEqual(fixedEndOfTurn()({ words: "and", spokenMillis: 0, completion: null }), 500)
    assert.strictEqual(fixedEndOfTurn(700)({ words: null, spokenMillis: 9_000, completion: null }), 700)
  })
})

describe("a backchannel", () => {
  it("is up to three words that show that somebody listens, in any case and with any marks", () => {
    for (const words of ["okay", "Mm-hmm.", "Yes, yes, right!", "I see", "हाँ जी", "ठीक है", "अच्छा।", "", " ... "]) {
      assert.isTrue(isBackchannel(words), words)
    }
  })

  it("is nothing that says more", () => {
    for (const words of ["yes please", "no", "okay stop", "yes yes yes yes", "ठीक नहीं है", "7"]) {
      assert.isFalse(isBackchannel(words), words)
    }
  })

  it("is known in twelve languages, in their script and as transcribers write it among English words", () => {
    const listeners = {
      Assamese: ["হয়", "ঠিক আছে"],
      Bengali: ["হ্যাঁ", "আচ্ছা ঠিক আছে", "hyan"],
      English: ["mm-hmm", "yeah okay"],
      Gujarati: ["હા", "બરાબર", "saru"],
      Hindi: ["हाँ", "haan", "accha theek hai", "जी हाँ"],
      Kannada: ["ಹೌದು", "ಸರಿ", "haudu"],
      Malayalam: ["അതെ", "ശരി ശരി"],
      Marathi: ["हो", "बरं", "ठीक आहे"],
      Odia: ["ହଁ", "ଠିକ୍ ଅଛି"],
      Punjabi: ["ਹਾਂਜੀ", "ਅੱਛਾ ਜੀ"],
      Tamil: ["ஆமா", "சரி", "ம்ம்"],
      Telugu: ["అవును", "సరే", "avunu"]
    }
    for (const [language, texts] of Object.entries(listeners)) {
      for (const text of texts) assert.isTrue(isBackchannel(text), `${language}: ${text}`)
    }
    const speakers = [
      "नहीं",
      "রাখুন",
      "நிறுத்து",
      "వద్దు",
      "ಬೇಡ",
      "വേണ്ട",
      "थांबा",
      "ਨਹੀਂ",
      "ના",
      "ନା",
      "নালাগে",
      "haan lekin suno"
    ]
    for (const text of speakers) assert.isFalse(isBackchannel(text), text)
  })
})
