import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { operations } from "../../src/commands/Syntax.js"

const folder = join(import.meta.dirname, "../../deploy")
const { loadAll }: { readonly loadAll: (text: string) => ReadonlyArray<unknown> } = createRequire(
  join(import.meta.dirname, "../../../../tools/package.json")
)("js-yaml")

const files = readdirSync(folder, { recursive: true }).map(String).filter((name) => /\.yaml$|^Dockerfile$/.test(name))
const textOf = (name: string) => readFileSync(join(folder, name), "utf8")

/** Values of a key, wherever it stands in a document. */
const valuesOf = (value: unknown, key: string): ReadonlyArray<unknown> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) => [...(name === key ? [inner] : []), ...valuesOf(inner, key)])

/** Command lines of the tool in a file. */
const commandsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from(
    text.matchAll(/\["node", "node_modules\/trunkline\/bin\/trunkline\.mjs", ([^\]]+)\]/g),
    ([, words]) => JSON.parse(`[${words}]`)
  )

const secondsOf = (words: ReadonlyArray<string>, flag: string): number =>
  words.includes(flag) ? Number(words[words.indexOf(flag) + 1]) : 0

describe("files to deploy with", () => {
  it.each(files)("%s uses commands and flags that exist", (name) => {
    const commands = commandsOf(textOf(name))
    assert.isNotEmpty(commands)
    for (const [command = "", ...words] of commands) {
      const known = Object.keys(operations[command]?.flags ?? {}).map((flag) => `--${flag}`)
      assert.includeMembers(known, words.filter((word) => word.startsWith("--")), command)
    }
  })

  it.each(files.filter((name) => name.endsWith(".yaml")))(
    "%s runs as nobody special, on a root that is read-only",
    (name) => {
      for (const document of loadAll(textOf(name))) {
        const containers = valuesOf(document, "containers").flat()
        for (const container of containers) {
          assert.deepStrictEqual(valuesOf(container, "readOnlyRootFilesystem"), [true])
          assert.deepStrictEqual(valuesOf(container, "drop"), [["ALL"]])
        }
        if (containers.length > 0) assert.deepStrictEqual(valuesOf(document, "runAsNonRoot"), [true])
        for (const service of valuesOf(document, "services").flatMap((services) => Object.values(Object(services)))) {
          const isOurs = valuesOf(service, "build").length > 0
          assert.strictEqual(valuesOf(service, "read_only").length, isOurs ? 1 : 0)
        }
      }
    }
  )

  it("give calls the time to end before a server is killed", () => {
    const [server] = loadAll(textOf("kubernetes/server.yaml"))
    const [words = []] = commandsOf(textOf("kubernetes/server.yaml"))
    const [grace] = valuesOf(server, "terminationGracePeriodSeconds")
    assert.isAbove(Number(grace), secondsOf(words, "--pause") + secondsOf(words, "--drain"))
    for (const name of ["compose.yaml", "compose.postgres.yaml"]) {
      const [compose] = loadAll(textOf(name))
      const serve = commandsOf(textOf(name)).find(([command]) => command === "serve") ?? []
      const [stop] = valuesOf(compose, "stop_grace_period")
      assert.isAbove(Number.parseInt(String(stop)), secondsOf(serve, "--pause") + secondsOf(serve, "--drain"))
    }
  })

  it("ask for the health of a server where it tells it", () => {
    const [server] = loadAll(textOf("kubernetes/server.yaml"))
    const paths = valuesOf(server, "httpGet").flatMap((probe) => valuesOf(probe, "path"))
    assert.deepStrictEqual(paths, ["/livez", "/livez", "/readyz"])
    assert.include(textOf("Dockerfile"), "/livez")
  })
})
