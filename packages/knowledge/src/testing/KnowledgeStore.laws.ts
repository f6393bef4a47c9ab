import { assert, layer } from "@effect/vitest"
import { type PageRequest, Transactions } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import type { Passage } from "../records/KnowledgeDocument.js"
import { type DocumentSort, KnowledgeStore } from "../records/KnowledgeStore.js"
import { documentNamed, passageOf, second, workspaceOf } from "./KnowledgeFixtures.js"

const newest: PageRequest<DocumentSort> = {
  offset: 0,
  limit: 10,
  sort_by: "created_at",
  sort_order: "desc",
  search: ""
}

/** Laws of `KnowledgeStore`. Every test uses its own workspace and ids, so rows may live as long as the layer. */
export const knowledgeStoreLaws = <E>(name: string, live: Layer.Layer<KnowledgeStore | Transactions, E>) =>
  layer(live)(`KnowledgeStore laws: ${name}`, (it) => {
    it.effect("finds a document and its passages as they were saved, only in its own workspace", () =>
      Effect.gen(function*() {
        const store = yield* KnowledgeStore
        const scope = workspaceOf("find")
        const document = documentNamed("find", {
          title: "रिफंड \"quoted\" % _ '",
          language_name: "Hindi",
          kind: "pdf",
          pages: 3,
          passages: 250,
          updated_at: second(9)
        })
        const passages = Array.from({ length: 250 }, (_, at): Passage => ({
          heading: `Part > ${at}`,
          page: at === 0 ? null : at,
          text: `வணக்கம் ${at}\n\u2028`
        }))
        yield* store.save(scope, document, passages)
        assert.deepStrictEqual(yield* store.find(scope, document.document_id), Option.some(document))
        assert.deepStrictEqual(yield* store.findSource(scope, "main", "find.md"), Option.some(document))
        assert.deepStrictEqual(yield* store.passages(scope, document.document_id), passages)
        const other = workspaceOf("find-other")
        assert.isTrue(Option.isNone(yield* store.find(other, document.document_id)))
        assert.isTrue(Option.isNone(yield* store.findSource(other, "main", "find.md")))
        assert.isTrue(Option.isNone(yield* store.findSource(scope, "other", "find.md")))
        assert.deepStrictEqual(yield* store.passages(other, document.document_id), [])
        assert.deepStrictEqual(yield* store.revisions(other), [])
      }))

    it.effect("replaces a document with the same id, whose former passages are gone", () =>
      Effect.gen(function*() {
        const store = yield* KnowledgeStore
        const scope = workspaceOf("replace")
        const before = documentNamed("replace", { passages: 150 })
        yield* store.save(scope, before, Array.from({ length: 150 }, (_, at) => passageOf(`old ${at}`)))
        const after = documentNamed("replace", { title: "After", hash: "other", passages: 1, updated_at: second(5) })
        yield* store.save(scope, after, [passageOf("new")])
        assert.deepStrictEqual(yield* store.find(scope, after.document_id), Option.some(after))
        assert.deepStrictEqual(yield* store.passages(scope, after.document_id), [passageOf("new")])
        assert.strictEqual(yield* store.countPassages(scope), 1)
      }))

    it.effect("gives a workspace a greater version with each change, and notes it with what changed", () =>
      Effect.gen(function*() {
        const store = yield* KnowledgeStore
        const scope = workspaceOf("version")
        assert.strictEqual(yield* store.version(scope), 0)
        const [one, two] = [documentNamed("version-1"), documentNamed("version-2")]
        const at = one.updated_at.epochMillis
        yield* store.save(scope, one, [passageOf("one")])
        yield* store.save(scope, two, [passageOf("two")])
        yield* store.save(scope, one, [passageOf("one again")])
        assert.strictEqual(yield* store.version(scope), at + 2)
        const revisions = new Map((yield* store.revisions(scope)).map((each) => [each.document_id, each.revision]))
        assert.deepStrictEqual(revisions, new Map([[one.document_id, at + 2], [two.document_id, at + 1]]))
        assert.isTrue(yield* store.remove(scope, two.document_id))
        assert.strictEqual(yield* store.version(scope), at + 3)
        yield* store.save(scope, documentNamed("version-3", { updated_at: second(9) }), [passageOf("three")])
        assert.strictEqual(yield* store.version(scope), at + 9_000)
        assert.strictEqual(yield* store.version(workspaceOf("version-other")), 0)
      }))

    it.effect("removes a document with its passages, only for its own workspace and once", () =>
      Effect.gen(function*() {
        const store = yield* KnowledgeStore
        const scope = workspaceOf("remove")
        const document = documentNamed("remove")
        yield* store.save(scope, document, [passageOf("text")])
        assert.isFalse(yield* store.remove(workspaceOf("remove-other"), document.document_id))
        assert.isTrue(yield* store.remove(scope, document.document_id))
        assert.isFalse(yield* store.remove(scope, document.document_id))
        assert.deepStrictEqual(yield* store.passages(scope, document.document_id), [])
        assert.strictEqual(yield* store.countPassages(scope), 0)
      }))

    it.effect("lists the documents of a workspace or a collection, sorted and searched", () =>
      Effect.gen(function*() {
        const store = yield* KnowledgeStore
        const scope = workspaceOf("list")
        const rows = [
          documentNamed("list-a", { title: "Returns", created_at: second(1), updated_at: second(9) }),
          documentNamed("list-b", {
            title: "भुगतान",
            collection: "billing",
            created_at: second(2),
            updated_at: second(8)
          }),
          documentNamed("list-c", { title: "Delivery", created_at: second(3), updated_at: second(7) })
        ]
        for (const row of rows) yield* store.save(scope, row, [passageOf("text")])
        const ids = (collection: string | null, page: Partial<typeof newest>) =>
          Effect.map(store.list(scope, { collection, page: { ...newest, ...page } }), ({ items, total }) => [
            total,
            ...items.map(({ document_id }) => document_id.slice("doc-list-".length))
          ])
        assert.deepStrictEqual(yield* ids(null, {}), [3, "c", "b", "a"])
        assert.deepStrictEqual(yield* ids(null, { sort_by: "updated_at", sort_order: "desc" }), [3, "a", "b", "c"])
        assert.deepStrictEqual(yield* ids(null, { sort_by: "title", sort_order: "asc" }), [3, "c", "a", "b"])
        assert.deepStrictEqual(yield* ids(null, { offset: 1, limit: 1 }), [3, "b"])
        assert.deepStrictEqual(yield* ids("billing", {}), [1, "b"])
        assert.deepStrictEqual(yield* ids("main", {}), [2, "c", "a"])
        assert.deepStrictEqual(yield* ids(null, { search: "RETURN" }), [1, "a"])
        assert.deepStrictEqual(yield* ids(null, { search: "भुगतान" }), [1, "b"])
        assert.deepStrictEqual(yield* ids(null, { search: "list-c.md" }), [1, "c"])
      }))

    it.effect("keeps nothing of a transaction that fails", () =>
      Effect.gen(function*() {
        const store = yield* KnowledgeStore
        const { run } = yield* Transactions
        const scope = workspaceOf("rollback")
        const document = documentNamed("rollback")
        yield* Effect.flip(
          run(Effect.zipRight(store.save(scope, document, [passageOf("text")]), Effect.fail("undone")))
        )
        assert.isTrue(Option.isNone(yield* store.find(scope, document.document_id)))
        assert.strictEqual(yield* store.version(scope), 0)
        assert.deepStrictEqual(yield* store.passages(scope, document.document_id), [])
      }))
  })
