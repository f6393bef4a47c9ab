import { LanguageCode, makeClauseCutter, splitClauses, TextNormalizer } from "@trunkline/spoken-text"
import { Effect } from "effect"
import { afterEach, expect, it } from "vitest"

const { normalize } = Effect.runSync(Effect.provide(TextNormalizer, TextNormalizer.layer))

const hardest = [
  ..."1 1, 11, 12,34, 1/ 1/2 1- 1. 1.1 1: 10:10 % ₹ ₹1 #1 +1 +91- -1 1% 1kg 9am- www. http:// a@ a.a@a. a. No.1".split(
    " "
  ),
  ..."OTP1234 1234- ½ 1st 1ാം & ( ക് 😀 77:77 1,00,000, 9.9.9 a क — ! ? । … Dr. J. \u0301 \u200d".split(" "),
  ..."1 ₹ . , ! J. Aug order_1234".split(" ").map((seed) => `${seed} `),
  ..."45-82- x4521 *1 @1 Mon.- 1/28 11.45पर 5जन. मो.1 order_12-34 call_1930_or Rs.".split(" ").map((seed) =>
    seed.replaceAll("_", " ")
  ),
  ..."৳ (022) AB1 A1A1 Sec.1 1-23 5.12.26 ले. no.1 9.30-9.30 రా.1".split(" "),
  ..."कोड_1234 ref_no_1 रुपये_1/- last_4_digits Rs._₹1 अंतिम_4_अंक 1_कोड tabs.".split(" ").map((seed) =>
    `${seed} `.replaceAll("_", " ")
  ),
  " ",
  "\n"
]

const repeated = (seed: string, length: number): string => seed.repeat(Math.ceil(length / seed.length)).slice(0, length)

const { exec } = RegExp.prototype

/** Number of times that patterns are tried: each trial looks at a bounded part of the text, so this is the work that is done. */
const trials = (work: () => unknown): number => {
  let count = 0
  RegExp.prototype.exec = function(text) {
    count++
    return Reflect.apply(exec, this, [text])
  }
  work()
  RegExp.prototype.exec = exec
  return count
}

afterEach(() => {
  RegExp.prototype.exec = exec
})

it.each(hardest)("takes linear time for texts of %j", (seed) => {
  for (const work of [(text: string) => normalize(text, "hi-IN"), (text: string) => splitClauses(text, "hi-IN")]) {
    work(repeated(seed, 400))
    const once = trials(() => work(repeated(seed, 400)))
    const twice = trials(() => work(repeated(seed, 800)))
    expect(twice).toBeLessThan(2.2 * once + 100)
    expect(twice).toBeLessThan(40 * 800)
  }
})

it.each(hardest)("takes linear time for texts of %j that arrive letter by letter", (seed) => {
  const work = (text: string) => {
    const { end, push } = makeClauseCutter("hi-IN")
    for (let at = 0; at < text.length; at++) push(text.charAt(at))
    return end()
  }
  work(repeated(seed, 2_000))
  const once = trials(() => work(repeated(seed, 2_000)))
  const twice = trials(() => work(repeated(seed, 4_000)))
  expect(twice).toBeLessThan(2.5 * once + 1_000)
})

// A pattern that looks at every part of such a text at every mark takes hours for it.
it.each([..."*xX•"])("reads a mask of 100,000 %j to its end", (mark) => {
  expect(normalize(`${mark.repeat(100_000)} 5 kg`, "en-IN")).toMatch(/five kilograms$/)
})

it.each(LanguageCode.literals)(
  "writes at most 40 characters for each character of a difficult text in %s",
  (language) => {
    for (const seed of hardest) {
      expect(normalize(repeated(seed, 200), language).length).toBeLessThan(40 * 200)
    }
  }
)
