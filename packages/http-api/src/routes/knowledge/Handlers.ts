import { Engine } from "@trunkline/engine"
import { makePage } from "@trunkline/kernel"
import { DocumentId, readDocumentForm } from "@trunkline/knowledge"
import { Effect } from "effect"
import { withScope } from "../../api/Admission.js"
import { documentFormLimit } from "../../api/KnowledgeGroups.js"
import { readForm } from "../../request/FormReader.js"
import { makeUploadBudget } from "../../request/UploadBudget.js"
import { routeHandlers } from "../../RouteHandlers.js"

/** Bytes of documents that all uploads together may hold in memory: 128 MiB. */
const documentBudgetBytes = 134_217_728

/** Handlers of knowledge. */
export const knowledgeHandlers = routeHandlers("knowledge", (handlers) =>
  Effect.map(Engine, ({ knowledge }) => {
    const budget = makeUploadBudget(documentBudgetBytes)
    return handlers
      .handle("knowledge.add", ({ request }) =>
        withScope((scope) =>
          Effect.scoped(Effect.gen(function*() {
            const form = yield* readForm(request, documentFormLimit.bytes)
            const chargedForm = yield* budget.charge(form)
            // The rest of the body is read, also after a failure, so that the client receives the response.
            const addedDocument = yield* Effect.tapBoth(readDocumentForm(chargedForm), {
              onFailure: () => form.drain,
              onSuccess: () => form.drain
            })
            const { document, outcome } = yield* knowledge.add(scope, addedDocument)
            return { ...document, outcome }
          }))
        ))
      .handle("knowledge.search", ({ payload: { collections = null, limit, question } }) =>
        withScope((scope) =>
          Effect.map(knowledge.search(scope, { question, collections, limit }), (items) => ({ items }))
        ))
      .handle("knowledge.list", ({ request, urlParams }) =>
        withScope((scope) =>
          Effect.map(
            knowledge.list(scope, urlParams.collection ?? null, urlParams),
            ({ items, total }) =>
              makePage(items, total, urlParams, request.originalUrl)
          )
        ))
      .handle("knowledge.get", ({ path }) =>
        withScope((scope) => knowledge.get(scope, path.document_id)))
      .handle("knowledge.remove", ({ path: { document_id } }) =>
        withScope((scope) =>
          Effect.as(knowledge.remove(scope, document_id), {
            document_id: DocumentId.make(document_id),
            deleted: true as const
          })
        ))
  }))
