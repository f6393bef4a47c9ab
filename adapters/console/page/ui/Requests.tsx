import { useSignal } from "@preact/signals"
import { type PageRequest, pageRequests } from "../api/requests.js"
import { Button } from "./Button.js"
import { Dialog } from "./Dialog.js"
import { reportDone } from "./Toasts.js"

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** The request as a command; the key is a variable. */
const curlOf = ({ body, method, url }: PageRequest) =>
  [
    `curl${method === "GET" ? "" : ` -X ${method}`} ${quoted(url)}`,
    `  -H "api-subscription-key: $KEY"`,
    ...(body instanceof FormData ? [...body.keys()].map((name) => `  -F ${name}=@${name}`) : []),
    ...(typeof body === "string" ? [`  -H 'content-type: application/json'`, `  -d ${quoted(body)}`] : [])
  ].join(" \\\n")

/** An argument as code: files by their names, and no signal of this page. */
const argumentOf = (value: unknown) =>
  JSON.stringify(value, (_, each: unknown) => each instanceof Blob ? "await openAsBlob(path)" : each, 2)
    .replaceAll("\"await openAsBlob(path)\"", "await openAsBlob(path)")

const isOptions = (value: unknown) => typeof value === "object" && value !== null && "signal" in value

/** The request as code of our client. */
const codeOf = ({ args, operation }: PageRequest) =>
  `await trunkline.${operation}(${
    args.filter((value) => value !== undefined && !isOptions(value)).map(argumentOf).join(", ")
  })`

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
          {pageRequests.value.length === 0 && <p class="muted">This page has asked for nothing.</p>}
          {pageRequests.value.map((pageRequest) => (
            <div key={pageRequest.operation} class="tight">
              <div class="spread">
                <h3>{pageRequest.operation}</h3>
                <Button icon="copy" size="small" onClick={() => copy(textOf(pageRequest))}>Copy</Button>
              </div>
              <pre class="code" tabIndex={0}>{textOf(pageRequest)}</pre>
            </div>
          ))}
        </Dialog>
      )}
    </>
  )
}
