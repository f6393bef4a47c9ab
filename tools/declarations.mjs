// Copies declarations, with everything that they import, so that they stand by themselves in a published package.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import ts from "typescript"
import { root } from "./bundle.mjs"

const options = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022
}

const host = ts.createCompilerHost(options)

/** File that declares the module of a specifier; undefined for modules of Node.js. */
const resolve = (specifier, from) =>
  ts.resolveModuleName(specifier, from, options, host, undefined, undefined, ts.ModuleKind.ESNext).resolvedModule
    ?.resolvedFileName

const printer = ts.createPrinter({ removeComments: true })

/** Text of a declaration to copy: without comments when it is not ours. */
const textOf = (file) => {
  const text = readFileSync(file, "utf8")
  return file.includes("/node_modules/")
    ? printer.printFile(ts.createSourceFile(file, text, ts.ScriptTarget.ES2022))
    : withoutIndexes(text, file)
}

const indexes = new Map()

/** Files, without an extension, that declare what an index passes on, with the names there; by the names that it exports. */
const exportsOf = (index) => {
  const known = indexes.get(index)
  if (known !== undefined) return known
  const lists = readFileSync(index, "utf8").matchAll(/^export (?:type )?\{([^}]*)\} from "(\.[^"]*)";/gm)
  const files = new Map(
    Array.from(lists).flatMap(([, list, from]) =>
      namesIn(list).map(({ local, name }) => [local, { file: join(dirname(index), from), name }])
    )
  )
  indexes.set(index, files)
  return files
}

/** Names in a list of imports or exports. */
const namesIn = (list) =>
  list.split(",").map((entry) => entry.trim().replace(/^type /, "")).filter((entry) => entry !== "").map((entry) => {
    const [name, local = name] = entry.split(" as ")
    return { name, local }
  })

/**
 * Text that imports from the files of our packages what it imports from their indexes, so that only what is needed is
 * reached. Files are absolute here.
 */
const withoutIndexes = (text, file) => {
  const origin = (specifier, name) => exportsOf(resolve(specifier, file)).get(name) ?? { file: specifier, name }
  return text
    .replaceAll(
      /^(import|export) (type )?\{([^}]*)\} from "(@trunkline\/[^"]*)";/gm,
      (_, verb, type = "", list, from) =>
        namesIn(list).map(({ local, name }) => {
          const { file, name: original } = origin(from, name)
          return `${verb} ${type}{ ${original === local ? local : `${original} as ${local}`} } from "${file}";`
        }).join("\n")
    )
    .replaceAll(/\bimport\("(@trunkline\/[^"]*)"\)\.(\w+)/g, (_, from, name) => {
      const { file, name: original } = origin(from, name)
      return `import("${file}").${original}`
    })
}

/** Place of a declaration below the folder of copies: those of other packages lie in `lib`. */
const placeOf = (file, home) => {
  if (file.startsWith(`${home}/`)) return relative(home, file)
  const path = relative(root, file).replace(/^.*node_modules\//, "").replace(
    /^(packages|adapters)\/([^/]+)\/dist\//,
    "@trunkline/$2/"
  )
  return join("lib", path.replace(/\.d\.[cm]ts$/, ".d.ts"))
}

const specifierOf = (place, from) => {
  const path = relative(dirname(from), place).replace(/\.d\.ts$/, ".js")
  return path.startsWith(".") ? path : `./${path}`
}

/**
 * Copies the declarations of `entries`, which lie in the folder `home`, and all declarations that they reach, except for
 * those of `external` packages, into a folder. Returns the copied text by its place in there.
 */
export const copyDeclarations = (entries, { external, folder, home }) => {
  const copies = new Map()
  const isExternal = (specifier) => external.some((name) => specifier === name || specifier.startsWith(`${name}/`))

  const copy = (file) => {
    const place = placeOf(file, home)
    if (copies.has(place)) return place
    copies.set(place, "")
    const text = textOf(file)
    const references = []
    const parts = []
    let at = 0
    const imported = ts.preProcessFile(text, true, true).importedFiles.toSorted((one, other) => one.pos - other.pos)
    for (const { end, fileName, pos } of imported) {
      if (isExternal(fileName) || text.includes(`declare module "${fileName}"`)) continue
      const target = resolve(fileName, file)
      if (target === undefined) throw new Error(`${file}: the declarations of ${fileName} were not found`)
      const name = specifierOf(copy(host.realpath(target)), place)
      // A file that declares modules by their names is referred to, and they keep those names.
      if (readFileSync(target, "utf8").includes(`declare module "${fileName}"`)) {
        references.push(`/// <reference path="${name.replace(/\.js$/, ".d.ts")}" />\n`)
        continue
      }
      const quoted = text.slice(pos, end + 1).indexOf(fileName)
      parts.push(text.slice(at, pos + quoted), name)
      at = pos + quoted + fileName.length
    }
    parts.push(text.slice(at))
    copies.set(place, [...references, ...parts].join("").replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"))
    return place
  }

  for (const entry of entries) copy(join(home, entry))
  const leak = Array.from(copies).find(([, text]) => text.includes(root))
  if (leak !== undefined) throw new Error(`The declarations ${leak[0]} name a folder of this machine`)
  for (const [place, text] of copies) {
    mkdirSync(dirname(join(folder, place)), { recursive: true })
    writeFileSync(join(folder, place), text)
  }
  return copies
}
