import { useSignal } from "@preact/signals"
import { apiPath, place } from "../state/location.js"
import { type MadeRequest, madeRequests } from "../api/request.js"
import { Button } from "./Button.js"
import { Dialog } from "./Dialog.js"
import { reportDone } from "./Toasts.js"

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** The request as a command; the key is a variable. */
const curlOf = ({ body, method, url }: MadeRequest) =>
  [
    `curl${method === "GET" ? "" : ` -X ${method}`} ${quoted(location.origin + url)}`,
    `  -H "api-subscription-key: $KEY"`,
    ...(body instanceof FormData ? ["  -F file=@contacts.csv"] : []),
    ...(body === null || body instanceof FormData
      ? []
      : [`  -H 'content-type: application/json'`, `  -d ${quoted(JSON.stringify(body))}`])
  ].join(" \\\n")

const pathValues = (url: string) => {
  const { org, workspace } = place.value
  const path = new URL(url, location.origin).pathname.slice(apiPath.length)
  return path.split("/").map(decodeURIComponent)
    .filter((part) => /^[a-z]+-|^[0-9a-f]{8}-/.test(part) && part !== org && part !== workspace)
}

/** The request as code of our client. */
const codeOf = ({ body, operation, url }: MadeRequest) => {
  const query = Object.fromEntries(new URL(url, location.origin).searchParams)
  const values = [
    ...pathValues(url).map((value) => JSON.stringify(value)),
    ...(Object.keys(query).length > 0 ? [JSON.stringify(query, null, 2)] : []),
    ...(body === null ? [] : [body instanceof FormData ? "{ file }" : JSON.stringify(body, null, 2)])
  ]
  return `await trunkline.${operation}(${values.join(", ")})`
}

const copy = async (text: string) => {
  await navigator.clipboard.writeText(text)
  reportDone("Copied")
}

/** Opens the requests behind the present page, as curl and as code. */
export const RequestButton = () => {
  const isOpen = useSignal(false)
  const language = useSignal<"curl" | "code">("curl")
  const textOf = language.value === "curl" ? curlOf : codeOf
  return (
    <>
      <Button icon="code" label="Requests behind this page" onClick={() => (isOpen.value = true)} />
      {isOpen.value && (
        <Dialog title="Requests behind this page" wide onClose={() => (isOpen.value = false)}>
          <div class="tabs" role="tablist">
            {(["curl", "code"] as const).map((name) => (
              <button
                key={name}
                role="tab"
                aria-selected={language.value === name}
                onClick={() => (language.value = name)}
              >
                {name === "curl" ? "curl" : "TypeScript"}
              </button>
            ))}
          </div>
          {madeRequests.value.length === 0 && <p class="muted">This page has asked for nothing.</p>}
          {madeRequests.value.map((made) => (
            <div key={made.operation} class="tight">
              <div class="spread">
                <h3>{made.operation}</h3>
                <Button icon="copy" size="small" onClick={() => copy(textOf(made))}>Copy</Button>
              </div>
              <pre class="code" tabIndex={0}>{textOf(made)}</pre>
            </div>
          ))}
        </Dialog>
      )}
    </>
  )
}
