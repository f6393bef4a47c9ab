import { assert, describe, it } from "@effect/vitest"
import { columnOf, fill, guessed, newDraft, transformationOf } from "../page/campaigns/mapping.js"

const columns = [
  "Full Name",
  "Mobile No.",
  "Ort \"Stadt\"",
  "Betrag fällig",
  "Customer ID",
  "Due on",
  "Amount Due (INR)"
]
const declared = ["customer_name", "amount_due", "due_date"]

describe("the mapping of a list in the console", () => {
  it("finds the number, the id, and the column of each variable that the agent has", () => {
    const draft = guessed(newDraft(), columns, declared)
    assert.strictEqual(draft.phone, "Mobile No.")
    assert.strictEqual(draft.identifier, "Customer ID")
    assert.deepStrictEqual(declared.map((name) => columnOf(draft, name)), ["Full Name", "Amount Due (INR)", "Due on"])
  })

  it("maps no column to a variable that the agent has not, since the upload would be refused", () => {
    const { app_variables } = transformationOf(guessed(newDraft(), columns, declared))
    assert.deepStrictEqual(Object.keys(app_variables).sort(), [...declared].sort())
    assert.deepStrictEqual(transformationOf(guessed(newDraft(), columns, [])).app_variables, {})
  })

  it("names variables after their columns, in any script, for an agent that takes any", () => {
    const draft = guessed(newDraft(), ["phone", "Betrag fällig", "E-Mail", "Ort \"Stadt\"", "नाम"], null)
    assert.deepStrictEqual(draft.variables, {
      "Betrag fällig": "betrag_fallig",
      "E-Mail": "e_mail",
      "Ort \"Stadt\"": "ort_stadt",
      "नाम": "नाम"
    })
  })

  it("prefers a column of phones to one that is only named after contacts", () => {
    assert.strictEqual(guessed(newDraft(), ["Contact name", "Account number", "Phone"], null).phone, "Phone")
    assert.strictEqual(guessed(newDraft(), ["Name", "Number"], null).phone, "Number")
  })

  it("fills a variable from one column, and gives it up", () => {
    const draft = fill(guessed(newDraft(), columns, declared), "due_date", "Ort \"Stadt\"")
    assert.strictEqual(columnOf(draft, "due_date"), "Ort \"Stadt\"")
    assert.strictEqual(columnOf(fill(draft, "due_date", ""), "due_date"), "")
    assert.strictEqual(columnOf(fill(draft, "amount_due", "Full Name"), "customer_name"), "", "a column fills one")
  })
})
