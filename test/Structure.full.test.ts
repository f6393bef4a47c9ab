import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { posix } from "node:path"
import type { SourceText } from "./Architecture.js"
import {
  circularImports,
  citationFaults,
  constantFaults,
  decisionsIn,
  folderCircles,
  folderFaults,
  lengthFaults,
  medianFaults,
  openingFaults,
  reexportFaults,
  testingFaults,
  testNameFaults,
  unusedExports
} from "./Structure.js"

const filesIn = (folder: string, extension: string): ReadonlyArray<SourceText> =>
  !existsSync(folder) ? [] : readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(extension) && !/(^|\/)(node_modules|dist|\.trunkline)\//.test(name))
    .map((name) => ({ path: posix.join(folder, name), text: readFileSync(posix.join(folder, name), "utf8") }))

const packages = ["packages", "adapters", "examples"].flatMap((group) =>
  readdirSync(group).filter((name) => existsSync(`${group}/${name}/package.json`)).map((name) => `${group}/${name}`)
)
const code = packages.flatMap((folder) => [...filesIn(`${folder}/src`, ".ts"), ...filesIn(`${folder}/test`, ".ts")])
const programs = [...code, ...filesIn("test", ".ts"), ...filesIn("bench", ".ts")]
  .filter(({ path }) => path !== "test/Structure.full.test.ts")
/** Files that a person writes. */
const written = programs.filter(({ path }) => !path.includes("/src/generated/"))
const documents = [...filesIn("docs", ".md"), { path: "README.md", text: readFileSync("README.md", "utf8") }]

const none = (faults: ReadonlyArray<string>) => assert.strictEqual(faults.join("\n"), "")

describe("the files of this repository", () => {
  it("are short enough to be read at once", () => none(lengthFaults(written)))

  it("that tests consist of have names in PascalCase", () => {
    none(testNameFaults(programs))
    const named = ["test/line-killed.full.test.ts", "test/setup/turns.ts", "test/Laws.test.ts", "test/index.ts"]
    assert.deepStrictEqual(
      testNameFaults(named.map((path) => ({ path, text: "" }))),
      ["test/line-killed.full.test.ts: not in PascalCase", "test/setup/turns.ts: not in PascalCase"]
    )
  })

  it("hold a concept each, not a fragment", () => none(medianFaults(code)))

  it("stand in folders that can be read at a glance", () => none(folderFaults(code)))

  it("export by name", () => none(code.flatMap(reexportFaults)))

  it("export only names that another file uses", () =>
    none(unusedExports(code).filter((fault) => !fault.includes("/src/generated/"))))

  it("import in one direction", () => none(circularImports(programs)))

  it("lie in folders that import in one direction, too", () => none(folderCircles(code)))

  it("keep apart what only tests use", () => none(testingFaults(code)))

  it("cite only documents that are here", () => {
    const decisions = decisionsIn(readFileSync("docs/decisions.md", "utf8"))
    assert.isAbove(decisions.length, 0)
    none(citationFaults([...programs, ...documents], { isPresent: existsSync, decisions }))
  })

  it("give each decision a number of its own", () => {
    const decisions = decisionsIn(readFileSync("docs/decisions.md", "utf8"))
    assert.deepStrictEqual(decisions.filter((number, index) => decisions.indexOf(number) !== index), [])
  })

  it("name constants in camelCase", () => none(written.flatMap(constantFaults)))

  it("describe things with a noun or a verb first", () => none(programs.flatMap(openingFaults)))
})

