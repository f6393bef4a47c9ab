import { comparableText } from "@trunkline/spoken-text"
import { expect, it } from "vitest"

it("is the same for a text and its transcript", () => {
  expect(comparableText("Pay ₹500 by 15 Aug, OK?", "en-IN")).toBe("pay five hundred rupees by fifteenth august ok")
  expect(comparableText("  pay five hundred rupees - by fifteenth August... ok ", "en-IN"))
    .toBe(comparableText("Pay ₹500 by 15 Aug, OK?", "en-IN"))
})

it("normalizes words to NFC, without joiners and apostrophes", () => {
  expect(comparableText("फ\u093c\u094bन", "hi-IN")).toBe(comparableText("\u095e\u094bन", "hi-IN"))
  expect(comparableText("ಪಾಸ್\u200cವರ್ಡ್", "kn-IN")).toBe("ಪಾಸ್ವರ್ಡ್")
  expect(comparableText("Don’t stop", "en-IN")).toBe("dont stop")
})

it("is empty for a text of punctuation", () => {
  expect(comparableText("… — 😀 !", "en-IN")).toBe("")
})
