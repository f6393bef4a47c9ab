// Bundles Effect's Schema, and leaves the rest of Effect outside.
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"

const modules = dirname(fileURLToPath(import.meta.resolve("effect")))

/** Modules that are bundled: schemas, which refer to a library for property tests that takes as long to load as Effect. */
const inside = /^(Arbitrary|FastCheck|JSONSchema|ParseResult|Pretty|Schema|SchemaAST)$/

/**
 * Plugin of esbuild that bundles `effect/Schema` and what belongs to it. Schemas of two copies work together, since they
 * are told by symbols of the whole process; what has state, such as fibers and layers, stays in the one copy of Effect.
 */
export const schemaInside = {
  name: "schema-inside",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^effect\// }, ({ path }) => {
      const name = path.slice("effect/".length)
      return inside.test(name)
        ? { path: join(modules, `${name}.js`), sideEffects: false }
        : { path, external: true }
    })
    onResolve({ filter: /^\./ }, ({ importer, path }) => {
      if (!importer.startsWith(`${modules}/`)) return undefined
      const name = relative(modules, join(dirname(importer), path)).slice(0, -".js".length)
      if (inside.test(name) || name.startsWith("internal/")) return undefined
      return { path: `effect/${name}`, external: true }
    })
  }
}
