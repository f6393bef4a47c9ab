import { useSignal } from "@preact/signals"
import { TrunklineError } from "@trunkline/client"
import { api } from "../api/client.js"
import type { AgentVersion } from "../api/types.js"
import { setQuery } from "../state/location.js"
import { Button } from "../ui/Button.js"
import { Card } from "../ui/Card.js"
import { Field } from "../ui/Field.js"
import { FailureNote, Note } from "../ui/Note.js"
import { reportDone } from "../ui/Toasts.js"
import { changesOf, definitionOf, readDefinition, textOf } from "./definition.js"

interface Props {
  readonly app: string
  readonly version: AgentVersion
  readonly onChange: () => void
}

/** The definition of a version of the workspace in JSON: a draft to save and to commit, or the beginning of a new one. */
export const DefinitionEditor = ({ app, onChange, version }: Props) => {
  const text = useSignal(textOf(version))
  const failure = useSignal<TrunklineError | undefined>(undefined)
  const revision = version.revision ?? 0
  const definition = readDefinition(text.value)
  const isChanged = text.value !== textOf(version)
  const run = async (work: () => Promise<AgentVersion>, done: (saved: AgentVersion) => string) => {
    failure.value = undefined
    try {
      const saved = await work()
      reportDone(done(saved))
      setQuery({ version: String(saved.app_version) })
      onChange()
    } catch (error) {
      if (!(error instanceof TrunklineError)) throw error
      failure.value = error
    }
  }
  const changes = () => changesOf(definitionOf(version), definition ?? {})
  const save = () =>
    run(() => api().agents.updateVersion(app, version.app_version, { revision, ...changes() }), () => "Saved. It takes calls once it is committed.")
  const commit = () =>
    run(() => api().agents.commitVersion(app, version.app_version, { revision }), ({ app_version }) => `Version ${app_version} takes calls.`)
  const branch = () =>
    run(
      () => api().agents.createVersion(app, { base_version: version.app_version, ...changes() }),
      ({ app_version }) => `Version ${app_version} is a draft.`
    )
  return (
    <Card
      title={version.committed ? `Version ${version.app_version}, which never changes` : `Draft, version ${version.app_version}`}
      actions={
        <div class="row">
          {!version.committed && <Button kind="primary" disabled={definition === null || !isChanged} onClick={save}>Save</Button>}
          {!version.committed && <Button disabled={isChanged} onClick={commit}>Commit</Button>}
          <Button disabled={definition === null} onClick={branch}>New draft of this</Button>
        </div>
      }
    >
      <FailureNote failure={failure.value} />
      {definition === null && <Note kind="warn"><p>This is not an object in JSON yet.</p></Note>}
      <Field label="Definition" hint="A field that is left out has its default">
        <textarea class="input mono" rows={24} spellcheck={false} value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
      </Field>
    </Card>
  )
}
