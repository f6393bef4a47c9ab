import { assert, describe, it } from "@effect/vitest"
import type { Chart } from "@trunkline/charts"
import { Either, FastCheck } from "effect"
import { makeFit } from "../src/draw/Fit.js"
import { margin } from "../src/draw/Look.js"
import { makeAdvances } from "../src/text/Advances.js"
import { canDraw } from "../src/text/Fonts.js"
import { piecesOf } from "../src/text/Pieces.js"
import { setText } from "../src/text/SetText.js"
import { draw, inkIn, pngOf, reachOf, size, titleRegion } from "./Ink.js"

const titled = (title: string): Chart => ({ kind: "number", title, name: "calls", value: 7 })

const inkOf = (title: string) => inkIn(pngOf(titled(title)), titleRegion)

const words = {
  Latin: "Calls per day",
  Cyrillic: "Звонки",
  Devanagari: "हिन्दी क्षेत्र प्रतिदिन",
  Bengali: "বাংলা ক্ষেত্র",
  Gurmukhi: "ਪੰਜਾਬੀ ਵਿੱਚ",
  Gujarati: "ગુજરાતી ક્ષેત્ર",
  Odia: "ଓଡ଼ିଆ କ୍ଷେତ୍ର",
  Tamil: "தமிழ் இணைக்கப்பட்டது",
  Telugu: "తెలుగు క్షేత్రం",
  Kannada: "ಕನ್ನಡ ಕ್ಷೇತ್ರ",
  Malayalam: "മലയാളം ക്ഷേത്രം പ്രേമ",
  mixed: "Calls हिन्दी (24) தமிழ் ₹5"
}

describe("text in a PNG", () => {
  const advances = makeAdvances()

  it("leaves no ink where there is none", () => {
    assert.deepStrictEqual(inkOf(""), [])
  })

  for (const [name, text] of Object.entries(words)) {
    it(`is drawn as wide as it is: ${name}`, () => {
      const [left, right] = reachOf(inkOf(text))
      const width = 18 * advances.widthOf(text, true)
      assert.closeTo(left / size.scale, margin, 3)
      assert.closeTo(right / size.scale, margin + width, 4)
    })
  }

  it("is letters rather than boxes, which would all look alike", () => {
    for (const [one, other] of [["क", "ख"], ["த", "ப"], ["త", "ప"], ["ম", "স"], ["A", "B"]] as const) {
      assert.isAbove(inkOf(one).length, 50)
      assert.notStrictEqual(inkOf(one).join(" "), inkOf(other).join(" "))
    }
  })

  it("has the shapes of its script: signs of several letters, and vowels before the letter they follow", () => {
    const width = (text: string) => advances.widthOf(text, false)
    assert.isBelow(width("क्ष"), width("क") + width("ष") - 0.3)
    assert.isBelow(width("ക്ഷ"), width("ക") + width("ഷ") - 0.2)
    assert.closeTo(width("கை"), width("க") + width("ை"), 0.8)
    const consonant = reachOf(inkOf("क"))
    const [left, right] = reachOf(inkOf("कि"))
    assert.isAbove(right - left, consonant[1] - consonant[0] + 4)
  })

  it("does not let a syllable run into the next", () => {
    const [, syllable] = reachOf(inkOf("दि"))
    const [, word] = reachOf(inkOf("दिन"))
    assert.isAbove(word, syllable + 10)
  })
})

describe("letters that the fonts lack", () => {
  it("make a PNG unsuitable, with the first of them, and are kept in an SVG", () => {
    for (const [title, code] of [["تعداد", "U+062A"], ["通话 calls", "U+901A"], ["📞", "U+1F4DE"]] as const) {
      assert.include(Either.getOrThrow(Either.flip(draw(titled(title), "png"))), code)
      assert.include(new TextDecoder().decode(Either.getOrThrow(draw(titled(title), "svg"))), `>${title}</text>`)
    }
  })

  it("are symbols that are left out where words remain", () => {
    assert.deepStrictEqual(pngOf(titled("Calls 📞 today 👨‍👩‍👧")), pngOf(titled("Calls today")))
  })

  it("are not signs without a look of their own", () => {
    assert.isAbove(inkOf("नमस्\u200Dते\u200C").length, 200)
  })

  it("are told by the fonts themselves", () => {
    const known = ["A", "é", "Ω", "Я", "₹", "–", "…", "क", "।", "০", "ਕ", "ક", "କ", "க", "క", "ಕ", "ക"]
    const unknown = ["ا", "中", "😀", "ກ", "ᱚ", "\uFFFF"]
    const covered = (text: string) => canDraw(text.codePointAt(0) ?? 0)
    assert.deepStrictEqual(known.filter((each) => !covered(each)), [])
    assert.deepStrictEqual(unknown.filter(covered), [])
  })
})

describe("the pieces of a text", () => {
  it("are characters as readers count them, and syllables with all consonants that are tied together", () => {
    const textsOf = (text: string) => piecesOf(text).map((piece) => piece.text)
    assert.deepStrictEqual(textsOf("हिन्दी क्षेत्र"), ["हि", "न्दी", " ", "क्षे", "त्र"])
    assert.deepStrictEqual(textsOf("ಕನ್ನಡ"), ["ಕ", "ನ್ನ", "ಡ"])
    assert.deepStrictEqual(textsOf("aé़क"), ["a", "é़", "क"])
    assert.deepStrictEqual(piecesOf("aকA").map(({ script }) => script), [null, "Bengali", null])
  })
})

