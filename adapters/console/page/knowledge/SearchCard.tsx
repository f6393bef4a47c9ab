import { useSignal } from "@preact/signals"
import { TrunklineError } from "@trunkline/client"
import { api } from "../api/client.js"
import type { FoundPassage } from "../api/types.js"
import { Button } from "../ui/Button.js"
import { Card } from "../ui/Card.js"
import { Field } from "../ui/Field.js"
import { FailureNote } from "../ui/Note.js"

const placeOf = ({ heading, page, title }: FoundPassage): string =>
  [title, ...(heading === "" ? [] : [heading]), ...(page === null ? [] : [`page ${page}`])].join(" · ")

/** A question, and the passages that an agent would answer from. */
export const SearchCard = () => {
  const question = useSignal("")
  const passages = useSignal<ReadonlyArray<FoundPassage> | null>(null)
  const failure = useSignal<TrunklineError | undefined>(undefined)
  const search = async () => {
    failure.value = undefined
    try {
      passages.value = (await api().knowledge.search({ question: question.value })).items
    } catch (error) {
      if (!(error instanceof TrunklineError)) throw error
      failure.value = error
    }
  }
  return (
    <Card title="Ask as a caller would">
      <FailureNote failure={failure.value} />
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void search()
        }}
      >
        <Field label="Question" path="question" issues={failure.value?.issues ?? []}>
          <input class="input" type="text" maxLength={1000} value={question.value} onInput={(event) => (question.value = event.currentTarget.value)} />
        </Field>
        <div><Button kind="primary" type="submit" disabled={question.value.trim() === ""}>Search</Button></div>
      </form>
      {passages.value?.length === 0 && <p>No passage has any of the words.</p>}
      {passages.value?.map((passage) => (
        <section key={`${passage.document_id} ${passage.position}`}>
          <h3>{placeOf(passage)}</h3>
          <p>{passage.text}</p>
          <p class="muted number">Score {passage.score.toFixed(2)}</p>
        </section>
      ))}
    </Card>
  )
}
