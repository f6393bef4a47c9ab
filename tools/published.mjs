// Makes the published package `trunkline`: the engine, its adapters and its command line as one bundle, with no other
// packages of this repository.
import { build } from "esbuild"
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import ts from "typescript"
import { adapterOf, root, workerEntries } from "./bundle.mjs"
import { copyDeclarations } from "./declarations.mjs"
import { derivedManifest } from "./published-manifest.mjs"
import { schemaInside } from "./schema-inside.mjs"
import { importSubpaths } from "./subpaths.mjs"

const home = join(root, "adapters/trunkline")

/** Folder that the published package is made in. */
export const staging = join(home, "dist/package")

/** Options that both module systems share, so that `instanceof` means the same in both: CommonJS, which either can load. */
const shared = /\/options\/(AgentOptions|InvalidOption|LineOptions)\.js$/

/**
 * CommonJS variables, for the CommonJS modules inside the bundle. A bundle of a host in CommonJS has no `import.meta.url`,
 * and webpack takes a plain `createRequire` for its own.
 */
const banner = [
  "import __module from 'node:module'",
  "import { dirname as __dirnameOf } from 'node:path'",
  "import { fileURLToPath as __pathOf, pathToFileURL as __urlOf } from 'node:url'",
  "const __program = __urlOf(process.argv[1] || 'index.js').href",
  "const __here = import.meta.url || __program",
  "const __requireIn = (({ createRequire }) => createRequire)(__module)",
  "const require = __requireIn(__here)",
  "const __filename = __pathOf(__here)",
  "const __dirname = __dirnameOf(__filename)"
].join(";")

/**
 * Where the package is installed: workers lie there, and what it needs, also when the host has bundled this file with its
 * own. `__named` hides the name of an optional package from bundlers, which would fail where it is not installed.
 */
const place = `const installedFrom = (url) => {
  try {
    return new URL("dist/main/", __urlOf(__requireIn(url).resolve("trunkline/package.json"))).href
  } catch {
    return undefined
  }
}
export const __file = installedFrom(__here) ?? installedFrom(__program) ?? new URL("../main/", __here).href
export const __named = (name) => name
export const __loaded = __requireIn(__file)
`

const importPlace = `import { __file, __loaded, __named } from "trunkline:place"\n`

/** Source as it is bundled: adapters look for workers beside the file, and Effect is imported by module. */
const sources = {
  name: "sources",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/(packages|adapters)\/[^/]+\/src\/.*\.ts$/ }, async ({ path }) => {
      const url = `new URL("../${adapterOf(path)}/index.js", __file).href`
      const text = importSubpaths(await readFile(path, "utf8"))
        .replaceAll("createRequire(import.meta.url)", "__requireIn(import.meta.url)")
        .replaceAll("import.meta.url", url)
        .replaceAll(/(await |=> )import\("((?!@trunkline\/)[^".][^"]*)"\)/g, `$1import(__named("$2"))`)
      return { loader: "ts", contents: /\b__(file|named)\b/.test(text) ? importPlace + text : text }
    })
}

/** Tells bundlers of hosts to leave imports of optional packages as they are; esbuild drops such comments. */
const markImports = (files) => {
  for (const file of files) {
    const text = readFileSync(join(root, file), "utf8")
    const marked = text.replaceAll(/import\((?=__named\d*\()/g, "import(/* webpackIgnore: true *//* @vite-ignore */")
    if (marked !== text) writeFileSync(join(root, file), marked)
  }
}

/** Words of ShownStack.ts, which a limit of the line breaks in two, wherever it falls. */
const words = "node-do-not-add-exception-line"
const brokenWords = new RegExp(`(${Array.from(words).join("(?:\\\\\\n)?")}"\\])\\n?`, "g")

/** Writes the words by which Node.js leaves a line of source out in one line with the call that they belong to. */
const joinWords = (files) => {
  for (const file of files) {
    const text = readFileSync(file, "utf8")
    const joined = text.replaceAll(brokenWords, `${words}"]`)
    if (joined !== text) writeFileSync(file, joined)
  }
}

/** Modules that are loaded from where the package is installed: names of their exports, by package. */
const loaded = { "better-sqlite3": "default", "nodemailer": "createTransport" }

/** Leaves native modules and CommonJS ones to Node.js, in a way that bundlers of hosts do not look into. */
const fromPlace = {
  name: "from-place",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^trunkline:place$/ }, () => ({ path: "place", namespace: "place", sideEffects: false }))
    onResolve(
      { filter: /^(better-sqlite3|nodemailer)$/ },
      ({ path }) => ({ path, namespace: "place", sideEffects: false })
    )
    onLoad({ filter: /./, namespace: "place" }, ({ path }) => {
      if (path === "place") return { contents: place }
      const name = loaded[path]
      const all = `${importPlace}const all = __loaded(${JSON.stringify(path)})\n`
      return { contents: name === "default" ? `${all}export default all` : `${all}export const { ${name} } = all` }
    })
  }
}

/** Leaves the shared options, and the engine behind `createTrunkline`, to files of their own. */
const apart = {
  name: "apart",
  setup: ({ onResolve }) => {
    onResolve({ filter: shared }, () => ({ path: "../plain/options.js", external: true }))
    onResolve(
      { filter: /^\.{1,2}\/(AgentOptions|InvalidOption|LineOptions)\.js$/ },
      ({ importer }) =>
        importer.startsWith(`${home}/src/options/`) ? { path: "../plain/options.js", external: true } : undefined
    )
    onResolve({ filter: /^\.\/CreateTrunkline\.js$/ }, () => ({ path: "../main/create.js", external: true }))
  }
}

