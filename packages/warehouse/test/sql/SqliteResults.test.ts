import { assert, describe, it } from "@effect/vitest"
import { queryRefusedOf } from "@trunkline/warehouse"

describe("SQLite errors", () => {
  const cases: ReadonlyArray<readonly [sqliteMessage: string, code: string, message: string]> = [
    ["no such table: calls", "FORBIDDEN_TABLE", "There is no table calls here. Look at the query schema."],
    ["no such function: dgb", "FORBIDDEN_FUNCTION", "There is no function dgb here. Use another."],
    [
      "no such column: \"Ravi Kumar\" - should this be a string literal in single-quotes?",
      "INVALID_SQL",
      "There is no column like that. Look at the query schema; put texts in single quotes."
    ],
    [
      "no such column: v.nme",
      "INVALID_SQL",
      "There is no column v.nme. Look at the query schema; put texts in single quotes."
    ],
    ["near \"GROP\": syntax error", "INVALID_SQL", "The SQL is wrong at or before GROP. Correct it there."],
    [
      "near \"'98765'\": syntax error",
      "INVALID_SQL",
      "The SQL is wrong at or before a text or figure. Correct it there."
    ],
    [
      "string or blob too big",
      "RESOURCE_LIMIT",
      "The query needs more memory than it may have. Ask for less at a time."
    ],
    [
      "hex literal too big: 0xfff",
      "INVALID_SQL",
      "SQLite cannot run this SQL. Check the functions that it calls and their values."
    ],
    [
      "at most 64 tables in a join",
      "INVALID_SQL",
      "SQLite cannot run this SQL: at most 64 tables in a join."
    ],
    ["attempt to write a readonly database", "NOT_READ_ONLY", "Only a SELECT can be run."],
    [
      "misuse of aggregate function SUM()",
      "INVALID_SQL",
      "SQLite cannot run this SQL: misuse of aggregate function SUM()."
    ],
    [
      "bad JSON path: '$.[98765'",
      "INVALID_SQL",
      "SQLite cannot run this SQL. Check the functions that it calls and their values."
    ]
  ]
  for (const [sqliteMessage, code, message] of cases) {
    it(`are translated: "${sqliteMessage}"`, () => {
      const refusal = queryRefusedOf(sqliteMessage)
      assert.deepStrictEqual([refusal.code, refusal.message], [code, message])
    })
  }
})
