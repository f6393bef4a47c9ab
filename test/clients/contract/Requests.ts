import type { Operation } from "./Document.js"

/** A request of an operation, and what is special about it. */
export interface Case {
  readonly about: string
  readonly path: string
  readonly init: RequestInit
  /** Body as JSON, of which the schema says whether it is valid; absent for other bodies. */
  readonly body?: unknown
}

/** Valid values of one operation. */
export interface Valid {
  /** Ids by the names of path parameters. */
  readonly ids: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** JSON, or a form. */
  readonly body?: unknown
}

const nobody = "018f9430-0000-7000-8000-00000000dead"

const pathOf = (
  { path }: Operation,
  ids: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>
) => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids[name] ?? nobody))
  const search = new URLSearchParams(query).toString()
  return search === "" ? filled : `${filled}?${search}`
}

const initOf = ({ method }: Operation, key: string, body: unknown): RequestInit => ({
  method,
  headers: {
    "api-subscription-key": key,
    ...(body === undefined || body instanceof FormData ? {} : { "content-type": "application/json" })
  },
  ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) })
})

/** A request as it should be. */
export const goodCase = (operation: Operation, { body, ids, query }: Valid, key: string): Case => ({
  about: "a valid request",
  path: pathOf(operation, ids, query),
  init: initOf(operation, key, body),
  ...(body instanceof FormData ? {} : { body })
})

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof FormData)

/** Values that few properties accept. */
const oddities: ReadonlyArray<unknown> = [null, "", -1, 1.5, true, [], {}, "x".repeat(5_000), { constructor: 1 }, [
  "x",
  {}
]]

/** Copies of a body with one fault each, at any depth. */
const wrongBodies = (
  body: Readonly<Record<string, unknown>>
): ReadonlyArray<readonly [about: string, body: unknown]> => [
  ["an unknown key", { ...body, surplus_key: 1 }],
  ...Object.keys(body).flatMap((name): ReadonlyArray<readonly [string, unknown]> => [
    [`no ${name}`, Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))],
    ...oddities.map((odd) => [`${name} is ${JSON.stringify(odd).slice(0, 20)}`, { ...body, [name]: odd }] as const),
    ...wrongInside(body[name]).map(([about, inner]) => [`${name}: ${about}`, { ...body, [name]: inner }] as const)
  ])
]

const wrongInside = (value: unknown): ReadonlyArray<readonly [string, unknown]> => {
  if (isRecord(value)) return wrongBodies(value)
  const [first] = Array.isArray(value) ? value : []
  return isRecord(first) ? wrongBodies(first).map(([about, inner]) => [about, [inner]] as const) : []
}

const wrongForms = (form: FormData): ReadonlyArray<readonly [string, FormData]> => {
  const without = (name: string) => {
    const copy = new FormData()
    for (const [key, value] of form) if (key !== name) copy.append(key, value)
    return copy
  }
  return Array.from(new Set(form.keys())).flatMap((name): ReadonlyArray<readonly [string, FormData]> => {
    const doubled = without("")
    doubled.append(name, "again")
    const strange = without(name)
    strange.append(name, "\u0000\ufffd{")
    return [[`no part ${name}`, without(name)], [`${name} twice`, doubled], [`${name} is strange`, strange]]
  })
}

/** Requests with one fault each. */
export const badCases = (operation: Operation, valid: Valid, key: string): ReadonlyArray<Case> => {
  const { bodies, isOpen, parameters } = operation
  const { body, ids, query } = valid
  const path = pathOf(operation, ids, query)
  const good = initOf(operation, key, body)
  const headers = new Headers(good.headers)
  const withQuery = (name: string, value: string): Case => ({
    about: `?${name}=${value.slice(0, 20)}`,
    path: pathOf(operation, ids, { ...query, [name]: value }),
    init: good
  })
  const json = bodies["application/json"] === undefined ? [] : [
    { about: "a body that is no JSON", path, init: { ...good, body: "{\"name\": " } },
    { about: "a body that is a list", path, init: { ...good, body: "[]" } },
    {
      about: "a body of another type",
      path,
      init: { ...good, headers: { "api-subscription-key": key, "content-type": "text/csv" } }
    },
    ...(isRecord(body) ? wrongBodies(body) : []).map(([about, wrong]): Case => ({
      about,
      path,
      init: initOf(operation, key, wrong),
      body: wrong
    }))
  ]
  return [
    ...(isOpen ? [] : [
      {
        about: "no key",
        path,
        init: {
          ...good,
          headers: Object.fromEntries(Array.from(headers).filter(([name]) => name !== "api-subscription-key"))
        }
      },
      { about: "a wrong key", path, init: initOf(operation, "sk_test_nobody", body) }
    ]),
    ...parameters.filter((parameter) => parameter.in === "path").flatMap(({ name }) =>
      [nobody, "strange ✓ id"].map((id) => ({
        about: `${name} is ${id}`,
        path: pathOf(operation, { ...ids, [name]: id }, query),
        init: good
      }))
    ),
    ...parameters.filter((parameter) => parameter.in === "query").flatMap(({ name }) =>
      ["", "-1", "1e99", "nonsense", "x".repeat(3_000)].map((value) => withQuery(name, value))
    ),
    withQuery("surplus_parameter", "1"),
    ...json,
    ...(body instanceof FormData ? wrongForms(body) : []).map(([about, wrong]) => ({
      about,
      path,
      init: initOf(operation, key, wrong)
    }))
  ]
}
