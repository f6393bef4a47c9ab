import type { Invalid, NotFound } from "@trunkline/errors"
import { Scope } from "@trunkline/kernel"
import { CollectionName, type FoundPassage, Knowledge, type KnowledgeDocument } from "@trunkline/knowledge"
import { Effect, Either, Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { basename, resolve } from "node:path"
import { StartError } from "../../server/Explain.js"
import type { CommandCall } from "../Call.js"
import { besideServers } from "../SharedStores.js"

const decodeScope = Schema.decodeUnknownEither(Scope)

const isCollection = Schema.is(CollectionName)

/** Documents of a page. */
const pageSize = 100

/** Passages that a search prints. */
const shownPassages = 5

const workspaceOf = ({ flags }: CommandCall): Scope => {
  const [org_id, workspace_id, more] = String(flags["workspace"] ?? "").split("/")
  const scope = decodeScope({ org_id, workspace_id })
  if (Either.isRight(scope) && more === undefined) return scope.right
  throw new StartError("--workspace: Must be an organisation and a workspace, such as acme/main")
}

/** The collection of a flag; null without one. */
const collectionOf = ({ flags }: CommandCall): string | null => {
  const flag = flags["collection"]
  if (flag === undefined) return null
  if (isCollection(flag)) return flag
  throw new StartError("--collection: Must be a name such as handbook: up to 64 of a to z, digits, _ and -")
}

const textOf = (call: CommandCall, name: string): string | null => {
  const flag = call.flags[name]
  return typeof flag === "string" ? flag : null
}

/** The reason of a refusal, without the place of the field. */
const reasonOf = (error: Invalid): string => error.issues.map(({ msg }) => msg).join("; ")

const linesOf = ({ collection, document_id, kind, pages, passages, source, title }: KnowledgeDocument): string =>
  `${document_id}  ${collection}  ${kind}${pages === null ? "" : `, ${pages} pages`}, ${passages} passages  ${title}${
    title === source ? "" : ` (${source})`
  }`

const passageText = ({ heading, page, score, text, title }: FoundPassage): string =>
  `${title}${heading === "" ? "" : ` > ${heading}`}${page === null ? "" : `, page ${page}`} (${score.toFixed(2)})\n${
    text.replaceAll(/^/gm, "  ")
  }\n`

/** Adds files one by one. The exit code is 1 when one of them is refused; the others are added. */
const add = async (call: CommandCall, paths: ReadonlyArray<string>): Promise<number> => {
  if (paths.length === 0) {
    throw new StartError("Name the files: trunkline knowledge add handbook.pdf --workspace acme/main")
  }
  const [title, source] = [textOf(call, "title"), textOf(call, "source")]
  if (paths.length > 1 && (title ?? source) !== null) {
    throw new StartError("--title and --source are those of one file: add the files one by one")
  }
  const scope = workspaceOf(call)
  const collection = collectionOf(call) ?? "main"
  const refusals = await besideServers(
    call,
    Effect.flatMap(Knowledge, (knowledge) =>
      Effect.forEach(paths, (path) => {
        const file = resolve(call.folder, path)
        if (!existsSync(file)) return Effect.as(Effect.sync(() => call.print(`${path}: there is no such file`)), true)
        const document = {
          collection,
          title,
          source: source ?? basename(file),
          language_name: null,
          file: { filename: basename(file), contentType: null, bytes: new Uint8Array(readFileSync(file)) }
        }
        return Effect.match(knowledge.add(scope, document), {
          onFailure: (error) => {
            call.print(`${path}: ${reasonOf(error)}`)
            return true
          },
          onSuccess: ({ document: { document_id, passages }, outcome }) => {
            call.print(`${path}: ${outcome}, ${passages} passages, ${document_id}`)
            return false
          }
        })
      }))
  )
  return refusals.some(Boolean) ? 1 : 0
}

const list = async (call: CommandCall): Promise<number> => {
  const [scope, collection] = [workspaceOf(call), collectionOf(call)]
  const documents = await besideServers(
    call,
    Effect.flatMap(Knowledge, (knowledge) =>
      Effect.gen(function*() {
        const foundDocuments: Array<KnowledgeDocument> = []
        for (;;) {
          const page = {
            offset: foundDocuments.length,
            limit: pageSize,
            sort_by: "title",
            sort_order: "asc",
            search: ""
          } as const
          const { items, total } = yield* knowledge.list(scope, collection, page)
          foundDocuments.push(...items)
          if (items.length === 0 || foundDocuments.length >= total) return foundDocuments
        }
      }))
  )
  if (call.flags["json"] === true) call.print(JSON.stringify(documents, null, 2))
  else if (documents.length === 0) call.print("There are no documents: add some with trunkline knowledge add")
  else for (const document of documents) call.print(linesOf(document))
  return 0
}

const search = async (call: CommandCall, question: string): Promise<number> => {
  if (question === "") throw new StartError("Write the question: trunkline knowledge search \"When are you open?\"")
  const [scope, collection] = [workspaceOf(call), collectionOf(call)]
  const collections = collection === null ? null : [collection]
  const passages = await besideServers(
    call,
    Effect.flatMap(Knowledge, (knowledge) => knowledge.search(scope, { question, collections, limit: shownPassages }))
  )
  if (call.flags["json"] === true) call.print(JSON.stringify(passages, null, 2))
  else if (passages.length === 0) call.print("No passage has any of the words")
  else for (const passage of passages) call.print(passageText(passage))
  return 0
}

const remove = async (call: CommandCall, ids: ReadonlyArray<string>): Promise<number> => {
  if (ids.length === 0) throw new StartError("Name the ids of documents, which trunkline knowledge list prints")
  const scope = workspaceOf(call)
  const missing = await besideServers(
    call,
    Effect.flatMap(Knowledge, (knowledge) =>
      Effect.forEach(ids, (id) =>
        Effect.match(knowledge.remove(scope, id), {
          onFailure: (error: NotFound) => {
            call.print(error.message)
            return true
          },
          onSuccess: () => {
            call.print(`${id}: removed`)
            return false
          }
        })))
  )
  return missing.some(Boolean) ? 1 : 0
}

/** `trunkline knowledge`: adds, lists, searches and removes documents beside the servers of a data folder or database. */
export const knowledge = async (call: CommandCall): Promise<number> => {
  const [action, ...operands] = call.operands
  switch (action) {
    case "add":
      return add(call, operands)
    case "list":
      return list(call)
    case "search":
      return search(call, operands.join(" "))
    case "remove":
      return remove(call, operands)
    default:
      throw new StartError(
        "knowledge takes one of add, list, search and remove: trunkline knowledge --help shows its usage"
      )
  }
}
