import { type LanguageCode, makeClauseCutter, splitClauses } from "@trunkline/spoken-text"
import { FastCheck } from "effect"
import { describe, expect, it } from "vitest"

const inEnglish = (text: string) => splitClauses(text, "en-IN")

describe("clausesOf, sentences", () => {
  it("splits at the punctuation of every script, and at new lines", () => {
    expect(inEnglish("Hello! How are you? I am well. Good… So\nit is")).toEqual([
      "Hello!",
      "How are you?",
      "I am well.",
      "Good…",
      "So",
      "it is"
    ])
    expect(splitClauses("नमस्ते। आप कैसे हैं? ठीक॥ धन्यवाद।", "hi-IN")).toEqual(["नमस्ते।", "आप कैसे हैं?", "ठीक॥", "धन्यवाद।"])
    expect(splitClauses("வணக்கம். நலமா? ஆம்.", "ta-IN")).toEqual(["வணக்கம்.", "நலமா?", "ஆம்."])
  })

  it("keeps consecutive and closing punctuation together", () => {
    expect(inEnglish("Really?! \"Yes.\" (No!) Good")).toEqual(["Really?!", "\"Yes.\"", "(No!)", "Good"])
  })

  it("does not split at the full stops of titles, initials, numbers and lists", () => {
    for (
      const text of [
        "Dr. Rao, Mr. Das and Prof. Sen came.",
        "Pay Rs. 500 for No. 5.",
        "J. R. D. Tata and A. P. J. Kalam met.",
        "It is 3.5 or .5 of it.",
        "1. Open the door",
        "We meet at 5 p.m. today, e.g. here.",
        "rice, oil etc. are here"
      ]
    ) {
      expect(inEnglish(text)).toEqual([text])
    }
    expect(splitClauses("डॉ. शर्मा रु. 500 लाए।", "hi-IN")).toEqual(["डॉ. शर्मा रु. 500 लाए।"])
  })

  it.each<[LanguageCode, string]>([
    ["en-IN", "The invoice of M/s. Sharma Traders Pvt. Ltd. Mumbai is due."],
    ["en-IN", "The Govt. Hospital called Mohd. Irfan on Tel. 2345."],
    ["en-IN", "Come on Jan. 5 or Feb. 7, Sat. 5 pm, to No. 4 M.G. Rd. Pune."],
    ["en-IN", "Your Policy No. LIC1234 of A/c. No. XX12 lapses, opp. Big Bazaar, nr. SBI."],
    ["en-IN", "Apollo Hosp. Pune, Southern Rly. Trichy and the Dept. of Rev. Delhi are shut."],
    ["en-IN", "He lives on 3rd Flr. Tower B, Tal. Haveli, Dist. Pune, with Asst. Commr. Das."],
    ["en-IN", "Attn. Mr. Rao of Messrs. Das and Sons: Lic. No. 45 and Exp. Certificate are due."],
    ["en-IN", "Pay 5 Nos. @ 40, Rs. Five hundred and the Min. Balance or min. Amount."],
    ["en-IN", "Come on Sat. Aug. 8 to Sec. 21, Ind. Est. Nashik, for 5 yrs. of service."],
    ["hi-IN", "भोपाल, म. प्र. में रजि. कार्यालय का दूर. नंबर जन. 5 से चालू है।"],
    ["mr-IN", "ता. हवेली, जि. पुणे येथे कु. सीमा 5 जाने. रोजी येतील."],
    ["ta-IN", "டாக்டர். குமார் 5 ஜன. அன்று வருவார்."],
    ["kn-IN", "ಖಾತೆ ಸಂ. ನಿಮ್ಮದು ಜನ. 5 ರಂದು ಬದಲಾಗಿದೆ."],
    ["hi-IN", "मे. गुप्ता ट्रेडर्स प्रा. लि. की ओर से प्रो. वर्मा 5 कि.मी. चले।"],
    ["mr-IN", "मे. जोशी प्रा. लि. तर्फे प्रा. देशमुख यांनी क्र. चार दिला."],
    ["gu-IN", "શ્રી. પટેલ પ્રા. લિ. તરફથી પ્રો. શાહ આવ્યા."],
    ["ta-IN", "திரு. குமார் பி. லிட். சார்பில் பேரா. ராஜன் வந்தார்."],
    ["te-IN", "శ్రీ. రావు ప్రై. లి. తరఫున ప్రొ. శర్మ వచ్చారు."],
    ["kn-IN", "ಶ್ರೀ. ರಾವ್ ಪ್ರೈ. ಲಿ. ಪರವಾಗಿ ಪ್ರೊ. ಶರ್ಮಾ ಬಂದರು."],
    ["ml-IN", "ശ്രീ. നായർ പ്രൈ. ലി. വേണ്ടി പ്രൊഫ. രാജൻ വന്നു."],
    ["bn-IN", "মেসার্স রায় প্রা. লি. থেকে অধ্যা. সেন এবং মো. আলী এলেন।"],
    ["pa-IN", "ਸ. ਸਿੰਘ ਪ੍ਰਾ. ਲਿ. ਵੱਲੋਂ ਪ੍ਰੋ. ਕੌਰ ਆਏ।"],
    ["od-IN", "ଶ୍ରୀ. ଦାସ ପ୍ରା. ଲି. ତରଫରୁ ପ୍ରୋ. ମିଶ୍ର ଆସିଲେ।"],
    ["as-IN", "শ্ৰী. দাস প্ৰা. লি. ৰ পৰা অধ্যা. শৰ্মা আহিল।"]
  ])("does not split at Indian abbreviations in %s: %s", (language, text) => {
    const { end, push } = makeClauseCutter(language)
    const clauses = ["OK!", text]
    expect(splitClauses(clauses.join(" "), language)).toEqual(clauses)
    expect([...Array.from(clauses.join(" ")).flatMap(push), ...end()]).toEqual(clauses)
  })

  it("splits after a firm, a street and short verbs when a sentence begins", () => {
    expect(inEnglish("This is Acme Pvt. Ltd. How can I help? We are on M.G. Rd. The shop is open. Yes or No. Tell me."))
      .toEqual([
        "This is Acme Pvt. Ltd.",
        "How can I help?",
        "We are on M.G. Rd.",
        "The shop is open.",
        "Yes or No.",
        "Tell me."
      ])
    expect(splitClauses("ऑर्डर तैयार है. कृपया आएं. भुगतान कर दें. धन्यवाद.", "hi-IN")).toHaveLength(4)
    expect(splitClauses("તમારો ઓર્ડર તૈયાર છે. કૃપા કરીને આવો.", "gu-IN")).toHaveLength(2)
    expect(splitClauses("ਆਰਡਰ ਤਿਆਰ ਹੈ. ਕਿਰਪਾ ਕਰਕੇ ਆਓ.", "pa-IN")).toHaveLength(2)
  })

  it("splits after abbreviations of places, offices and amounts when a sentence begins", () => {
    expect(inEnglish("It takes 5 min. Please wait. He is at City Hosp. The doctor is in. Pay the min. Thank you."))
      .toEqual([
        "It takes 5 min.",
        "Please wait.",
        "He is at City Hosp.",
        "The doctor is in.",
        "Pay the min.",
        "Thank you."
      ])
    expect(inEnglish("Ask the Secy. He knows. We take Rs. The rest is free. Come on Mon. Please bring it."))
      .toHaveLength(6)
    expect(splitClauses("அவர் ஒரு டாக்டர். நாளை வருவார்.", "ta-IN")).toHaveLength(2)
  })

  it("splits after an abbreviation at the end of a sentence", () => {
    expect(inEnglish("We meet at 5 p.m. Then we eat rice, oil etc. It is good.")).toEqual([
      "We meet at 5 p.m.",
      "Then we eat rice, oil etc.",
      "It is good."
    ])
  })

  it("does not split web and email addresses", () => {
    expect(inEnglish("See https://a.in/b?c=1!d. Mail a.b@c.co.in. Bye")).toEqual([
      "See https://a.in/b?c=1!d.",
      "Mail a.b@c.co.in.",
      "Bye"
    ])
  })

  it("does not split at an ellipsis inside a sentence", () => {
    expect(inEnglish("Well... maybe… or not. Fine")).toEqual(["Well... maybe… or not.", "Fine"])
  })

  it("keeps punctuation with its sentence", () => {
    expect(inEnglish("... Hello. !!! 😀")).toEqual(["... Hello. !!! 😀"])
  })

  it.each(["", "   ", "...", "!?", "😀👍🏽", "— … ।", "\n\n"])("finds no clause in %j", (text) => {
    expect(inEnglish(text)).toEqual([])
  })
})

