// Parts of the programs that write types: comments of the sources, and files that are written or checked.
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"

/** Every source file of the packages, and those of options, parsed. */
export const sources = [
  ...readdirSync("packages").map((name) => join("packages", name, "src")),
  "adapters/trunkline/src/options"
].flatMap((folder) => {
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".ts")).map((file) => {
      const path = join(folder, file)
      return ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ES2022, true)
    })
    : []
})

const docOf = (node) => {
  const comment = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1)?.comment
  const text = typeof comment === "string" ? comment : ts.getTextOfJSDocComment(comment)
  return text?.replaceAll(/\s+/g, " ").trim()
}

/** Comments of fields, by the object literals that declare schemas. */
const literals = []

/** Those of the fields that schemas share, some of which a schema may leave out. */
const sharedLiterals = []

/** Comments of exported schemas, by their names. */
export const namedDocs = new Map()
const visit = (node) => {
  if (ts.isObjectLiteralExpression(node)) {
    const fields = new Map(
      node.properties.filter(ts.isPropertyAssignment).map((property) => [property.name.getText(), docOf(property)])
    )
    if (Array.from(fields.values()).some((doc) => doc !== undefined)) {
      literals.push(fields)
      if (/conversationFields$/i.test(node.parent.name?.getText())) sharedLiterals.push(fields)
    }
  }
  const names = ts.isClassDeclaration(node) && node.name
    ? [node.name.text]
    : ts.isVariableStatement(node)
    ? node.declarationList.declarations.map(({ name }) => name.getText())
    : []
  const doc = names.length === 0 ? undefined : docOf(node)
  if (doc !== undefined) { for (const name of names) namedDocs.set(name, doc) }
  ts.forEachChild(node, visit)
}
sources.forEach(visit)

/**
 * Comment of a field: of the largest literal that declares it beside other fields of the same schema only, or else of the
 * fields that all reports of a call share.
 */
export const fieldDoc = (name, names) =>
  literals.filter((fields) =>
    fields.get(name) !== undefined && Array.from(fields.keys()).every((key) => names.has(key)) &&
    (fields.size > 1 || names.size === 1)
  ).sort((left, right) => right.size - left.size)[0]?.get(name) ??
    sharedLiterals.find((fields) => fields.get(name) !== undefined)?.get(name)

/** A text as a comment; empty for none. */
export const comment = (text, indent = "") => {
  if (text === undefined || text === "") return ""
  const width = 116 - indent.length
  const lines = []
  for (const word of text.replaceAll("*/", "* /").split(" ")) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length + 1 <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.length === 1
    ? `${indent}/** ${lines[0]} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`
}

/** The name of a field as it is written. */
export const keyOf = (name) => /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)

/** Types as one. */
export const union = (types) => {
  const all = Array.from(new Set(types.filter((type) => type !== "undefined")))
  return all.length === 0 ? "undefined" : all.includes("unknown") ? "unknown" : all.join(" | ")
}

export const listOf = (type) => `ReadonlyArray<${type}>`

/** A name with `_` in camel case. */
export const camel = (name) => name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase())

/**
 * Writes files into a folder, formatted, from their texts by name. With --check it writes nothing, and fails where a file is
 * not as it would be written; `script` is what writes them.
 */
export const writeOrCheck = (folder, texts, script) => {
  const isCheck = process.argv.includes("--check")
  for (const [name, content] of Object.entries(texts)) {
    const target = join(folder, name)
    const formatted = execFileSync("dprint", ["fmt", "--stdin", name], { input: content }).toString()
    if (!isCheck) {
      writeFileSync(target, formatted)
    } else if (!existsSync(target) || readFileSync(target, "utf8") !== formatted) {
      console.error(`${target} is not as its source says: run npm run ${script}`)
      process.exitCode = 1
    }
  }
}
