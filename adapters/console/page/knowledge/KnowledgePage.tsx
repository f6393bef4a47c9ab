import { useSignal } from "@preact/signals"
import { api } from "../api/client.js"
import { useLoad } from "../api/load.js"
import type { KnowledgeDocument } from "../api/types.js"
import { canChange } from "../state/session.js"
import { Button } from "../ui/Button.js"
import { Card, Empty, Skeleton } from "../ui/Card.js"
import { FailureNote } from "../ui/Note.js"
import { PageHead } from "../ui/PageHead.js"
import { Time } from "../ui/Time.js"
import { reportDone } from "../ui/Toasts.js"
import { AddDocument } from "./AddDocument.js"
import { SearchCard } from "./SearchCard.js"

const DocumentCard = ({ document, onRemoved }: { readonly document: KnowledgeDocument; readonly onRemoved: () => void }) => {
  const isAsking = useSignal(false)
  const remove = async () => {
    await api().knowledge.remove(document.document_id)
    reportDone(`${document.title} was removed`)
    onRemoved()
  }
  return (
    <Card
      title={document.title}
      actions={canChange.value && (
        <Button size="small" kind="danger" onClick={isAsking.value ? remove : () => (isAsking.value = true)}>
          {isAsking.value ? "Remove for good" : "Remove"}
        </Button>
      )}
    >
      <dl class="facts">
        <dt>Collection</dt><dd class="mono">{document.collection}</dd>
        <dt>Source</dt><dd>{document.source}</dd>
        <dt>Kind</dt><dd>{document.kind}{document.pages === null ? "" : `, ${document.pages} pages`}</dd>
        <dt>Passages</dt><dd class="number">{document.passages}</dd>
        <dt>Updated</dt><dd><Time iso={document.updated_at} /></dd>
        <dt>Id</dt><dd class="mono">{document.document_id}</dd>
      </dl>
    </Card>
  )
}

/** Documents that agents answer from: a new one from a file, and a question with the passages that answer it. */
export const KnowledgePage = () => {
  const { reload, state } = useLoad(() => api().knowledge.list({ limit: 100 }), [])
  const isAdding = useSignal(false)
  const { data, failure } = state.value
  return (
    <>
      <PageHead title="Knowledge">
        {canChange.value && <Button kind="primary" icon="plus" onClick={() => (isAdding.value = true)}>Add a document</Button>}
      </PageHead>
      <FailureNote failure={failure} onRetry={reload} />
      {data === undefined && failure === undefined && <Skeleton lines={4} />}
      {data && data.items.length > 0 && <SearchCard />}
      {data && data.items.length === 0 && (
        <Card><Empty title="No document yet"><p>Agents answer from PDF, HTML, Markdown and plain texts of a collection that they name.</p>{canChange.value && <Button kind="primary" onClick={() => (isAdding.value = true)}>Add the first</Button>}</Empty></Card>
      )}
      {data && data.total > data.items.length && <p class="muted">The newest {data.items.length} of {data.total} documents.</p>}
      {data && <div class="grid">{data.items.map((document) => <DocumentCard key={document.document_id} document={document} onRemoved={reload} />)}</div>}
      {isAdding.value && <AddDocument onClose={() => (isAdding.value = false)} onDone={reload} />}
    </>
  )
}