describe("clausesOf, long sentences", () => {
  it("makes the first clause short: at punctuation, before a conjunction, or at a space", () => {
    expect(inEnglish("Your order has been shipped today, and you will have it on Friday at the latest.")[0])
      .toBe("Your order has been shipped today,")
    expect(inEnglish("Your order has been shipped today and you will have it on Friday at the latest.")[0])
      .toBe("Your order has been shipped today")
    expect(splitClauses("आपका ऑर्डर आज सुबह गोदाम से निकल गया है और शुक्रवार शाम तक आपके घर पहुंच जाएगा।", "hi-IN")[0])
      .toBe("आपका ऑर्डर आज सुबह गोदाम से निकल गया है")
    expect(inEnglish("Your order number four eight two nine has been shipped from our warehouse.")[0])
      .toBe("Your order number four eight two nine has been shipped from")
  })

  it("splits later sentences of more than 120 characters at punctuation only", () => {
    const clause = "the parcel that you sent us in the second week of the month is now on its way to you"
    expect(inEnglish(`Good. ${clause}: ${clause}; ${clause}.`)).toEqual([
      "Good.",
      `${clause}:`,
      `${clause};`,
      `${clause}.`
    ])
    const whole =
      "the parcel that you sent us in the second week of the month is now on its way to you with a letter from our office in Pune."
    expect(inEnglish(`Good. ${whole}`)).toEqual(["Good.", whole])
  })

  it("splits more than 200 characters without punctuation before a conjunction", () => {
    const part = "the parcel that you sent us in the second week of the month is on its way"
    expect(inEnglish(`Good. ${part} with ${part} but ${part}.`)).toEqual([
      "Good.",
      `${part} with ${part}`,
      `but ${part}.`
    ])
  })

  it("splits words that are too long between characters, never inside one", () => {
    expect(inEnglish("a".repeat(1_000)).map(({ length }) => length)).toEqual([200, 200, 200, 200, 200])
    const family = "👨‍👩‍👧‍👦"
    const pieces = splitClauses(`क${family.repeat(100)}ख${family}`, "hi-IN")
    expect(pieces.every((piece) => piece.length <= 200)).toBe(true)
    expect(pieces.some((piece) => /^[\p{M}\u200d]/u.test(piece))).toBe(false)
    expect(splitClauses("നി".repeat(500), "ml-IN").map(({ length }) => length)).toEqual([200, 200, 200, 200, 200])
  })

  it("does not split numbers and times", () => {
    const text = "The price is 12,50,000 rupees at 14:30 in the year 2025–26 for all of you who have come here today"
    expect(inEnglish(text)).toEqual([
      "The price is 12,50,000 rupees at 14:30 in the year 2025–26",
      "for all of you who have come here today"
    ])
  })
})

