import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { readme, tsconfigs } from "../tools/references.mjs"
import {
  dependencyCircles,
  effectFaults,
  importFaults,
  type Package,
  packageFaults,
  type SourceText,
  unitTestFaults
} from "./Architecture.js"

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"))

const packages = ["packages", "adapters", "examples"].flatMap((group) =>
  readdirSync(group).filter((name) => existsSync(join(group, name, "package.json"))).map((name): Package => {
    const folder = posix.join(group, name)
    const manifest = readJson(join(folder, "package.json"))
    return {
      folder,
      name: manifest.name,
      declared: Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
      declaredForTests: Object.keys(manifest.devDependencies ?? {}),
      references: readJson(join(folder, "tsconfig.json")).references.map((reference: { readonly path: string }) =>
        posix.join(folder, reference.path)
      )
    }
  })
)

const filesOf = (folder: string): ReadonlyArray<SourceText> =>
  ["src", "test"].map((part) => posix.join(folder, part)).filter((part) => existsSync(part)).flatMap((part) =>
    readdirSync(part, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts")).map((name) => ({
      path: posix.join(part, name),
      text: readFileSync(join(part, name), "utf8")
    }))
  )

const rootDevDependencies = Object.keys(readJson("package.json").devDependencies)

describe("the packages of this repository", () => {
  for (const owner of packages) {
    it(`${owner.folder} imports only what is below and declared`, () => {
      assert.deepStrictEqual(packageFaults(owner, packages), [])
      const faults = filesOf(owner.folder).flatMap((file) =>
        importFaults(file, { owner, packages, rootDevDependencies })
      )
      assert.deepStrictEqual(faults, [])
    })
  }

  it("depend on each other without circles", () => {
    assert.deepStrictEqual(dependencyCircles(packages), [])
  })

  it("refer to what they depend on, as `npm run references` writes it", () => {
    assert.deepStrictEqual([...tsconfigs()].filter(([path, text]) => readFileSync(path, "utf8") !== text), [])
  })

  it("stand in the tree of README.md, as `npm run references` writes it", () => {
    assert.strictEqual(readFileSync("README.md", "utf8"), readme())
  })

  it("reach for nothing outside, and for the right one of the two times", () => {
    assert.deepStrictEqual(packages.flatMap(({ folder }) => filesOf(folder)).flatMap(effectFaults), [])
  })

  it("keep their unit tests away from processes, sockets, threads and files", () => {
    assert.deepStrictEqual(packages.flatMap(({ folder }) => unitTestFaults(filesOf(folder))), [])
  })
})

