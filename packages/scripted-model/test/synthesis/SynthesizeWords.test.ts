import { assert, describe, it } from "@effect/vitest"
import { violations } from "@trunkline/models"
import { synthesize } from "@trunkline/scripted-model"

const text = { type: "string" }
const number = { type: "number" }
const whole = { type: "integer" }
const flag = { type: "boolean" }
const date = { type: "string", format: "date" }

type Properties = Readonly<Record<string, unknown>>

const object = (required: Properties, optional: Properties = {}) => ({
  type: "object",
  properties: { ...required, ...optional },
  required: Object.keys(required),
  additionalProperties: false
})

/** The value that words make, of a schema that it must obey. */
const valueFor = (words: string, required: Properties, optional: Properties = {}) => {
  const schema = object(required, optional)
  const value = synthesize(schema, { seed: "1", text: words })
  assert.deepStrictEqual(violations(schema, value), [])
  return value
}

describe("a value is taken from the conversation", () => {
  it("next to the property's name", () => {
    const value = valueFor("city Pune, amount 4500, for 3 days", { days: whole, city: text, amount: number })
    assert.deepStrictEqual(value, { days: 3, city: "Pune", amount: 4500 })
    assert.deepStrictEqual(valueFor("order 12345 please", { order_id: text }), { order_id: "12345" })
    assert.deepStrictEqual(valueFor("set the roomCount to 2, name: Asha Rao", { roomCount: whole, name: text }), {
      roomCount: 2,
      name: "Asha Rao"
    })
  })

  it("after a word that introduces it", () => {
    assert.deepStrictEqual(valueFor("What is the weather in Pune?", { city: text }), { city: "Pune" })
    assert.deepStrictEqual(valueFor("weather in pune", { location: text }), { location: "pune" })
    assert.deepStrictEqual(valueFor("From Pune to Delhi", { destination: text, origin: text }), {
      destination: "Delhi",
      origin: "Pune"
    })
    assert.deepStrictEqual(valueFor("My name is Asha Rao, I'm 32 years old", { name: text, age: whole }), {
      name: "Asha Rao",
      age: 32
    })
  })

  it("by its type, in order", () => {
    assert.deepStrictEqual(valueFor("add 3 and 5.5", { a: number, b: number }), { a: 3, b: 5.5 })
    assert.deepStrictEqual(valueFor("from 2025-01-31 until 5 February 2025", { start: date, end: date }), {
      start: "2025-01-31",
      end: "2025-02-05"
    })
    assert.deepStrictEqual(valueFor("reach me at asha@example.com or +91 98765 43210", { phone: text, email: text }), {
      phone: "+919876543210",
      email: "asha@example.com"
    })
    assert.deepStrictEqual(valueFor("at 10:30 pm on 31/01/2025", { when: { type: "string", format: "date-time" } }), {
      when: "2025-01-31T22:30:00Z"
    })
  })

  it("as a number in words", () => {
    assert.deepStrictEqual(valueFor("three nights, 1,50,000 rupees", { nights: whole, rupees: number }), {
      nights: 3,
      rupees: 150_000
    })
    assert.deepStrictEqual(valueFor("2 lakh", { amount: number }), { amount: 200_000 })
    assert.deepStrictEqual(valueFor("it was -4.5 outside", { degrees: number }), { degrees: -4.5 })
  })

  it("as a value of an enum", () => {
    const unit = { enum: ["celsius", "fahrenheit"] }
    assert.deepStrictEqual(valueFor("in Fahrenheit please", { unit }), { unit: "fahrenheit" })
    const status = { enum: ["open", "in_progress", "done"] }
    assert.deepStrictEqual(valueFor("it is in progress", { status }), { status: "in_progress" })
    const currency = { enum: ["USD", "INR"] }
    assert.deepStrictEqual(
      valueFor("100 INR to USD", { from_currency: currency, to_currency: currency, amount: number }),
      {
        from_currency: "INR",
        to_currency: "USD",
        amount: 100
      }
    )
  })

  it("as yes and no", () => {
    assert.deepStrictEqual(valueFor("yes please", { confirmed: flag }), { confirmed: true })
    assert.deepStrictEqual(valueFor("नहीं", { confirmed: flag }), { confirmed: false })
    assert.deepStrictEqual(valueFor("without breakfast but with parking", { breakfast: flag, parking: flag }), {
      breakfast: false,
      parking: true
    })
  })

  it("as a phrase between quotation marks, or one with capitals", () => {
    assert.deepStrictEqual(valueFor("Send \"Hello there\" to Ravi", { message: text, to: text }), {
      message: "Hello there",
      to: "Ravi"
    })
    assert.deepStrictEqual(valueFor("Please look up Taj Mahal", { monument: text }), { monument: "Taj Mahal" })
    assert.deepStrictEqual(valueFor("Pune, Delhi and Mumbai", { cities: { type: "array", items: text } }), {
      cities: ["Pune", "Delhi", "Mumbai"]
    })
  })

  it("as a whole, for a free text or a short reply", () => {
    assert.deepStrictEqual(valueFor("search for cheap flights", { query: text }), { query: "search for cheap flights" })
    assert.deepStrictEqual(valueFor("पुणे", { city: text }), { city: "पुणे" })
  })

  it("by its pattern", () => {
    const pin = { type: "string", pattern: "^[1-9]\\d{5}$" }
    assert.deepStrictEqual(valueFor("we live at 12 Hill Road, 411001.", { pin }), { pin: "411001" })
  })

  it("in the matching branch", () => {
    const circle = object({ shape: { const: "circle" }, radius: number })
    const square = object({ shape: { const: "square" }, side: number })
    for (const oneOf of [[circle, square], [square, circle]]) {
      const value = synthesize({ oneOf }, { seed: "1", text: "a circle of radius 5" })
      assert.deepStrictEqual(value, { shape: "circle", radius: 5 })
    }
  })

  it("for optional properties, which are omitted otherwise", () => {
    const optional = {
      passengers: whole,
      cabin: { enum: ["economy", "business"] },
      email: text,
      pets: flag,
      note: text
    }
    assert.deepStrictEqual(valueFor("to Delhi", { to: text }, optional), { to: "Delhi" })
    assert.deepStrictEqual(
      valueFor("to Delhi in business for 3 passengers, asha@example.com", { to: text }, optional),
      {
        to: "Delhi",
        passengers: 3,
        cabin: "business",
        email: "asha@example.com"
      }
    )
  })

  it("before the default of the schema", () => {
    assert.deepStrictEqual(valueFor("in Pune", { city: { ...text, default: "Delhi" } }), { city: "Pune" })
    assert.deepStrictEqual(valueFor("", { city: { ...text, default: "Delhi" } }), { city: "Delhi" })
  })

  it("unless it violates the schema", () => {
    const days = { type: "integer", minimum: 1, maximum: 2, default: 2 }
    assert.deepStrictEqual(valueFor("for 30 days", { days }), { days: 2 })
  })

  it("only at the beginning of texts", () => {
    const words = `${"so ".repeat(400)} amount 4500`
    assert.notDeepEqual(valueFor(words, { amount: number }), { amount: 4500 })
  })
})
