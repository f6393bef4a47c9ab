import { type LanguageCode, makeClauseCutter, splitClauses } from "@trunkline/spoken-text"
import { FastCheck } from "effect"
import { describe, expect, it } from "vitest"

/** Clauses of a text that arrives in parts, with the number of parts after which each is complete. */
const cutAll = (parts: ReadonlyArray<string>, language: LanguageCode = "en-IN") => {
  const cutter = makeClauseCutter(language)
  const timed = parts.flatMap((part, index) => cutter.push(part).map((clause) => [clause, index + 1] as const))
  return [...timed, ...cutter.end().map((clause) => [clause, Infinity] as const)]
}

const clausesIn = (parts: ReadonlyArray<string>, language: LanguageCode = "en-IN") =>
  cutAll(parts, language).map(([clause]) => clause)

/** Cuts a text into parts of the given lengths, the last of which repeats. */
const chopped = (text: string, lengths: ReadonlyArray<number>): ReadonlyArray<string> => {
  const parts: Array<string> = []
  for (let at = 0, index = 0; at < text.length; index++) {
    const length = lengths[Math.min(index, lengths.length - 1)] ?? 1
    parts.push(text.slice(at, at + length))
    at += Math.max(1, length)
    if (length === 0) parts.push(text.slice(at - 1, at))
  }
  return parts
}

const language: FastCheck.Arbitrary<LanguageCode> = FastCheck.constantFrom("en-IN", "hi-IN", "ta-IN")

const lengths = FastCheck.oneof(
  FastCheck.constant([1]),
  FastCheck.array(FastCheck.nat(12), { minLength: 1, maxLength: 60 }),
  FastCheck.array(FastCheck.nat(400), { minLength: 1, maxLength: 5 })
)

const words = FastCheck.constantFrom(
  ..."M/s. Pvt. Ltd. The Th Govt. Jan. No. XX12 X Tel. Rd. प्रा. लि. है छे. છે. कि.मी. Mumbai I a/c".split(" "),
  ..."word and but क्षत्रिय नமी നീ Dr. 3.5 a@b.in https://a.in/b,c?d=1 12,50,000 ₹500 J. 5 p.m. etc. e.g. 14:30 1. — 2025–26"
    .split(" ")
)

const gaps = FastCheck.constantFrom(
  " ",
  " ",
  " ",
  " ",
  ", ",
  ". ",
  "? ",
  "। ",
  "\n",
  "; ",
  "… ",
  "! (",
  ") ",
  "\u00a0",
  " 👍🏽 "
)

const plain = FastCheck.array(FastCheck.tuple(words, gaps), { maxLength: 150, size: "max" }).map((parts) =>
  parts.flat().join("")
)

/** Texts of whole sentences without clause marks. */
const sentences = FastCheck.array(
  FastCheck.tuple(
    FastCheck.array(FastCheck.constantFrom("word", "and", "so", "Dr. Rao", "3.5", "क्षत्रिय", "because"), {
      minLength: 1,
      maxLength: 60,
      size: "max"
    }),
    FastCheck.constantFrom(". ", "? ", "! ", "। ", "\n")
  ),
  { maxLength: 8 }
).map((sentences) => sentences.map(([words, end]) => `So ${words.join(" ")} there${end}`).join(""))

const withoutGaps = (text: string): string => text.replace(/\s/gu, "")

