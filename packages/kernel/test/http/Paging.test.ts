import { assert, describe, it } from "@effect/vitest"
import { applyPage, listParameters, makePage, pageOf, type PageRequest } from "@trunkline/kernel"
import { FastCheck, Schema } from "effect"
import { issueTypes } from "../IssueTypes.js"

const parameters = listParameters({ sortable: ["name", "created_at", "status"] })

describe("listParameters", () => {
  it("defaults to the ten newest items", () => {
    assert.deepStrictEqual(Schema.decodeSync(parameters)({}), {
      offset: 0,
      limit: 10,
      sort_by: "created_at",
      sort_order: "desc",
      search: ""
    })
    assert.strictEqual(Schema.decodeSync(listParameters({ sortable: ["name"], defaultLimit: 20 }))({}).limit, 20)
    assert.strictEqual(Schema.decodeSync(listParameters({ sortable: ["name"] }))({}).sort_by, "name")
  })

  it("accepts every parameter", () =>
    assert.deepStrictEqual(
      Schema.decodeSync(parameters)({ offset: "30", limit: "100", sort_by: "name", sort_order: "asc", search: "june" }),
      { offset: 30, limit: 100, sort_by: "name", sort_order: "asc", search: "june" }
    ))

  it("treats empty text as absent, and rejects empty numbers", () => {
    const empty = { sort_by: "", sort_order: "", search: "" }
    assert.deepStrictEqual(Schema.decodeSync(parameters)(empty), Schema.decodeSync(parameters)({}))
    assert.deepStrictEqual(issueTypes(parameters, { ...empty, offset: "", limit: "" }), [
      "offset int_parsing",
      "limit int_parsing"
    ])
  })

  it("reports an issue for each invalid parameter", () => {
    const cases: ReadonlyArray<readonly [Record<string, string>, string]> = [
      [{ offset: "-1" }, "offset greater_than_equal"],
      [{ limit: "0" }, "limit greater_than_equal"],
      [{ limit: "101" }, "limit less_than_equal"],
      [{ sort_by: "secret" }, "sort_by enum"],
      [{ sort_order: "DESC" }, "sort_order enum"],
      ...["", "ten", "1.5", "1e3", " 1", "99999999999999999999", "NaN"].map((limit) =>
        [{ limit }, "limit int_parsing"] as const
      )
    ]
    for (const [query, expected] of cases) {
      assert.deepStrictEqual(issueTypes(parameters, query), [expected], JSON.stringify(query))
    }
    assert.deepStrictEqual(issueTypes(parameters, { offset: "x", limit: "0", sort_by: " " }), [
      "offset int_parsing",
      "limit greater_than_equal",
      "sort_by enum"
    ])
  })
})

describe("page", () => {
  const at = (offset: number, total: number, uri: string) => {
    const { next_page_uri, prev_page_uri } = makePage([], total, { offset, limit: 10 }, uri)
    return [prev_page_uri, next_page_uri]
  }

  it("links to both neighbours, or null at the ends", () => {
    assert.deepStrictEqual(at(0, 10, "/v1/x"), [null, null])
    assert.deepStrictEqual(at(0, 11, "/v1/x"), [null, "/v1/x?offset=10"])
    assert.deepStrictEqual(at(10, 30, "/v1/x"), ["/v1/x?offset=0", "/v1/x?offset=20"])
    assert.deepStrictEqual(at(20, 30, "/v1/x"), ["/v1/x?offset=10", null])
  })

  it("clamps the previous offset to 0, and has no next page past the end", () => {
    assert.deepStrictEqual(at(5, 100, "/v1/x"), ["/v1/x?offset=0", "/v1/x?offset=15"])
    assert.deepStrictEqual(at(500, 30, "/v1/x"), ["/v1/x?offset=490", null])
  })

  it("keeps every other query parameter, repeated ones too, and drops the origin", () =>
    assert.deepStrictEqual(at(10, 30, "https://api.example.com/v1/x?search=a%26b&tag=1&offset=10&limit=10&tag=2#top"), [
      "/v1/x?search=a%26b&tag=1&offset=0&limit=10&tag=2",
      "/v1/x?search=a%26b&tag=1&offset=20&limit=10&tag=2"
    ]))

  it("fits its schema, items included", () => {
    const encoded = Schema.encodeSync(pageOf(Schema.NumberFromString))(
      makePage([1, 2], 2, { offset: 0, limit: 10 }, "/x")
    )
    assert.deepStrictEqual(encoded, {
      items: ["1", "2"],
      total: 2,
      limit: 10,
      offset: 0,
      next_page_uri: null,
      prev_page_uri: null
    })
  })
})

describe("applyPage", () => {
  interface Row {
    readonly id: string
    readonly name: string
    readonly size: number
  }
  const view = {
    text: ({ name }: Row) => [name],
    sortKey: (row: Row, by: "name" | "size") => row[by],
    id: ({ id }: Row) => id
  }
  const request = { offset: 0, limit: 10, sort_by: "size", sort_order: "asc", search: "" } as const
  const rows: ReadonlyArray<Row> = [
    { id: "c", name: "June", size: 2 },
    { id: "a", name: "july", size: 10 },
    { id: "b", name: "August", size: 2 }
  ]
  const ids = (changes: Partial<PageRequest<"name" | "size">>) => {
    const { items, total } = applyPage(rows, { ...request, ...changes }, view)
    return [items.map(({ id }) => id).join(""), total]
  }

  it("sorts in both orders, numbers as numbers, with ties by ascending id", () => {
    assert.deepStrictEqual(ids({}), ["bca", 3])
    assert.deepStrictEqual(ids({ sort_order: "desc" }), ["abc", 3])
    assert.deepStrictEqual(ids({ sort_by: "name" }), ["bca", 3])
  })

  it("searches without regard to case and counts all matches", () => {
    assert.deepStrictEqual(ids({ search: "JU" }), ["ca", 2])
    assert.deepStrictEqual(ids({ search: "JU", limit: 1 }), ["c", 2])
    assert.deepStrictEqual(ids({ search: "nothing" }), ["", 0])
  })

  it("is empty past the end", () => assert.deepStrictEqual(ids({ offset: 3 }), ["", 3]))

  it.prop("returns the whole list over all pages", [
    FastCheck.array(FastCheck.nat(5)),
    FastCheck.integer({ min: 1, max: 7 })
  ], ([sizes, limit]) => {
    const many = sizes.map((size, index): Row => ({ id: `id-${index}`, name: "", size }))
    const pages = sizes.map((_, index) => applyPage(many, { ...request, offset: index * limit, limit }, view).items)
    assert.deepStrictEqual(pages.flat(), applyPage(many, { ...request, limit: sizes.length }, view).items)
  })
})