describe("the structure checks", () => {
  const source = (name: string, text: string): SourceText => ({ path: `packages/kernel/src/${name}`, text })

  it("find long files, fragments and full folders", () => {
    const long = source("Long.ts", "\n".repeat(251))
    assert.deepStrictEqual(lengthFaults([long, source("Short.ts", "\n".repeat(250))]), [
      "packages/kernel/src/Long.ts: 251 lines, more than 250"
    ])
    assert.strictEqual(medianFaults([source("A.ts", "\n"), source("B.ts", "\n"), long]).length, 1)
    assert.deepStrictEqual(medianFaults([source("A.ts", "\n"), long, long]), [])
    const many = Array.from({ length: 21 }, (_, index) => source(`wide/F${index}.ts`, ""))
    assert.deepStrictEqual(folderFaults(many), ["packages/kernel/src/wide: 21 entries, more than 20"])
    assert.deepStrictEqual(folderFaults(many.slice(1)), [])
  })

  it("find exports without names, files that pass on, and names that no other file takes", () => {
    assert.deepStrictEqual(reexportFaults(source("index.ts", `export * from "./A.js"\nexport * as B from "./B.js"`)), [
      "packages/kernel/src/index.ts: exports everything of another file instead of names"
    ])
    assert.deepStrictEqual(reexportFaults(source("A.ts", `export { b } from "./B.js"`)), [
      "packages/kernel/src/A.ts: only passes on what other files export"
    ])
    assert.deepStrictEqual(reexportFaults(source("entry.ts", `import "./B.js"`)), [])
    const used = [
      source("A.ts", "export const a = 1, b = 2\nexport interface C {}\nexport class D {}\nconst e = 1"),
      source("B.ts", `import { a, type C as See } from "./A.js"`),
      source("W.ts", "export const w = 1"),
      source("X.ts", `import * as W from "./W.js"`)
    ]
    assert.deepStrictEqual(unusedExports(used), [
      "packages/kernel/src/A.ts: b is exported, and used nowhere else",
      "packages/kernel/src/A.ts: D is exported, and used nowhere else"
    ])
  })

  it("find circles of imports, through types too", () => {
    const circle = [
      source("A.ts", `import type { B } from "./b/B.js"`),
      source("b/B.ts", `import { c } from "../C.js"`),
      source("C.ts", `type A = import("./A.js").A`)
    ]
    assert.deepStrictEqual(circularImports(circle), [
      ["A", "b/B", "C", "A"].map((name) => `packages/kernel/src/${name}.ts`).join(" → ")
    ])
    assert.deepStrictEqual(circularImports(circle.slice(0, 2)), [])
  })

  it("find folders that import each other", () => {
    const files = [
      source("calls/Calls.ts", `import "../attempts/Attempt.js"`),
      source("attempts/Attempts.ts", `import "../calls/Leg.js"`),
      source("attempts/Attempt.ts", ""),
      source("calls/Leg.ts", ""),
      source("live/inner/Feed.ts", `import "../Event.js"\nimport "../../calls/Leg.js"`),
      source("live/Event.ts", "")
    ]
    assert.deepStrictEqual(folderCircles(files), ["packages/kernel/src: attempts, calls import each other"])
    assert.deepStrictEqual(folderCircles([...files, source("live/Event.ts", `import "./inner/Feed.js"`)]), [
      "packages/kernel/src: attempts, calls import each other",
      "packages/kernel/src/live: Event.ts, inner import each other"
    ])
    assert.deepStrictEqual(folderCircles(files.slice(1)), [])
  })

  it("find files outside src/testing that only tests use", () => {
    const files = [
      source("index.ts", `import "./Port.js"`),
      source("Port.ts", ""),
      source("Port.laws.ts", `import "./Port.js"\nimport "./Double.js"`),
      source("Double.ts", ""),
      source("worker.ts", `import "./Double.js"`),
      source("testing/Fixtures.ts", ""),
      source("testing.ts", `import "./Port.laws.js"\nimport "./testing/Fixtures.js"`)
    ]
    assert.deepStrictEqual(testingFaults(files), [
      "packages/kernel/src/Port.laws.ts: only tests use it, so it belongs in packages/kernel/src/testing"
    ])
  })

  it("find citations that lead to nothing", () => {
    const options = {
      isPresent: (path: string) => path === "docs/decisions.md" || path === "packages/kernel/README.md",
      decisions: decisionsIn("- **9. A choice,** whose number is not 7.\n- **23. Another.** 8.\n\n10. Not one.\n")
    }
    const faults = (text: string) => citationFaults([source("A.ts", text)], options).map((fault) => fault.slice(25))
    assert.deepStrictEqual(faults("/** See docs/decisions.md, 9, README.md and RFC 9110. */"), [])
    assert.deepStrictEqual(faults("// docs/decisions.md, 10"), ["1: no entry 10 in docs/decisions.md"])
    assert.deepStrictEqual(faults("/** See docs/decisions.md, 23 and 24. */"), ["1: no entry 24 in docs/decisions.md"])
    assert.deepStrictEqual(faults("\n * Bounds (docs/none.md)"), ["2: no docs/none.md here"])
    assert.deepStrictEqual(faults("/** At most 8 (shapes 1.4). */\nconst decisions = 4 // decisions 8"), [
      `1: cites "shapes 1", which is not here`,
      `2: cites "decisions 8", which is not here`
    ])
    assert.deepStrictEqual(faults(`const text = "decisions 8"`), [])
  })

  it("find constants that are not in camelCase", () => {
    const text = "export const MAX_CALLS = 3\nconst Agent = {}, rest = 2\nconst HTTP = 1\nconst schema = MAX_CALLS"
    assert.deepStrictEqual(constantFaults(source("A.ts", text)), [
      "packages/kernel/src/A.ts: MAX_CALLS is not in camelCase",
      "packages/kernel/src/A.ts: HTTP is not in camelCase"
    ])
  })

  it("find descriptions that begin with a question word", () => {
    const text = "/** What is known. */\n/**\n * Whether it is open,\n * Who knows.\n */\n// Whoever\nconst what = 1"
    assert.deepStrictEqual(openingFaults(source("A.ts", text)).map((fault) => fault.slice(25)), [
      `1: begins with "What"`,
      `3: begins with "Whether"`,
      `6: begins with "Whoever"`
    ])
  })
})