describe("a clause cutter", () => {
  it("gives a sentence once the next one begins, and the rest at the end", () => {
    expect(cutAll(["Hel", "lo", ".", " ", "How", " are you? ", "I am", " well"])).toEqual([
      ["Hello.", 5],
      ["How are you?", 7],
      ["I am well", Infinity]
    ])
  })

  it("gives the first clause early, at a clause mark from 25 characters on", () => {
    const text = "Yes, your order has been shipped today, and you will have it by Friday, I think. Good, bye"
    expect(clausesIn(chopped(text, [1]))).toEqual([
      "Yes, your order has been shipped today,",
      "and you will have it by Friday, I think.",
      "Good, bye"
    ])
    expect(cutAll(["Yes, your order has been shipped today,", " ", "a"])[0]?.[1]).toBe(3)
  })

  it("gives the first part of a long first sentence without clause marks when it is decided", () => {
    const text = "Your order number four eight two nine has been shipped from our warehouse in the north of the city"
    const [first] = cutAll(chopped(text, [1]))
    expect(first?.[0]).toBe(splitClauses(text, "en-IN")[0])
    expect(first?.[1]).toBeLessThan(85)
  })

  it("never cuts numbers, abbreviations and addresses, wherever the text is chopped", () => {
    for (
      const text of [
        "Dr. Rao, Mr. Das and Prof. Sen came.",
        "It is 3.5 or .5 of 12,50,000 at 14:30 in 2025–26",
        "J. R. D. Tata and A. P. J. Kalam met.",
        "We meet at 5 p.m. today, e.g. here.",
        "M/s. Rao Pvt. Ltd. Mumbai owes it.",
        "Mohd. Ali, Tel. 080 came by Jan. 5",
        "Policy No. LIC12 of Rao and Co. Delhi",
        "See https://a.in/b?c=1!d and mail a.b@c.co.in"
      ]
    ) {
      for (let at = 1; at < text.length; at++) {
        expect(clausesIn([text.slice(0, at), text.slice(at)]).map(withoutGaps).join("")).toBe(withoutGaps(text))
        expect(clausesIn([text.slice(0, at), text.slice(at)])).toEqual(clausesIn([text]))
      }
    }
    expect(clausesIn(chopped("We have sold 12,50,000 units, at 3.5 percent. Then 1. 5 more", [1]))).toEqual([
      "We have sold 12,50,000 units,",
      "at 3.5 percent.",
      "Then 1.",
      "5 more"
    ])
  })

  it("never parts a figure from the words that tell how it is read", () => {
    const text = "The one time verification code that you asked for is: 4582. Keep it"
    expect(clausesIn(chopped(text, [1]))).toEqual([
      "The one time verification code that you asked for is: 4582.",
      "Keep it"
    ])
    const leads = ["Good morning this is your bank calling", "नमस्ते"]
    for (const [index, code] of ["ending in 4521", "कोड है 4582"].entries()) {
      for (let filler = 1; filler < 60; filler++) {
        const text = `${leads[index]} ${"x".repeat(filler)} ${code} for all of you who have asked us about it today`
        expect(clausesIn([text]).some((clause) => clause.includes(code))).toBe(true)
      }
    }
  })

  it("holds a character back that has come only in half", () => {
    expect(clausesIn(chopped("Good 👍🏽. Fine 👨‍👩‍👧!", [1]))).toEqual(["Good 👍🏽.", "Fine 👨‍👩‍👧!"])
  })

  it.each(["", " ", "...", "😀👍🏽", "\n \n"])("finds no clause in %j", (text) => {
    expect(clausesIn(chopped(text, [1]))).toEqual([])
  })

  it("cuts whole sentences without clause marks as splitClauses does", () => {
    FastCheck.assert(FastCheck.property(sentences, language, lengths, (text, language, lengths) => {
      expect(clausesIn(chopped(text, lengths), language)).toEqual(splitClauses(text, language))
    }))
  })

  it("gives the same clauses however the text is chopped, which together are the text", () => {
    FastCheck.assert(FastCheck.property(plain, language, lengths, (text, language, lengths) => {
      const clauses = clausesIn(chopped(text, lengths), language)
      expect(clauses).toEqual(clausesIn([text], language))
      expect(withoutGaps(clauses.join(""))).toBe(/[\p{L}\p{N}]/u.test(text) ? withoutGaps(text) : "")
      for (const clause of clauses) expect(clause).toMatch(/[\p{L}\p{N}]/u)
    }))
  })

  it("cuts as splitClauses does unless the first clause ends early at a clause mark", () => {
    FastCheck.assert(FastCheck.property(plain, language, (text, language) => {
      const clauses = clausesIn([text], language)
      const usual = splitClauses(text, language)
      const isEarly = clauses[0] !== usual[0] && /[,;:—–][)"'”]*$/u.test(clauses[0] ?? "")
      expect(isEarly ? usual : clauses).toEqual(usual)
    }))
  })

  it("gives the text and nothing else for any characters at all", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.string({ unit: "binary", maxLength: 60, size: "max" }),
        lengths,
        (text, lengths) => {
          const clauses = clausesIn(chopped(text, lengths))
          expect(withoutGaps(clauses.join(""))).toBe(/[\p{L}\p{N}]/u.test(text) ? withoutGaps(text) : "")
        }
      )
    )
  })
})
