import { posix } from "node:path"
import ts from "typescript"
import type { SourceText } from "./Architecture.js"

/** Lines that a file may have at most: a concept fits, a package does not. */
const longest = { src: 250, test: 300 }

/** Files and folders that a folder may hold at most, so that its listing can be read at a glance. */
const widest = 20

/** Lines that half of all source files exceed: below it, concepts are cut into fragments. */
const leastMedian = 80

const lineCount = (text: string) => text.split("\n").length - 1

const isSource = (path: string) => /^(packages|adapters|examples)\/[^/]+\/src\//.test(path)

/** The files through which a package is imported. */
const isEntry = (path: string) =>
  /^(packages|adapters)\/[^/]+\/src\/(index|testing|fixtures|effect|guarded|next|server|sockets|sound|steps|talk|trace|commands\/Main)\.ts$/
    .test(
      path
    )

/** Files that are too long. */
export const lengthFaults = (files: ReadonlyArray<SourceText>): ReadonlyArray<string> =>
  files.flatMap(({ path, text }) => {
    const limit = isSource(path) ? longest.src : longest.test
    return lineCount(text) > limit ? [`${path}: ${lineCount(text)} lines, more than ${limit}`] : []
  })

/** The median length of source files, when it is too small. */
export const medianFaults = (files: ReadonlyArray<SourceText>): ReadonlyArray<string> => {
  const lengths = files.filter(({ path }) => isSource(path) && !isEntry(path))
    .map(({ text }) => lineCount(text)).sort((left, right) => left - right)
  const median = lengths[Math.floor(lengths.length / 2)] ?? leastMedian
  return median < leastMedian ? [`half of the source files have fewer than ${median + 1} lines`] : []
}

/** Folders that hold too much. */
export const folderFaults = (files: ReadonlyArray<SourceText>): ReadonlyArray<string> => {
  const entries = new Map<string, Set<string>>()
  for (const { path } of files) {
    const parts = path.split("/")
    for (let depth = 3; depth < parts.length; depth++) {
      const folder = parts.slice(0, depth).join("/")
      const held = entries.get(folder) ?? new Set()
      entries.set(folder, held.add(parts[depth] ?? ""))
    }
  }
  return [...entries].filter(([, held]) => held.size > widest)
    .map(([folder, held]) => `${folder}: ${held.size} entries, more than ${widest}`)
}

const parse = ({ path, text }: SourceText) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)

const targetOf = (path: string, specifier: ts.Expression | undefined): string | undefined =>
  specifier && ts.isStringLiteral(specifier) && specifier.text.startsWith(".")
    ? posix.join(posix.dirname(path), specifier.text).replace(/\.js$/, ".ts")
    : undefined

/** Exports without names, and files that only pass on what others export. */
export const reexportFaults = (file: SourceText): ReadonlyArray<string> => {
  if (!isSource(file.path)) return []
  const { statements } = parse(file)
  const stars = statements.filter((statement) =>
    ts.isExportDeclaration(statement) && statement.exportClause === undefined
  )
  const isOnlyPassingOn = statements.length > 0 && !isEntry(file.path) &&
    statements.every((statement) =>
      ts.isImportDeclaration(statement) && statement.importClause !== undefined || ts.isExportDeclaration(statement)
    )
  return [
    ...(stars.length > 0 ? [`${file.path}: exports everything of another file instead of names`] : []),
    ...(isOnlyPassingOn ? [`${file.path}: only passes on what other files export`] : [])
  ]
}

/** The files of its own package that each file imports, types included. */
const importsOf = (files: ReadonlyArray<SourceText>): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map(files.map(({ path, text }) => [
    path,
    ts.preProcessFile(text, true, true).importedFiles.filter(({ fileName }) => fileName.startsWith("."))
      .map(({ fileName }) => posix.join(posix.dirname(path), fileName).replace(/\.js$/, ".ts"))
  ]))

const testingEntry = /^((?:packages|adapters)\/[^/]+)\/src\/testing\.ts$/

/** Files that only the entry for tests reaches, outside the folder of tests of their package. */
export const testingFaults = (files: ReadonlyArray<SourceText>): ReadonlyArray<string> => {
  const imports = importsOf(files)
  const reachedFrom = (starts: ReadonlyArray<string>) => {
    const reached = new Set<string>()
    const visit = (path: string): void => {
      if (reached.has(path)) return
      reached.add(path)
      imports.get(path)?.forEach(visit)
    }
    starts.forEach(visit)
    return reached
  }
  return files.flatMap(({ path }) => testingEntry.exec(path)?.[1] ?? []).flatMap((folder) => {
    const isOfTests = (path: string) => isEntry(path) || path.startsWith(`${folder}/src/testing/`)
    const others = files.map(({ path }) => path).filter((path) => path.startsWith(`${folder}/src/`))
    const ofTests = reachedFrom([`${folder}/src/testing.ts`])
    const outside = new Set(
      others.filter((path) => !ofTests.has(path)).flatMap((path) => [...reachedFrom([path])])
    )
    return [...ofTests].filter((path) => others.includes(path) && !isOfTests(path) && !outside.has(path))
      .map((path) => `${path}: only tests use it, so it belongs in ${folder}/src/testing`)
  })
}

