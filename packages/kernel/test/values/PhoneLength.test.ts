import { assert, describe, it } from "@effect/vitest"
import { phoneLengthProblem, PhoneNumber } from "@trunkline/kernel"
import { getCountries, getExampleNumber } from "libphonenumber-js/max"
import examples from "libphonenumber-js/mobile/examples"

const problemOf = (number: string) => phoneLengthProblem(PhoneNumber.make(number))

describe("the length of a phone number", () => {
  it("is wrong where no number of the country has it, and the message has the right ones", () => {
    assert.strictEqual(problemOf("+9111400000"), "Must have 10 digits after +91, not 8")
    assert.strictEqual(problemOf("+9111400000012"), "Must have 10 digits after +91, not 11")
    assert.strictEqual(problemOf("+1415555267"), "Must have 10 digits after +1, not 9")
    assert.strictEqual(problemOf("+15550100"), "Must have 10 digits after +1, not 7")
    assert.strictEqual(problemOf("+4420794609"), "Must have 7, 9 or 10 digits after +44, not 8")
  })

  it("is right where a number of the country has it, assigned or not", () => {
    for (
      const number of [
        "+911140000001",
        "+919876543210",
        "+910000000001",
        "+91180012345678",
        "+9118001234",
        "+14155552671",
        "+15555550100",
        "+442079460958",
        "+881612345678",
        "+99912345678"
      ]
    ) {
      assert.isNull(problemOf(number), number)
    }
  })

  it("is right for an example of every country", () => {
    for (const country of getCountries()) {
      const number = getExampleNumber(country, examples)?.number
      if (number !== undefined) assert.isNull(problemOf(number), country)
    }
  })
})
