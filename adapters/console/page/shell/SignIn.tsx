import { createClient, TrunklineError } from "@trunkline/client"
import { useSignal } from "@preact/signals"
import { sentenceOf } from "../api/failure.js"
import { apiPath, place } from "../state/location.js"
import { signIn, signInReason } from "../state/session.js"
import { Button } from "../ui/Button.js"
import { Field } from "../ui/Field.js"
import { Note } from "../ui/Note.js"
import { Brand } from "./Brand.js"

const sentences: Readonly<Record<number, string>> = {
  401: "The server does not know this key.",
  403: "The server does not know this key, it was revoked, or it does not open this workspace.",
  404: "There is no such workspace."
}

/** Asks the server once with the key, so that a wrong one is said here and not on the next page. */
const check = async (key: string, org: string, workspace: string): Promise<string | null> => {
  try {
    const client = createClient({ baseUrl: location.origin + apiPath, apiKey: key, workspace: `${org}/${workspace}`, maxRetries: 0 })
    await client.campaigns.list({ limit: 1 })
    return null
  } catch (error) {
    if (error instanceof TypeError) return "The key, the organisation or the workspace has characters that it cannot have."
    const status = error instanceof TrunklineError ? error.status : null
    return status === null ? sentenceOf(error) : sentences[status] ?? `${sentenceOf(error)} (${status})`
  }
}

export const SignIn = () => {
  const values = {
    key: useSignal(""),
    org: useSignal(place.value.org ?? ""),
    workspace: useSignal(place.value.workspace ?? "")
  }
  const problem = useSignal<string | null>(null)
  const submit = async () => {
    const [key, org, workspace] = [values.key, values.org, values.workspace].map(({ value }) => value.trim())
    if (!key || !org || !workspace) {
      problem.value = "Fill in all three fields."
      return
    }
    problem.value = await check(key, org, workspace)
    if (problem.value === null) signIn(key, org, workspace)
  }
  const props = (name: keyof typeof values) => ({
    class: "input",
    autoComplete: "off" as const,
    spellcheck: false,
    value: values[name].value,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) => (values[name].value = event.currentTarget.value)
  })
  return (
    <main class="sign-in">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <div class="body">
          <div class="brand" style={{ padding: 0 }}><Brand />Trunkline</div>
          <h1>Sign in</h1>
          {signInReason.value && <Note kind="warn">{signInReason.value}</Note>}
          {problem.value && <Note kind="bad">{problem.value}</Note>}
          <Field label="API key" hint="It stays in this tab and is forgotten when you close it."><input type="password" {...props("key")} /></Field>
          <div class="fields">
            <Field label="Organisation"><input type="text" {...props("org")} /></Field>
            <Field label="Workspace"><input type="text" {...props("workspace")} /></Field>
          </div>
          <Button kind="primary" type="submit">Open the console</Button>
          <p class="small muted">
            The server prints a link with a test key when it starts. <code>npx trunkline keys create</code> makes another one.
          </p>
        </div>
      </form>
    </main>
  )
}