/** Circles of imports among files, those of types included; each as the files that it goes through. */
export const circularImports = (files: ReadonlyArray<SourceText>): ReadonlyArray<string> => {
  const imports = importsOf(files)
  const finished = new Set<string>()
  const circles: Array<string> = []
  const visit = (path: string, above: ReadonlyArray<string>): void => {
    if (above.includes(path)) {
      circles.push([...above.slice(above.indexOf(path)), path].join(" → "))
      return
    }
    if (finished.has(path)) return
    for (const target of imports.get(path) ?? []) visit(target, [...above, path])
    finished.add(path)
  }
  for (const path of imports.keys()) visit(path, [])
  return circles
}

/** Entries of a folder, and those that each of them imports. */
type FolderImports = Map<string, Set<string>>

/** Entries of a folder, files and folders, that import each other in a circle; each circle as the entries in it. */
export const folderCircles = (files: ReadonlyArray<SourceText>): ReadonlyArray<string> => {
  const folders = new Map<string, FolderImports>()
  for (const [path, targets] of importsOf(files.filter(({ path }) => isSource(path)))) {
    for (const target of targets) {
      const [from, to] = [path.split("/"), target.split("/")]
      const depth = from.findIndex((part, index) => part !== to[index])
      if (depth < 0) continue
      const folder = from.slice(0, depth).join("/")
      const entries: FolderImports = folders.get(folder) ?? new Map()
      const [entry = "", other = ""] = [from[depth], to[depth]]
      folders.set(folder, entries.set(entry, (entries.get(entry) ?? new Set()).add(other)))
    }
  }
  const reachable = (entries: FolderImports, start: string) => {
    const reached = new Set<string>()
    const visit = (entry: string): void =>
      entries.get(entry)?.forEach((next) => {
        if (!reached.has(next)) visit((reached.add(next), next))
      })
    visit(start)
    return reached
  }
  return [...folders].flatMap(([folder, entries]) => {
    const reached = new Map([...entries.keys()].map((entry) => [entry, reachable(entries, entry)]))
    const circles = [...reached].filter(([entry, others]) => others.has(entry)).map(([entry, others]) =>
      [...others].filter((other) => reached.get(other)?.has(entry)).sort().join(", ")
    )
    return [...new Set(circles)].map((circle) => `${folder}: ${circle} import each other`)
  })
}

interface Uses {
  /** Names taken from each file. */
  readonly names: Map<string, Set<string>>
  /** Files that are taken as a whole. */
  readonly whole: Set<string>
}

const usesIn = (files: ReadonlyArray<SourceText>): Uses => {
  const names = new Map<string, Set<string>>()
  const whole = new Set<string>()
  const use = (target: string, name: string) => names.set(target, (names.get(target) ?? new Set()).add(name))
  for (const file of files) {
    const visit = (node: ts.Node): void => {
      if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
        const target = targetOf(file.path, node.moduleSpecifier)
        const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause
        if (target === undefined) return
        if (bindings === undefined || ts.isNamespaceImport(bindings) || ts.isNamespaceExport(bindings)) {
          whole.add(target)
        } else bindings.elements.forEach((element) => use(target, (element.propertyName ?? element.name).text))
        return
      }
      if (
        ts.isImportTypeNode(node) || ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
      ) {
        const argument = ts.isImportTypeNode(node)
          ? ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined
          : node.arguments[0]
        const target = targetOf(file.path, argument as ts.Expression | undefined)
        if (target !== undefined) whole.add(target)
      }
      ts.forEachChild(node, visit)
    }
    visit(parse(file))
  }
  return { names, whole }
}

/** Names of the values that a file exports, and of types that nothing else in it mentions. */
const exportedNames = (file: SourceText): ReadonlyArray<string> =>
  parse(file).statements.flatMap((statement) => {
    const isExported = ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    if (!isExported) return []
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) => ts.isIdentifier(name) ? [name.text] : [])
    }
    if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
      return statement.name === undefined ? [] : [statement.name.text]
    }
    if (!ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement)) return []
    const name = statement.name.text
    return file.text.match(new RegExp(`\\b${name}\\b`, "g"))?.length === 1 ? [name] : []
  })

