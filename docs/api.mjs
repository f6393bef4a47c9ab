// Writes api/, which is not committed: a page for each package, from the docstrings and declarations of everything that it
// exports. Writes exports.txt, which is: the names of all exports, so that a change shows what it adds, renames or removes.
// With --check it writes nothing, and fails where exports.txt does not have the names of the source.
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import ts from "typescript"

const folder = "docs/api"
const listFile = "docs/exports.txt"
const manifestOf = (path) => JSON.parse(readFileSync(join(path, "package.json"), "utf8"))

const packages = ["packages", "adapters"].flatMap((group) =>
  readdirSync(group).sort().map((name) => join(group, name)).filter((path) => existsSync(join(path, "src/index.ts")))
)
const entriesOf = (path) => ["index", "testing"].map((name) => join(path, "src", `${name}.ts`)).filter(existsSync)

const { options } = ts.getParsedCommandLineOfConfigFile("tsconfig.base.json", { composite: false, noEmit: true }, {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, "\n"))
  }
})
const program = ts.createProgram({ rootNames: packages.flatMap(entriesOf), options })
const checker = program.getTypeChecker()
const printer = ts.createPrinter({ removeComments: false })
const typeFlags = ts.NodeBuilderFlags.NoTruncation | ts.NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope |
  ts.NodeBuilderFlags.WriteTypeParametersInQualifiedName

/** The type of a declaration as text: as it is written, else as it is inferred. */
const typeOf = (node) => {
  if (node.type) return node.type.getText()
  const type = checker.getTypeAtLocation(node)
  const inferred = checker.typeToTypeNode(type, node, typeFlags)
  const text = inferred ? printer.printNode(ts.EmitHint.Unspecified, inferred, node.getSourceFile()) : "unknown"
  return text.replaceAll(/import\("[^"]+"\)\./g, "")
}

/** A text without the indentation that all its lines but the first share. */
const dedent = (text) => {
  const indents = text.split("\n").slice(1).filter((line) => line.trim() !== "").map((line) =>
    /^ */.exec(line)[0].length
  )
  return text.replaceAll(`\n${" ".repeat(Math.min(...indents, 80))}`, "\n")
}

const isHidden = (node) =>
  ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private || node.name && ts.isPrivateIdentifier(node.name)

const docsIn = (node) => {
  const docs = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).map((doc) => doc.getText()).at(-1)
  return docs === undefined ? [] : dedent(docs).split("\n").map((line) => `  ${line}`)
}

/** What a class adds to those that it extends: its members without their bodies. */
const memberOf = (node) => {
  if (isHidden(node)) return []
  if (ts.isConstructorDeclaration(node)) {
    return [`  constructor(${node.parameters.map((parameter) => parameter.getText()).join(", ")})`]
  }
  const name = node.name?.getText()
  if (name === undefined) return []
  const words = (node.modifiers ?? []).map((modifier) => modifier.getText())
  const isReadonly = words.includes("readonly") || ts.isGetAccessor(node)
  const prefix = `${words.includes("static") ? "static " : ""}${isReadonly ? "readonly " : ""}`
  return [...docsIn(node), `  ${prefix}${name}: ${typeOf(node)}`]
}

const declarationOf = (node) => {
  if (ts.isVariableDeclaration(node)) {
    const name = node.name.getText()
    const isSchema = !node.type && node.initializer !== undefined && /^Schema\b/.test(node.initializer.getText())
    return isSchema
      ? `const ${name} = ${dedent(node.initializer.getText())}`
      : `declare const ${name}: ${dedent(typeOf(node))}`
  }
  if (ts.isFunctionDeclaration(node)) return `declare const ${node.name.text}: ${typeOf(node)}`
  if (ts.isClassDeclaration(node)) {
    const heritage = dedent((node.heritageClauses ?? []).map((clause) => clause.getText()).join(" "))
    const parameters = node.typeParameters ? `<${node.typeParameters.map((one) => one.getText()).join(", ")}>` : ""
    const members = node.members.flatMap(memberOf)
    const body = members.length > 0 ? `{\n${members.join("\n")}\n}` : "{}"
    return `class ${node.name.text}${parameters} ${heritage} ${body}`
  }
  return dedent(node.getText()).replace(/^export /, "")
}