/**
 * Leaves out what the main module of undici loads beside its connections: `fetch`, WebSockets, cookies and mocks. Loading
 * them, and Node's own that they refer to, was a seventh of the time to load the bundle.
 */
const withoutWeb = {
  name: "without-web",
  setup: ({ onLoad, onResolve }) => {
    onResolve(
      { filter: /^\.\/lib\/(web|mock)\// },
      ({ importer, path }) => importer.endsWith("/undici/index.js") ? { path, namespace: "without-web" } : undefined
    )
    onLoad({ filter: /./, namespace: "without-web" }, () => ({ contents: "exports.CacheStorage = class {}" }))
  }
}

const common = {
  absWorkingDir: root,
  bundle: true,
  target: "node20",
  platform: "node",
  tsconfig: "tsconfig.base.json",
  conditions: ["@trunkline/source"],
  minifySyntax: true,
  minifyWhitespace: true,
  // Node.js prints the line that threw an error.
  lineLimit: 160,
  legalComments: "none",
  logLevel: "warning"
}

/** Bundles the engine and what runs in threads and child processes: each file lies one folder below `dist`. */
const bundleEngine = (outdir, external) =>
  build({
    ...common,
    entryPoints: Object.fromEntries([
      ["main/create", "adapters/trunkline/src/CreateTrunkline.ts"],
      ["main/effect", "adapters/trunkline/src/effect.ts"],
      ["main/testing", "adapters/trunkline/src/testing.ts"],
      ["cli/index", "adapters/trunkline/src/commands/Main.ts"],
      ...workerEntries().filter(([name]) => !name.endsWith("/testing"))
    ]),
    outdir,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    format: "esm",
    external: external.flatMap((name) => [name, `${name}/*`]),
    banner: { js: banner },
    metafile: true,
    plugins: [apart, fromPlace, schemaInside, withoutWeb, sources]
  })

const optionModules = ["AgentOptions", "InvalidOption", "LineOptions"]

/** Bundles what needs no engine, as CommonJS. */
const bundlePlain = async (outdir) => {
  await build({
    ...common,
    entryPoints: { index: "adapters/trunkline/src/index.ts", next: "adapters/trunkline/src/next.ts" },
    outdir,
    format: "cjs",
    plugins: [apart]
  })
  await build({
    ...common,
    stdin: {
      contents: optionModules.map((name) => `export * from "./${name}.ts"`).join("\n"),
      resolveDir: join(home, "src/options"),
      loader: "ts"
    },
    outfile: join(outdir, "options.js"),
    format: "cjs"
  })
  writeFileSync(join(outdir, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`)
}

/** Writes a module of an entry that passes on the CommonJS one, by the names of its exports. */
const passOn = async (dist, name) => {
  const { default: exported } = await import(join(dist, "plain", `${name}.js`))
  writeFileSync(
    join(dist, "main", `${name}.js`),
    `export { ${Object.keys(exported).toSorted().join(", ")} } from "../plain/${name}.js"\n`
  )
}

/** Faults of declarations that everybody's compiler reads: they name nothing but Node.js, neither Effect nor our packages. */
export const plainFaults = (declarations) =>
  Array.from(declarations).flatMap(([place, text]) =>
    ts.preProcessFile(text, true, true).importedFiles
      .filter(({ fileName }) => place.startsWith("lib/") || !/^(\.|node:)/.test(fileName))
      .map(({ fileName }) => `${place}: ${fileName}`)
  )

/** Makes the package in the staging folder, from declarations that tsc has written. Returns esbuild's account of it. */
export const stage = async () => {
  const dist = join(staging, "dist")
  rmSync(staging, { recursive: true, force: true })
  mkdirSync(join(staging, "bin"), { recursive: true })
  const manifest = derivedManifest()
  const { metafile } = await bundleEngine(dist, [
    "better-sqlite3",
    ...Object.keys(manifest.peerDependencies)
  ])
  markImports(Object.keys(metafile.outputs))
  await bundlePlain(join(dist, "plain"))
  joinWords([...Object.keys(metafile.outputs).map((file) => join(root, file)), join(dist, "plain/options.js")])
  for (const name of ["index", "next"]) await passOn(dist, name)

  const declared = { home: join(home, "dist"), external: ["effect", "node:http", "node:stream"] }
  copyDeclarations(["index.d.ts", "next.d.ts", "testing.d.ts", "effect.d.ts"], {
    ...declared,
    folder: join(dist, "types")
  })
  const everybody = ["index.d.ts", "next.d.ts", "testing.d.ts"]
  const plain = copyDeclarations(everybody, { ...declared, folder: join(dist, "plain") })
  const faults = plainFaults(plain)
  if (faults.length > 0) throw new Error(`Declarations for everybody name packages:\n${faults.join("\n")}`)

  writeFileSync(join(staging, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`)
  writeFileSync(
    join(staging, "bin/trunkline.mjs"),
    `#!/usr/bin/env node\nimport { main } from "../dist/cli/index.js"\n\nawait main()\n`,
    { mode: 0o755 }
  )
  cpSync(join(home, "deploy"), join(staging, "deploy"), { recursive: true })
  copyFileSync(join(home, "README.md"), join(staging, "README.md"))
  for (const name of ["LICENSE", "NOTICE"]) copyFileSync(join(root, name), join(staging, name))
  return metafile
}