/** Names that a source file exports and no other file takes; types that its other exports mention may be among them. */
export const unusedExports = (files: ReadonlyArray<SourceText>): ReadonlyArray<string> => {
  const { names, whole } = usesIn(files)
  return files.filter(({ path }) => isSource(path) && !isEntry(path) && !whole.has(path)).flatMap((file) =>
    [...new Set(exportedNames(file))].filter((name) => !names.get(file.path)?.has(name))
      .map((name) => `${file.path}: ${name} is exported, and used nowhere else`)
  )
}

/** The lines of a file that are comments, with their numbers; of a document, all its lines. */
const proseOf = ({ path, text }: SourceText): ReadonlyArray<readonly [number, string]> =>
  text.split("\n").flatMap((line, index): ReadonlyArray<readonly [number, string]> => {
    const comment = path.endsWith(".md")
      ? line
      : /^\s*(?:\/?\*+|\/\/)(.*)/.exec(line)?.[1] ?? /[;,)}\]\w] \/\/ (.*)/.exec(line)?.[1]
    return comment === undefined ? [] : [[index + 1, comment.trim()]]
  })

/** Documents that this repository does not hold, as comments used to cite them. */
const elsewhere =
  /\b(shapes|reliability|many-machines|hot-paths|live-audio|prototypes?)[,:]? (§ ?)?\d|\bspecification\b(, [A-Z"]|:| §? ?\d)|\bdecisions? \d+|\bdesign(: |\/)[a-z]|\b(shapes|specification)\.md|reference-server\.md/

const documents = /(?<![\w/.-])((?:[\w.-]+\/)*[\w.-]+\.md)(?:, (\d+)(?: and (\d+))?)?/g

/** Numbers of the entries of docs/decisions.md, in their order. */
export const decisionsIn = (text: string): ReadonlyArray<number> =>
  Array.from(text.matchAll(/^- \*\*(\d+)\. /gm), ([, number]) => Number(number))

/** Citations that lead to nothing: documents that are not here, and entries that a document does not have. */
export const citationFaults = (
  files: ReadonlyArray<SourceText>,
  options: { readonly isPresent: (path: string) => boolean; readonly decisions: ReadonlyArray<number> }
): ReadonlyArray<string> =>
  files.flatMap((file) =>
    proseOf(file).flatMap(([line, prose]) => {
      const place = `${file.path}:${line}`
      const foreign = elsewhere.exec(prose)
      const missing = file.path.endsWith(".md") ?
        [] :
        [...prose.matchAll(documents)].flatMap(([, path = "", ...entries]) => {
          const [group, name] = file.path.split("/")
          if (!options.isPresent(path) && !options.isPresent(`${group}/${name}/${path}`)) {
            return [`${place}: no ${path} here`]
          }
          return entries.filter((entry) =>
            entry !== undefined && path === "docs/decisions.md" && !options.decisions.includes(Number(entry))
          ).map((entry) => `${place}: no entry ${entry} in ${path}`)
        })
      return [...(foreign ? [`${place}: cites "${foreign[0]}", which is not here`] : []), ...missing]
    })
  )

/** Words that make a riddle of a description when it begins with them. */
const riddling = /^(What|Who|Whose|Whom|Whether|How|Nobody|Whoever|Whatever)\b/

/** Descriptions that begin with a question word instead of a noun or a verb. */
export const openingFaults = (file: SourceText): ReadonlyArray<string> => {
  const lines = proseOf(file)
  return lines.flatMap(([line, prose], index) => {
    const [before, previous] = lines[index - 1] ?? [0, ""]
    const isOpening = before !== line - 1 || previous === "" || previous.endsWith("/")
    const opening = riddling.exec(prose.replace(/^\/?\*+ ?/, ""))
    return isOpening && opening ? [`${file.path}:${line}: begins with "${opening[0]}"`] : []
  })
}

/** Constants whose names are not in camelCase, as those of all values are. */
export const constantFaults = ({ path, text }: SourceText): ReadonlyArray<string> =>
  [...text.matchAll(/^(?:export )?const ([A-Z][A-Z0-9]+(?:_[A-Z0-9]+)*)\b/gm)].map(([, name]) =>
    `${path}: ${name} is not in camelCase`
  )

/** Files of test folders whose names are not in PascalCase; `index.ts` and declarations keep the names that tools give them. */
export const testNameFaults = (files: ReadonlyArray<SourceText>): ReadonlyArray<string> =>
  files.map(({ path }) => path).filter((path) =>
    /(?:^|\/)test\/.*\.ts$/.test(path) && !/(?:^|\/)index\.ts$|\.d\.ts$/.test(path) &&
    !/\/[A-Z][A-Za-z0-9]*(?:\.[a-z]+)*$/.test(path)
  )
    .map((path) => `${path}: not in PascalCase`)
