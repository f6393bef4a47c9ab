import { assert, describe, it, layer } from "@effect/vitest"
import { Ids, Transactions } from "@trunkline/kernel"
import {
  DocumentReader,
  IndexUnusable,
  kindOf,
  Knowledge,
  knowledgeLimits,
  KnowledgeStore,
  type NewDocument,
  PassageIndex
} from "@trunkline/knowledge"
import { workspaceOf } from "@trunkline/knowledge/testing"
import { Effect, Layer, Option } from "effect"

const stores = Layer.mergeAll(
  KnowledgeStore.layerMemory,
  DocumentReader.layerPlain,
  Ids.layerSeeded(1),
  Transactions.layerMemory
)

const live = Knowledge.layer.pipe(Layer.provideMerge(Layer.merge(stores, PassageIndex.layerMemory)))

const document = (text: string, change: Partial<NewDocument> = {}): NewDocument => ({
  collection: "main",
  title: null,
  source: null,
  language_name: null,
  file: { filename: "hours.md", contentType: null, bytes: new TextEncoder().encode(text) },
  ...change
})

const texts = (name: string, question: string, collections: ReadonlyArray<string> | null = null) =>
  Effect.flatMap(Knowledge, (knowledge) =>
    Effect.map(
      knowledge.search(workspaceOf(name), { question, collections, limit: 5 }),
      (passages) => passages.map(({ text }) => text)
    ))

const page = { offset: 0, limit: 10, sort_by: "created_at", sort_order: "desc", search: "" } as const

layer(live)("knowledge", (it) => {
  it.effect("adds, replaces and leaves a document by its source and its bytes", () =>
    Effect.gen(function*() {
      const knowledge = yield* Knowledge
      const scope = workspaceOf("add")
      const first = yield* knowledge.add(scope, document("# Hours\n\nOpen at ten."))
      assert.strictEqual(first.outcome, "added")
      assert.deepInclude(first.document, { title: "Hours", source: "hours.md", kind: "markdown", passages: 1 })
      const same = yield* knowledge.add(scope, document("# Hours\n\nOpen at ten."))
      assert.deepStrictEqual([same.outcome, same.document], ["unchanged", first.document])
      const named = yield* knowledge.add(scope, document("# Hours\n\nOpen at ten.", { title: "Opening hours" }))
      assert.deepStrictEqual([named.outcome, named.document.title], ["replaced", "Opening hours"])
      const changed = yield* knowledge.add(scope, document("# Hours\n\nOpen at nine."))
      assert.deepStrictEqual(
        [changed.outcome, changed.document.document_id, changed.document.title],
        ["replaced", first.document.document_id, "Hours"]
      )
      assert.deepStrictEqual(yield* texts("add", "When do you open?"), ["Open at nine."])
      const elsewhere = yield* knowledge.add(scope, document("Open at ten.", { collection: "other" }))
      assert.strictEqual(elsewhere.outcome, "added")
      assert.strictEqual((yield* knowledge.list(scope, null, page)).total, 2)
      assert.strictEqual((yield* knowledge.list(scope, "other", page)).total, 1)
    }))

  it.effect("finds what another process has written, and not what it has removed", () =>
    Effect.gen(function*() {
      const store = yield* KnowledgeStore
      const knowledge = yield* Knowledge
      const scope = workspaceOf("others")
      const { document: { document_id } } = yield* knowledge.add(scope, document("Pianos come on Saturdays."))
      const stored = Option.getOrThrow(yield* store.find(scope, document_id))
      yield* store.save(scope, stored, [{ heading: "", page: null, text: "Pianos come on Fridays." }])
      assert.deepStrictEqual(yield* texts("others", "piano"), ["Pianos come on Fridays."])
      yield* store.remove(scope, document_id)
      assert.deepStrictEqual(yield* texts("others", "piano"), [])
    }))

  it.effect("answers nothing for a question without words, and in a workspace without documents", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* texts("empty", "piano"), [])
      const knowledge = yield* Knowledge
      yield* knowledge.add(workspaceOf("words"), document("A piano"))
      assert.deepStrictEqual(yield* texts("words", "?! …"), [])
      assert.deepStrictEqual(yield* texts("words", "piano", []), [])
    }))

  it.effect("removes once, only in its own workspace", () =>
    Effect.gen(function*() {
      const knowledge = yield* Knowledge
      const scope = workspaceOf("remove")
      const { document: { document_id } } = yield* knowledge.add(scope, document("A piano"))
      const missing = yield* Effect.flip(knowledge.remove(workspaceOf("elsewhere"), document_id))
      assert.include(missing.message, document_id)
      yield* knowledge.remove(scope, document_id)
      yield* Effect.flip(knowledge.get(scope, document_id))
      assert.deepStrictEqual(yield* texts("remove", "piano"), [])
    }))

  it.effect("refuses a file that is too large, has no name, or has no text", () =>
    Effect.gen(function*() {
      const knowledge = yield* Knowledge
      const refusal = (added: NewDocument) =>
        Effect.map(Effect.flip(knowledge.add(workspaceOf("refused"), added)), ({ message }) => message)
      const bytes = new Uint8Array(knowledgeLimits.fileBytes + 1)
      assert.include(yield* refusal(document("", { file: { filename: "a", contentType: null, bytes } })), "larger than")
      const nameless = { filename: null, contentType: null, bytes: new TextEncoder().encode("Text") }
      assert.include(yield* refusal(document("", { file: nameless })), "Name the source")
      assert.include(yield* refusal(document(" \n")), "no text")
    }))
})

const noIndex = new IndexUnusable({ reason: "SQLITE_FULL" })

const broken = Layer.succeed(PassageIndex, {
  state: () => noIndex,
  put: () => noIndex,
  remove: () => noIndex,
  settle: () => noIndex,
  search: () => noIndex
})

describe("the kind of a file", () => {
  const kind = (text: string, filename: string | null, contentType: string | null = null) =>
    kindOf({ filename, contentType, bytes: new TextEncoder().encode(text) })

  it("is that of its first bytes for a PDF, and not because a text speaks of them", () => {
    assert.strictEqual(kind("%PDF-1.7\n", "a.txt"), "pdf")
    assert.strictEqual(kind("A PDF begins with `%PDF-`.", "formats.md"), "markdown")
    assert.strictEqual(kind("%!\n%PDF-1.7\n", "scan.pdf"), "pdf", "a name counts too")
  })
})

describe("knowledge without an index", () => {
  layer(Knowledge.layer.pipe(Layer.provideMerge(Layer.merge(stores, broken))))((it) => {
    it.effect("still adds documents, and says that it cannot search", () =>
      Effect.gen(function*() {
        const knowledge = yield* Knowledge
        const { outcome } = yield* knowledge.add(workspaceOf("broken"), document("A piano"))
        assert.strictEqual(outcome, "added")
        const { _tag, message } = yield* Effect.flip(texts("broken", "piano"))
        assert.strictEqual(_tag, "Unavailable")
        assert.notInclude(message, "SQLITE")
      }))
  })
})
