import { macroTask, type Scope } from "@trunkline/kernel"
import {
  documentColumns,
  DocumentId,
  documentSorts,
  KnowledgeDocument,
  KnowledgeStore,
  Passage
} from "@trunkline/knowledge"
import { Array as Arrays, Effect, Layer, Schema } from "effect"
import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import { jsonColumn, pageOfRows, scopeColumns, searchText } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"

const Document = jsonColumn(KnowledgeDocument)
const Passages = jsonColumn(Schema.Array(Passage))

/** Passages of a row: some 120 kB, which take a millisecond or two to write and to read. */
const passagesOfPart = 100

/** Gives a workspace its next version, which is at least `least`. */
const countUp = async (
  db: Kysely<Database>,
  { greater }: SqlDialect,
  { least, scope }: { readonly scope: Scope; readonly least: number }
): Promise<number> => {
  const next = sql.raw<number>(greater("knowledge_versions.version + 1", "excluded.version"))
  const { version } = await db.insertInto("knowledge_versions")
    .values({ ...scopeColumns(scope), version: Math.max(1, least) })
    .onConflict((on) => on.columns(["org_id", "workspace_id"]).doUpdateSet({ version: next }))
    .returning("version")
    .executeTakeFirstOrThrow()
  return version
}

const rowOf = (scope: Scope, document: KnowledgeDocument, revision: number) => ({
  ...scopeColumns(scope),
  document_id: document.document_id,
  collection: document.collection,
  source: document.source,
  search: searchText(documentColumns.text(document)),
  title: document.title,
  created_at: document.created_at.epochMillis,
  updated_at: document.updated_at.epochMillis,
  passages: document.passages,
  revision,
  body: Document.encode(document)
})

const documentsOf = (db: Kysely<Database>, scope: Scope) =>
  db.selectFrom("knowledge_documents").where((eb) => eb.and(scopeColumns(scope)))

/** `KnowledgeStore` in SQL. */
export const KnowledgeStoreSql = {
  layer: Layer.effect(
    KnowledgeStore,
    Effect.gen(function*() {
      const { dialect, query, transaction } = yield* Sql

      /** Writes the passages row by row, with an event loop turn between them. */
      const writePassages = (document_id: string, passages: ReadonlyArray<Passage>) =>
        Effect.forEach(
          Arrays.chunksOf(passages, passagesOfPart),
          (chunk, part) =>
            Effect.zipRight(
              macroTask,
              query((db) =>
                db.insertInto("knowledge_passages").values({ document_id, part, body: Passages.encode(chunk) })
                  .execute()
              )
            ),
          { discard: true }
        )

      return KnowledgeStore.of({
        save: (scope, document, passages) =>
          query(async (db) => {
            const { document_id, ...row } = rowOf(
              scope,
              document,
              await countUp(db, dialect, { scope, least: document.updated_at.epochMillis })
            )
            await db.insertInto("knowledge_documents")
              .values({ document_id, ...row })
              .onConflict((on) => on.column("document_id").doUpdateSet(row))
              .execute()
            await db.deleteFrom("knowledge_passages").where("document_id", "=", document_id).execute()
          }).pipe(Effect.zipRight(writePassages(document.document_id, passages)), transaction),
        find: (scope, document_id) =>
          query((db) => documentsOf(db, scope).select("body").where("document_id", "=", document_id).executeTakeFirst())
            .pipe(Effect.map(Document.read)),
        findSource: (scope, collection, source) =>
          query((db) =>
            documentsOf(db, scope).select("body").where((eb) => eb.and({ collection, source })).executeTakeFirst()
          ).pipe(Effect.map(Document.read)),
        list: (scope, { collection, page }) =>
          query((db) => {
            const documents = documentsOf(db, scope)
            return pageOfRows(
              collection === null ? documents : documents.where("collection", "=", collection),
              page,
              { id: "document_id", dialect, sortable: documentSorts, decode: Document.decode }
            )
          }),
        remove: (scope, document_id) =>
          transaction(query(async (db) => {
            const { numDeletedRows } = await db.deleteFrom("knowledge_documents")
              .where((eb) => eb.and({ ...scopeColumns(scope), document_id }))
              .executeTakeFirstOrThrow()
            if (numDeletedRows > 0) await countUp(db, dialect, { scope, least: 0 })
            return numDeletedRows > 0
          })),
        countPassages: (scope) =>
          query((db) =>
            documentsOf(db, scope).select((of) => of.fn.sum<number | null>("passages").as("sum")).executeTakeFirst()
          ).pipe(Effect.map((row) => Number(row?.sum ?? 0))),
        version: (scope) =>
          query((db) =>
            db.selectFrom("knowledge_versions").select("version").where((eb) => eb.and(scopeColumns(scope)))
              .executeTakeFirst()
          ).pipe(Effect.map((row) => row?.version ?? 0)),
        revisions: (scope) =>
          query((db) => documentsOf(db, scope).select(["document_id", "revision"]).execute()).pipe(
            Effect.map((rows) =>
              rows.map(({ document_id, revision }) => ({ document_id: DocumentId.make(document_id), revision }))
            )
          ),
        passages: (scope, document_id) =>
          query((db) =>
            documentsOf(db, scope)
              .innerJoin("knowledge_passages", "knowledge_passages.document_id", "knowledge_documents.document_id")
              .select("knowledge_passages.body")
              .where("knowledge_passages.document_id", "=", document_id)
              .orderBy("part")
              .execute()
          ).pipe(
            Effect.flatMap((rows) =>
              Effect.forEach(rows, ({ body }) => Effect.zipRight(macroTask, Effect.sync(() => Passages.decode(body))))
            ),
            Effect.map((parts) => parts.flat())
          )
      })
    })
  )
}