const docOf = (symbol) => {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker))
  const examples = symbol.getJsDocTags(checker).filter(({ name }) => name === "example")
    .map((tag) => ts.displayPartsToString(tag.text).trim()).map((example) =>
      example.startsWith("```") ? example : `\`\`\`ts\n${example}\n\`\`\``
    )
  return [text, ...examples].filter((part) => part !== "")
}

const snippets = []
const boundary = (index) => `// snippet ${index}`

/** Keeps code to be formatted with all the other code in one run, and gives the text that stands for it until then. */
const snippet = (code) => boundary(snippets.push(code) - 1)

const formatted = () => {
  const input = snippets.map((code, index) => `${boundary(index)}\n${code}\n`).join("\n")
  const output = execFileSync("dprint", ["fmt", "--stdin", "api.ts"], {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 26
  })
  return output.split(/^\/\/ snippet \d+$/m).slice(1).map((code) => code.trim())
}

const sectionOf = (exported, path) => {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
  const nodes = (symbol.declarations ?? []).filter((node) => !ts.isSourceFile(node) && !ts.isModuleDeclaration(node))
  const file = (symbol.declarations?.[0]?.getSourceFile() ?? { fileName: path }).fileName
  if (!relative(".", file).startsWith("packages/") && !relative(".", file).startsWith("adapters/")) return undefined
  const source = relative(folder, file)
  const title = `### ${exported.name}`
  const link = `<sub>[${relative(path, file)}](${source})</sub>`
  if (nodes.length === 0) {
    const names = checker.getExportsOfModule(symbol).map(({ name }) => `\`${name}\``)
    return [title, ...docOf(symbol), `A namespace: ${names.join(", ")}.`, link].join("\n\n")
  }
  const code = snippet(nodes.map(declarationOf).join("\n\n"))
  return [title, ...docOf(symbol), `\`\`\`ts\n${code}\n\`\`\``, link].join("\n\n")
}

const sectionsOf = (path, entry) => {
  const module = checker.getSymbolAtLocation(program.getSourceFile(entry))
  const exports = module === undefined ? [] : checker.getExportsOfModule(module)
  return exports.toSorted((left, right) => left.name < right.name ? -1 : 1).flatMap((one) => sectionOf(one, path) ?? [])
}

const specifierOf = (path, entry) => {
  const { name } = manifestOf(path)
  return entry.endsWith("testing.ts") ? `${name}/testing` : name
}

const pageOf = (path) => {
  const { name, description } = manifestOf(path)
  const parts = entriesOf(path).flatMap((entry) => {
    return [`## ${specifierOf(path, entry)}`, ...sectionsOf(path, entry)]
  })
  return `${[`# ${name}`, description, ...parts].join("\n\n")}\n`
}

const list = packages.flatMap((path) =>
  entriesOf(path).flatMap((entry) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry))
    const names = module === undefined ? [] : checker.getExportsOfModule(module).map(({ name }) => name).sort()
    return names.map((name) => `${specifierOf(path, entry)} ${name}\n`)
  })
).join("")
if (process.argv.includes("--check")) {
  const isSame = existsSync(listFile) && readFileSync(listFile, "utf8") === list
  if (!isSame) {
    console.error(`Run npm run docs:api: the exports are not those of ${listFile}. Name what changes in the changelog`)
  }
  process.exit(isSame ? 0 : 1)
}

const drafts = packages.map((path) => [`${path.split("/")[1]}.md`, pageOf(path)])
const codes = formatted()
const pages = new Map(
  drafts.map(([name, page]) => [name, page.replace(/^\/\/ snippet (\d+)$/gm, (_, index) => codes[index])])
)
const index = packages.map((path) => {
  const { name, description } = manifestOf(path)
  return `- [${name}](${path.split("/")[1]}.md): ${description}`
})
pages.set(
  "README.md",
  `${["# API reference", "Written by `npm run docs:api` from the source.", index.join("\n")].join("\n\n")}\n`
)

writeFileSync(listFile, list)
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const [name, page] of pages) writeFileSync(join(folder, name), page)
console.log(`${pages.size} pages in ${folder}, and the names of all exports in ${listFile}`)