describe("the checker", () => {
  const small = (folder: string, needs: ReadonlyArray<string>): Package => ({
    folder,
    name: `@trunkline/${folder.split("/")[1]}`,
    declared: needs.map((need) => need.includes("/") ? `@trunkline/${need.split("/")[1]}` : need),
    declaredForTests: [],
    references: needs.filter((need) => need.includes("/"))
  })
  const kernel = small("packages/kernel", ["packages/errors", "effect"])
  const cohorts = small("packages/cohorts", ["packages/kernel", "packages/agents", "effect"])
  const agents = small("packages/agents", ["packages/kernel"])
  const errors = small("packages/errors", ["effect"])
  const disk = small("adapters/disk", ["packages/cohorts", "adapters/other"])
  const other = small("adapters/other", [])
  const all = [kernel, cohorts, agents, errors, disk, other]

  const imports = (owner: Package, text: string, file = "src/A.ts") =>
    importFaults({ path: `${owner.folder}/${file}`, text }, {
      owner,
      packages: all,
      rootDevDependencies: ["vitest", "@effect/vitest"]
    }).map((fault) => fault.replace(`${owner.folder}/${file}: `, ""))

  it("passes imports from below, from itself and from what is declared", () => {
    assert.deepStrictEqual(imports(kernel, `import { Effect } from "effect"; import "@trunkline/errors/testing"`), [])
    assert.deepStrictEqual(imports(kernel, `export * from "./B.js"; import "@trunkline/kernel"`), [])
    assert.deepStrictEqual(imports(kernel, `import "vitest"; import "node:fs"; import "../src/A.js"`, "test/A.ts"), [])
    assert.deepStrictEqual(imports(disk, `import "node:fs"; import "@trunkline/cohorts"`), [])
    assert.deepStrictEqual(imports(kernel, `// import "pg"\nconst text = 'import "pg"'`), [])
  })

  it("finds imports that climb or go sideways", () => {
    const upwards = [
      "@trunkline/cohorts is not declared in packages/kernel/package.json",
      "@trunkline/cohorts is not on a lower floor"
    ]
    assert.deepStrictEqual(imports(kernel, `import type { Cohort } from "@trunkline/cohorts"`), upwards)
    assert.deepStrictEqual(imports(kernel, `type A = import("@trunkline/cohorts/testing").A`), upwards)
    assert.deepStrictEqual(imports(cohorts, `export * from "@trunkline/agents"`), [
      "@trunkline/agents is not on a lower floor"
    ])
    assert.deepStrictEqual(
      imports(kernel, `import "@trunkline/other"`).at(-1),
      "@trunkline/other is not on a lower floor"
    )
    assert.deepStrictEqual(imports(kernel, `import "../../errors/src/Errors.js"`), [
      "../../errors/src/Errors.js leaves the package"
    ])
  })

  it("lets adapters stand on other adapters, and finds circles", () => {
    assert.deepStrictEqual(imports(disk, `await import("@trunkline/other")`), [])
    assert.deepStrictEqual(dependencyCircles(all), [])
    assert.deepStrictEqual(dependencyCircles([small("adapters/other", ["adapters/disk"]), disk, cohorts]), [
      "adapters/other → adapters/disk → adapters/other"
    ])
  })

  it("finds what is not declared, and what belongs in an adapter", () => {
    assert.deepStrictEqual(imports(agents, `import { type Effect } from "effect/Effect"`), [
      "effect is not declared in packages/agents/package.json"
    ])
    assert.deepStrictEqual(imports(kernel, `import "vitest"`), [
      "vitest is not declared in packages/kernel/package.json"
    ])
    assert.deepStrictEqual(imports(kernel, `import "node:fs"; import "path"`), [
      "node:fs belongs in an adapter",
      "path belongs in an adapter"
    ])
  })

  it("finds references that are not the dependencies, and packages without a floor", () => {
    assert.deepStrictEqual(packageFaults(cohorts, all), [])
    assert.deepStrictEqual(packageFaults({ ...cohorts, references: ["packages/kernel", "packages/errors"] }, all), [
      "packages/cohorts/tsconfig.json: no reference to packages/agents",
      "packages/cohorts/package.json: packages/errors is not declared"
    ])
    assert.deepStrictEqual(packageFaults(small("packages/attic", []), all), [
      "packages/attic: not in the table of floors"
    ])
  })

  it("finds unit tests that reach the outside world, also through what they import", () => {
    const folder = "packages/kernel/test"
    const files = [
      { path: `${folder}/a/A.test.ts`, text: `import "../B.js"; import "node:util"; import "effect"` },
      { path: `${folder}/B.ts`, text: `import "./a/A.test.js"; import "node:fs"` },
      { path: `${folder}/A.world.test.ts`, text: `import "node:fs"` }
    ]
    assert.deepStrictEqual(unitTestFaults(files), [`${folder}/a/A.test.ts: node:fs belongs in a test of the world`])
  })

  const effects = (path: string, text: string) =>
    effectFaults({ path, text }).map((fault) => fault.replace(`${path}:`, ""))

  it("finds reaches for time, randomness, the network and the host", () => {
    const planted = `
      Date.now(); new Date(); Date()
      Math.random()
      crypto.randomUUID(); globalThis.crypto.getRandomValues(bytes)
      fetch(url); globalThis.fetch(url)
      setTimeout(f, 1); setInterval(f, 1); setImmediate(f)
      process.env; console.log(1); performance.now()
      Effect.runPromise(a); a.pipe(Runtime.runFork(b)); runSync(c); Effect.runPromiseExit(d)`
    assert.deepStrictEqual(effects("packages/models/src/A.ts", planted), [
      "2: Date.now",
      "2: Date",
      "2: Date",
      "3: Math.random",
      "4: crypto.randomUUID",
      "4: crypto.getRandomValues",
      "5: fetch",
      "5: fetch",
      "6: setTimeout",
      "6: setInterval",
      "6: setImmediate",
      "7: process.env",
      "7: console.log",
      "7: performance.now",
      "8: Effect.runPromise",
      "8: Runtime.runFork",
      "8: runSync",
      "8: Effect.runPromiseExit"
    ])
    assert.deepStrictEqual(effects("packages/models/test/A.ts", planted), [])
    assert.deepStrictEqual(effects("adapters/disk/src/A.ts", planted), [])
  })

  it("passes words that only look alike", () => {
    const alike = `
      // Date.now()
      const text = "fetch(url) console.log"
      new Date(0); source.fetch(url); Random.next; crypto.subtle; readonly.process; Effect.runtime()
      interface Port { readonly fetch: () => void; setTimeout(): void }`
    assert.deepStrictEqual(effects("packages/cohorts/src/A.ts", alike), [])
  })

  it("lets one file use timers of the event loop", () => {
    const text = "setImmediate(f); setTimeout(f); setInterval(f)"
    const all = ["1: setImmediate", "1: setTimeout", "1: setInterval"]
    assert.deepStrictEqual(effects("packages/kernel/src/time/Timers.ts", text), ["1: setInterval"])
    assert.deepStrictEqual(effects("packages/kernel/src/ids/Ids.ts", text), all)
  })

  it("finds technical time where calls live in business time", () => {
    const planted = "DateTime.now; Clock.currentTimeMillis; Effect.sleep(1); BusinessTime.sleep(1)"
    const found = ["1: DateTime.now", "1: Clock.currentTimeMillis", "1: Effect.sleep"]
    assert.deepStrictEqual(effects("packages/campaigns/src/A.ts", planted), found)
    assert.deepStrictEqual(effects("packages/webhooks/src/A.ts", planted), [])
  })
})