describe("Malayalam signs behind a tied ra", () => {
  const advances = makeAdvances()
  const textsOf = (text: string) => piecesOf(text).map((piece) => piece.text)

  it("stand apart, from left to right, on a base that takes no place", () => {
    assert.deepStrictEqual(textsOf("ത്ര"), ["ത്ര"])
    assert.deepStrictEqual(textsOf("സ്ത്രീ"), ["സ്ത്ര", "\u00A0ീ"])
    assert.deepStrictEqual(textsOf("പ്രേം"), ["\u00A0േ", "പ്ര", "\u00A0ം"])
    assert.deepStrictEqual(textsOf("സ്ത്രൊ"), ["സ്", "\u00A0െ", "ത്ര", "\u00A0ാ"])
  })

  it("take their own room", () => {
    const width = (text: string) => advances.widthOf(text, false)
    for (const sign of ["േ", "ാ", "ം"]) {
      assert.closeTo(width(`പ്ര${sign}`) - width("പ്ര"), width(`പ${sign}`) - width("പ"), 0.02)
    }
  })

  it("are not drawn as another ra", () => {
    assert.notStrictEqual(inkOf("ത്രീ").join(" "), inkOf("ത്രം").join(" "))
  })
})

describe("text that is set", () => {
  const advances = makeAdvances()
  const text = (attributes: string, content: string) => `<text ${attributes}>${content}</text>`

  it("stays as it is without Indian scripts", () => {
    const svg = text(`text-anchor="end" style="font-size:12px;" x="4"`, "a &lt; b")
    assert.strictEqual(setText(svg, advances), svg)
  })

  it("has an element for each syllable, from where its anchor puts it", () => {
    const attributes =
      `dominant-baseline="central" text-anchor="end" style="font-size:10px;" transform="translate(5 6)" x="4"`
    const set = setText(text(attributes, "a&amp;क"), advances)
    const start = 4 - 10 * advances.widthOf("a&क", false)
    const next = start + 10 * advances.widthOf("a&", false)
    assert.deepStrictEqual([...set.matchAll(/ x="([^"]*)"/g)].map(([, x]) => x), [start.toFixed(2), next.toFixed(2)])
    assert.deepStrictEqual([...set.matchAll(/>([^<]+)</g)].map(([, content]) => content), ["a&amp;", "क"])
    assert.include(set, `font-family="Noto Sans Devanagari"`)
    assert.notInclude(set, "text-anchor")
    assert.strictEqual(set.match(/transform="translate\(5 6\)"/g)?.length, 2)
  })
})

describe("fitting", () => {
  const fit = makeFit(makeAdvances())
  const font = { size: 10 }

  it("cuts between characters as readers count them", () => {
    assert.strictEqual(fit.cut("Calls", font, 100), "Calls")
    const cut = fit.cut("क्षेत्रक्षेत्रक्षेत्र", font, 30)
    assert.match(cut, /^(?:क्षे|त्र)+…$/)
    assert.isAtMost(fit.width(cut, font), 30)
    assert.strictEqual(fit.cut("W", font, 1), "…")
  })

  it("cuts in the middle between syllables, and keeps the head and the tail", () => {
    assert.strictEqual(fit.cutMiddle("Calls", font, 100), "Calls")
    const [one, other] = ["11", "12"].map((month) => fit.cutMiddle(`Campaign of month ${month}`, font, 80))
    assert.match(one ?? "", /^Campa.*….*h 11$/)
    assert.match(other ?? "", /^Campa.*….*h 12$/)
    const cut = fit.cutMiddle("क्षेत्रस्त्रीप्रेमन्द्रक्षेत्रस्त्री 12", font, 60)
    assert.match(cut, /^क्षे.*….* ?12$/)
    for (const part of cut.split("…")) assert.notMatch(part, /^\p{M}|\u094D$/u)
    assert.isAtMost(fit.width(cut, font), 60)
    assert.strictEqual(fit.cutMiddle("W", font, 1), "…")
    assert.strictEqual(fit.cutMiddle("Campaign", font, 1), "…")
  })

  it.prop(
    "in the middle fits, and has nothing that the text has not",
    [FastCheck.string({ unit: "grapheme", maxLength: 40 }), FastCheck.integer({ min: 10, max: 200 })],
    ([text, room]) => {
      const cut = fit.cutMiddle(text, font, room)
      assert.isAtMost(fit.width(cut, font), Math.max(room, fit.width("…", font)))
      if (fit.width(text, font) <= room) return assert.strictEqual(cut, text)
      const at = cut.split("").findIndex((_, index) =>
        cut[index] === "…" && text.startsWith(cut.slice(0, index)) && text.endsWith(cut.slice(index + 1))
      )
      assert.isAtLeast(at, 0)
    }
  )

  it("wraps between words, and cuts the last line", () => {
    const room = { width: 50, lines: 2 }
    assert.deepStrictEqual(fit.wrap("Calls per day", font, room), ["Calls per", "day"])
    const lines = fit.wrap("Calls per day and per night and per week", font, room)
    assert.strictEqual(lines.length, 2)
    assert.match(lines[1] ?? "", /…$/)
    for (const line of lines) assert.isAtMost(fit.width(line, font), 50)
  })
})
