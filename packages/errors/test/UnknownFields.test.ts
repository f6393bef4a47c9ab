import { assert, describe, it } from "@effect/vitest"
import { issuesOf, maxIssues, ReadAsAnnotation, unknownFields } from "@trunkline/errors"
import { Arbitrary, Either, FastCheck, Schema } from "effect"

const Line = Schema.Struct({ id: Schema.String, weight: Schema.optionalWith(Schema.Number, { default: () => 1 }) })
class Person extends Schema.Class<Person>("Person")({ name: Schema.String }) {}
const Step = Schema.Union(
  Schema.Struct({ type: Schema.Literal("trim") }),
  Schema.Struct({ type: Schema.Literal("replace"), find: Schema.String, replace: Schema.String })
)
interface Tree {
  readonly value: number
  readonly kids: ReadonlyArray<Tree>
}
const Tree: Schema.Schema<Tree> = Schema.Struct({ value: Schema.Int, kids: Schema.Array(Schema.suspend(() => Tree)) })

const Body = Schema.Struct({
  lines: Schema.optional(Schema.NullOr(Schema.Array(Line).pipe(Schema.minItems(1)))),
  person: Schema.optional(Person),
  steps: Schema.optional(
    Schema.compose(Schema.Array(Schema.Unknown).pipe(Schema.maxItems(9)), Schema.Array(Step), { strict: false })
  ),
  pair: Schema.optional(Schema.Tuple(Line, Schema.Int)),
  tree: Schema.optional(Tree),
  variables: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  people: Schema.optional(Schema.Record({ key: Schema.String, value: Person })),
  either: Schema.optional(Schema.Union(Person, Schema.Record({ key: Schema.String, value: Schema.Number }))),
  options: Schema.optional(Schema.Object),
  items: Schema.optional(Schema.Array(Schema.Unknown).annotations({ [ReadAsAnnotation]: Schema.Array(Line).ast }))
}).pipe(Schema.filter(() => true))

const find = unknownFields(Body)
const issueTexts = (body: unknown) => find(body, ["body"]).map(({ loc, msg }) => `${loc.slice(1).join(".")} ${msg}`)
const near = (path: string, nearest: string) => `${path} is not a known field; did you mean ${nearest}?`

describe("unknownFields", () => {
  it("finds them at every depth, behind filters, defaults, classes, lists and recursion", () =>
    assert.deepStrictEqual(
      issueTexts({
        line: 1,
        lines: [{ id: "a" }, { id: "b", wieght: 2 }],
        person: { nam: "a" },
        pair: [{ idd: "a" }, 1],
        tree: { value: 1, kids: [{ value: 1, kid: [], kids: [] }] },
        people: { asha: { nme: "Asha" } },
        items: [{ weigth: 1 }]
      }),
      [
        near("line", "lines"),
        near("lines.1.wieght", "weight"),
        near("person.nam", "name"),
        near("pair.0.idd", "id"),
        near("tree.kids.0.kid", "kids"),
        near("people.asha.nme", "name"),
        near("items.0.weigth", "weight")
      ]
    ))

  it("suggests the path of a field one level down, whatever the value is given as there", () => {
    assert.deepStrictEqual(issueTexts({ Weight: 1, find: "a", Kids: [] }), [
      near("Weight", "lines.0.weight"),
      near("find", "steps.0.find"),
      near("Kids", "tree.kids")
    ])
    const Schedule = Schema.Struct({ timezone: Schema.String, allowed_start_time: Schema.String })
    const Campaign = Schema.Struct({
      start_time: Schema.String,
      allowed_schedule: Schema.optional(Schema.NullOr(Schedule))
    })
    const body = { time_zone: "UTC" }
    assert.deepStrictEqual(unknownFields(Campaign)(body, []).map(({ msg }) => msg), [
      "is not a known field; did you mean allowed_schedule.timezone?"
    ])
    const strict = Schema.decodeUnknownEither(Campaign, { onExcessProperty: "error", errors: "all" })
    const issues = Either.match(strict(body), { onLeft: (error) => issuesOf(error, "body"), onRight: () => [] })
    assert.include(issues.map(({ msg }) => msg), "is not a known field; did you mean allowed_schedule.timezone?")
  })

  it("leaves open what has no fields of its own", () =>
    assert.deepStrictEqual(
      issueTexts({
        variables: { any: { thing: 1 } },
        options: { any: 1 },
        either: { nam: 1 },
        steps: null,
        lines: "none"
      }),
      []
    ))

  it("measures a member of a union by the tag that names it, and by the best fit without a tag", () => {
    assert.deepStrictEqual(issueTexts({ steps: [{ type: "trim", find: "a" }] }), [
      "steps.0.find is not a known field; known are type"
    ])
    assert.deepStrictEqual(issueTexts({ steps: [{ type: "replace", find: "a", replce: "b" }] }), [
      near("steps.0.replce", "replace")
    ])
    assert.deepStrictEqual(issueTexts({ steps: [{ find: "a", replace: "b" }] }), [])
  })

  it("takes names of the language's own objects for what they are", () =>
    assert.deepStrictEqual(
      find(JSON.parse("{\"__proto__\":1,\"constructor\":1}"), []).map(({ loc }) => loc),
      [["__proto__"], ["constructor"]]
    ))

  it("stops at the largest number of issues", () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`unknown${index}`, 1]))
    assert.lengthOf(issueTexts(many), maxIssues)
    assert.lengthOf(issueTexts({ lines: [many, many] }), maxIssues)
  })

  const strict = Schema.decodeUnknownEither(Body, { onExcessProperty: "error" })
  it.prop("agrees with the decoder on what has no unknown fields", [
    Arbitrary.make(Schema.encodedSchema(Body)),
    FastCheck.constantFrom("lines", "person", "pair", "tree", "zzz"),
    FastCheck.boolean()
  ], ([body, key, isAdded]) => {
    const changed = isAdded ? { ...body, [key]: key === "zzz" ? 1 : { zzz: 1 } } : body
    const decoded = { ...changed, items: [] }
    return Either.isLeft(strict(decoded)) || issueTexts(decoded).length === 0
  })
})
