import { csv, transformation, urlBody } from "../Bodies.js"
import type { Json } from "../Client.js"

/** An invalid request, and the paths and types of its issues. */
type Wrong = readonly [title: string, body: Json, problems: ReadonlyArray<readonly [loc: Json, type: string]>]

/** The transformation of the tests with a change. */
export const mapping = (change: object) => ({ ...JSON.parse(transformation), ...change })
const unknownOverride = { app_overrides: { greeting: { column_name: "name" } } }
const undeclared = { app_variables: { balance: { column_name: "name" } } }

/** Invalid transformations, and the paths of their issues. */
const wrongMappings: ReadonlyArray<Wrong> = [
  ["no phone number", {}, [[["phone_number"], "missing"]]],
  ["a phone number without a column", mapping({ phone_number: {} }), [[["phone_number", "column_name"], "missing"]]],
  ["an unknown country", mapping({ phone_number: { column_name: "mobile", country_code: "india" } }), [
    [["phone_number", "country_code"], "value_error"]
  ]],
  ["an unknown override", mapping(unknownOverride), [[["app_overrides", "greeting"], "value_error"]]],
  ["an undeclared variable", mapping(undeclared), [[["app_variables", "balance"], "value_error"]]],
  ["an unknown transform", mapping({ user_identifier: { column_name: "name", transforms: [{ type: "shout" }] } }), [
    [["user_identifier", "transforms", 0, "type"], "enum"]
  ]],
  ["a list", [], [[[], "object_type"]]]
]

const placed = (wrongs: ReadonlyArray<Wrong>, root: ReadonlyArray<string>): ReadonlyArray<Wrong> =>
  wrongs.map(([title, body, problems]) => [title, body, problems.map(([loc, type]) => [[...root, ...loc], type])])

/** Form of an upload with other parts. */
export const formOf = (change: Readonly<Record<string, string>>): FormData => {
  const data = new FormData()
  const parts = { name: "June", cohort_transformation_file: transformation, cohort_file: csv, ...change }
  Object.entries(parts).forEach(([name, value]) => data.append(name, value))
  return data
}

/** Invalid uploads. */
export const wrongForms: ReadonlyArray<Wrong> = [
  ["a long name", { name: "x".repeat(51) }, [[["body", "name"], "string_pattern_mismatch"]]],
  ["no name", { name: " " }, [[["body", "name"], "string_pattern_mismatch"]]],
  ["a transformation that is no JSON", { cohort_transformation_file: "{" }, [
    [["body", "cohort_transformation_file"], "json_invalid"]
  ]],
  ...placed(wrongMappings, ["body", "cohort_transformation_file"]).map(([title, body, problems]): Wrong => [
    `a transformation with ${title}`,
    { cohort_transformation_file: JSON.stringify(body) },
    problems
  ]),
  ["columns that the file has not", { cohort_file: "phone,name\n9876543210,Asha\n" }, [
    [["body", "cohort_transformation_file", "phone_number", "column_name"], "value_error"]
  ]],
  ["an empty file", { cohort_file: "" }, [[["body", "cohort_file"], "value_error"]]],
  ["a file without rows", { cohort_file: "mobile,name\n" }, [[["body", "cohort_file"], "value_error"]]],
  ["a column twice", { cohort_file: "mobile,name,name\n1,2,3\n" }, [[["body", "cohort_file"], "value_error"]]],
  ["a column without a name", { cohort_file: "mobile,name,\n1,2,3\n" }, [[["body", "cohort_file"], "value_error"]]],
  ["a file that is no text", { cohort_file: "PK\u0003\u0004" }, [[["body", "cohort_file"], "value_error"]]],
  ["an unknown category", { cohort_category: "friends" }, [[["body", "cohort_category"], "enum"]]],
  ["much that is wrong", { name: "a/b", cohort_category: "x", cohort_transformation_file: "{", cohort_file: "" }, [
    [["body", "name"], "string_pattern_mismatch"],
    [["body", "cohort_category"], "enum"],
    [["body", "cohort_transformation_file"], "json_invalid"],
    [["body", "cohort_file"], "value_error"]
  ]]
]

const at = (url: unknown) => ({ source: { url } })