describe("clausesOf, any text", () => {
  const language: FastCheck.Arbitrary<LanguageCode> = FastCheck.constantFrom("en-IN", "hi-IN", "ta-IN")

  const text = FastCheck.array(
    FastCheck.oneof(
      { weight: 5, arbitrary: FastCheck.constantFrom("word", "and", "क्षत्रिय", "நீ", "ക്ഷേത്രം", "Dr.", "3.5", "a@b.in") },
      {
        weight: 5,
        arbitrary: FastCheck.constantFrom(" ", " ", ", ", ". ", "? ", "।", "\n", " — ", "; ", "…", "\u00a0", "\r\n")
      },
      { weight: 1, arbitrary: FastCheck.constantFrom("\u0301", "\u200d", "\u200c", "👍🏽", "👨‍👩‍👧", "(", "”", "े") },
      { weight: 1, arbitrary: FastCheck.fullUnicodeString({ maxLength: 4 }) }
    ),
    { maxLength: 200, size: "max" }
  ).map((parts) => parts.join(""))

  const withoutGaps = (text: string): string => text.replace(/\s/gu, "")

  it("returns the text except for white space, in clauses with something to speak", () => {
    FastCheck.assert(
      FastCheck.property(text, language, (text, language) => {
        const pieces = splitClauses(text, language)
        for (const piece of pieces) expect(piece).toMatch(/[\p{L}\p{N}]/u)
        expect(withoutGaps(pieces.join(""))).toBe(/[\p{L}\p{N}]/u.test(text) ? withoutGaps(text) : "")
      })
    )
  })

  it("splits between grapheme clusters, and respects its length limits", () => {
    const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })
    FastCheck.assert(
      FastCheck.property(text, language, (text, language) => {
        const places = new Set(Array.from(graphemes.segment(text), ({ index }) => index).concat(text.length))
        let from = 0
        for (const [index, piece] of splitClauses(text, language).entries()) {
          const start = text.indexOf(piece, from)
          from = start + piece.length
          expect(places.has(start) && places.has(from)).toBe(true)
          const [spoken = ""] = /^.*[\p{L}\p{N}]/su.exec(piece) ?? []
          const gaps = Array.from(spoken.matchAll(/(?<=[\p{L}\p{N}].*)[ \n](?![\p{Gr_Ext}\p{M}\p{EMod}\u200d])/gsu))
          const hasGap = gaps.some(({ index }) => index <= 60)
          expect(spoken.length).toBeLessThanOrEqual(index === 0 && hasGap ? 60 : 200)
        }
      })
    )
  })
})
