import { it } from "@effect/vitest"
import { schemaFault } from "../../src/schema/SchemaFault.js"
import { synthesize } from "../../src/schema/Synthesize.js"
import { violations } from "../../src/schema/Violations.js"
const time = (name: string, schema: any, words = "") => {
  let t = performance.now()
  const f = schemaFault(schema)
  const tf = performance.now() - t
  t = performance.now()
  const v = synthesize(schema, { seed: "1", words })
  const ts = performance.now() - t
  t = performance.now()
  const e = violations(schema, v)
  const tv = performance.now() - t
  console.log(
    name,
    f,
    tf.toFixed(1),
    ts.toFixed(1),
    tv.toFixed(1),
    JSON.stringify(v)?.slice(0, 300),
    JSON.stringify(v)?.length,
    e.slice(0, 3)
  )
}
it("x", () => {
  time("warm", {
    type: "object",
    properties: { a: { type: "string" }, b: { type: "integer" }, c: { enum: ["x", "y"] } },
    required: ["a", "b", "c"]
  })
  time("tree", {
    $ref: "#/$defs/e",
    $defs: {
      e: {
        anyOf: [{
          type: "object",
          required: ["l", "r", "op"],
          properties: { op: { enum: ["+", "-"] }, l: { $ref: "#/$defs/e" }, r: { $ref: "#/$defs/e" } },
          additionalProperties: false
        }, { type: "number" }]
      }
    }
  })
  time("endless", { type: "object", properties: { c: { $ref: "#" } }, required: ["c"] })
  time("endless2", {
    type: "object",
    properties: { c: { $ref: "#" }, d: { $ref: "#" }, e: { anyOf: [{ $ref: "#" }, { $ref: "#" }] } },
    required: ["c", "d", "e"]
  })
  time("minItems", { type: "array", items: { type: "string" }, minItems: 1e9 })
  time("minItems obj", {
    type: "array",
    minItems: 1e9,
    items: {
      type: "object",
      required: ["a", "b", "c"],
      properties: {
        a: { type: "array", minItems: 1e9, items: { type: "integer" } },
        b: { type: "string", minLength: 1e9 },
        c: { not: {} }
      }
    }
  })
  time("minLength", { type: "string", minLength: 1e9 })
  time("pattern len", { type: "string", pattern: "^[a-z]{1,}$", minLength: 1e9 })
  time("pattern", { type: "string", pattern: "^(?=.*[A-Z])(?=.*\\d)[A-Za-z\\d]{8,}$" })
  time("pattern2", { type: "string", pattern: "^\\+91[6-9]\\d{9}$" })
  time("bombs", { type: "string", pattern: "^(a+)+$" })
  time("bombs2", { type: "string", pattern: "((((a{1000}){1000}){1000}){1000})" })
  const big = {
    type: "object",
    properties: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => ["p" + i, { type: "string", minLength: 3 }])),
    required: Array.from({ length: 5000 }, (_, i) => "p" + i)
  }
  time("big", big)
  const defs: any = { a60: { type: "string" } }
  for (let i = 0; i < 60; i++) {
    defs["a" + i] = { anyOf: [{ $ref: "#/$defs/a" + (i + 1) }, { $ref: "#/$defs/a" + (i + 1) }] }
  }
  time("exp", { $ref: "#/$defs/a0", $defs: defs })
  time("exp not", { $ref: "#/$defs/a0", $defs: { ...defs, a60: { not: {} } } })
  time("oneof", {
    oneOf: [{ type: "object", properties: { kind: { const: "a" }, x: { type: "integer" } }, required: ["kind"] }, {
      type: "object",
      properties: { kind: { const: "b" }, y: { type: "integer" } },
      required: ["kind", "y"]
    }]
  })
  time("if", {
    type: "object",
    properties: { country: { enum: ["IN", "US"] } },
    required: ["country"],
    if: { properties: { country: { const: "US" } } },
    then: { properties: { zip: { type: "string", pattern: "^\\d{5}$" } }, required: ["zip"] },
    else: { required: ["pin"], properties: { pin: { type: "string", pattern: "^[1-9]\\d{5}$" } } }
  })
  time("unique", {
    type: "array",
    items: { type: "integer", minimum: 1, maximum: 10 },
    uniqueItems: true,
    minItems: 10
  })
  time("contains", {
    type: "array",
    items: { type: "integer" },
    contains: { minimum: 1000 },
    minContains: 2,
    minItems: 4
  })
  time("multiple", { type: "number", multipleOf: 0.1, minimum: 3.25, maximum: 3.35 })
  time("dup allOf", {
    allOf: Array.from(
      { length: 1000 },
      (_, i) => ({ properties: { ["a" + i]: { type: "string" } }, required: ["a" + i] })
    )
  })
  time("many anyOf", {
    allOf: Array.from({ length: 1000 }, (_, i) => ({ anyOf: [{ type: "string" }, { minLength: i }] }))
  })
  let deep: any = { type: "string" }
  for (let i = 0; i < 5000; i++) deep = { type: "object", properties: { a: deep }, required: ["a"] }
  time("deep", deep)
  let deep2: any = { type: "string" }
  for (let i = 0; i < 5000; i++) deep2 = { anyOf: [deep2, { type: "null" }] }
  time("deep2", deep2)
})