/** Invalid requests with a URL. */
export const wrongUrls: ReadonlyArray<Wrong> = [
  ["a long name", { name: "x".repeat(51) }, [[["body", "name"], "string_pattern_mismatch"]]],
  ["nothing", { name: undefined, source: undefined, cohort_transformation: undefined }, [
    [["body", "name"], "missing"],
    [["body", "source"], "missing"],
    [["body", "cohort_transformation"], "missing"]
  ]],
  ["no URL", { source: {} }, [[["body", "source", "url"], "missing"]]],
  ["a URL that is none", at(7), [[["body", "source", "url"], "string_type"]]],
  ...[
    "http://files.example/quiet",
    "ftp://files.example/quiet",
    "files.example/quiet",
    "",
    "https://quiet:word@files.example/",
    `https://files.example/quiet${"x".repeat(2_048)}`
  ].map((url): Wrong => [`the URL ${url.slice(0, 40)}`, at(url), [[["body", "source", "url"], "url_parsing"]]]),
  ["another source", { source: { ...urlBody.source, type: "bucket" } }, [[["body", "source", "type"], "enum"]]],
  ...placed(wrongMappings, ["body", "cohort_transformation"]).map(([title, body, problems]): Wrong => [
    `a transformation with ${title}`,
    { cohort_transformation: body },
    problems
  ]),
  ["an unknown category", { cohort_category: "friends" }, [[["body", "cohort_category"], "enum"]]],
  ["a bad URL and a bad transformation", { ...at("http://files.example/quiet"), cohort_transformation: {} }, [
    [["body", "source", "url"], "url_parsing"],
    [["body", "cohort_transformation", "phone_number"], "missing"]
  ]]
]

const one = (change: object) => ({ users: [{ user_phone_number: "9876543210", ...change }] })
const inUser = (...keys: ReadonlyArray<string | number>) => ["body", "users", 0, ...keys]
const somebody = { user_phone_number: "9876543210" }

/** Invalid lists of contacts. */
export const wrongContacts: ReadonlyArray<Wrong> = [
  ["a long name", { name: "x".repeat(51) }, [[["body", "name"], "string_pattern_mismatch"]]],
  ["no people", { users: [] }, [[["body", "users"], "too_short"]]],
  ["1,001 people", { users: Array.from({ length: 1_001 }, () => somebody) }, [[["body", "users"], "too_long"]]],
  ["no list", { users: somebody }, [[["body", "users"], "list_type"]]],
  ["a user that is none", { users: ["9876543210"] }, [[inUser(), "object_type"]]],
  ["no number", one({ user_phone_number: undefined }), [[inUser("user_phone_number"), "missing"]]],
  ["a number that is no text", one({ user_phone_number: 9876543210 }), [[inUser("user_phone_number"), "string_type"]]],
  ["an identifier that is no text", one({ user_identifier: 7 }), [[inUser("user_identifier"), "string_type"]]],
  ["a variable that is no text", one({ app_variables: { customer_name: 7 } }), [
    [inUser("app_variables", "customer_name"), "string_type"]
  ]],
  ["variables that are a list", one({ app_variables: [] }), [[inUser("app_variables"), "object_type"]]],
  ["an undeclared variable", one({ app_variables: { balance: "7" } }), [
    [inUser("app_variables", "balance"), "value_error"]
  ]],
  ["an unknown override", one({ app_overrides: { greeting: "Hello" } }), [
    [inUser("app_overrides", "greeting"), "value_error"]
  ]],
  ["a variable that no object can keep", one({ app_variables: JSON.parse(`{"__proto__":"x"}`) }), [
    [inUser("app_variables", "__proto__"), "value_error"]
  ]],
  ["more variables than columns", {
    users: [somebody, {
      ...somebody,
      app_variables: Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`v${index}`, ""]))
    }]
  }, [[["body", "users", 1, "app_variables"], "value_error"]]],
  ["an unknown category", { cohort_category: "friends" }, [[["body", "cohort_category"], "enum"]]],
  ["much that is wrong", { name: "a/b", users: [somebody, {}, somebody, { user_phone_number: null }] }, [
    [["body", "name"], "string_pattern_mismatch"],
    [["body", "users", 1, "user_phone_number"], "missing"],
    [["body", "users", 3, "user_phone_number"], "string_type"]
  ]]
]

/** Requests as the rows of a test. */
export const titled = (wrongs: ReadonlyArray<Wrong>) =>
  wrongs.map(([title, body, expected]) => ({ title, body, expected }))
