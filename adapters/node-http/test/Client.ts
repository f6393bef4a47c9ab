import { assert } from "@effect/vitest"
import { testEngine, testKeys } from "@trunkline/http-api/testing"
import { serve, type Serving } from "@trunkline/node-http"

/** Whatever JSON holds: the assertions say what it should be. */
export type Json = ReturnType<typeof JSON.parse>

/** What came back: the body as text, and as JSON where it is. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Json
}

/** What to send; a body that is no form, text or bytes goes as JSON. */
export interface Sending {
  readonly method?: string
  readonly key?: string | null
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

/** Where the tests' own workspace is. */
export const workspace = "/v1/orgs/acme/workspaces/main"

const isRaw = (body: unknown): body is NonNullable<RequestInit["body"]> =>
  typeof body === "string" || body instanceof FormData || body instanceof ReadableStream

/** Asks the server as a client would. */
export const ask = async (
  { url }: Pick<Serving, "url">,
  path: string,
  { body, headers = {}, key = testKeys.main, method = "GET" }: Sending = {}
): Promise<Answer> => {
  const sent = new Headers(key === null ? {} : { "api-subscription-key": key })
  if (body !== undefined && !(body instanceof FormData)) sent.set("content-type", "application/json")
  Object.entries(headers).forEach(([name, value]) => sent.set(name, value))
  const response = await fetch(`${url}${path}`, {
    method,
    headers: sent,
    duplex: "half",
    ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) })
  })
  const text = await response.text()
  const isJson = response.headers.get("content-type") === "application/json"
  assert.match(response.headers.get("x-request-id") ?? "", /^\d{8}_[0-9a-f-]{36}$/)
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text !== "" ? JSON.parse(text) : null
  }
}

/** Where a 422 says that something is wrong, and of which kind it is. */
export const problems = ({ json }: Answer): ReadonlyArray<unknown> =>
  json.detail.map(({ loc, type }: { readonly loc: unknown; readonly type: unknown }) => [loc, type])

/** The same failure must read the same, but for the request's id. */
export const withoutRequestId = ({ text }: Answer) => text.replace(/\d{8}_[0-9a-f-]{36}/g, "")

/** A server over a fresh engine, on a free port. */
export const start = () => serve(testEngine, { port: 0 })

export const deploymentBody = (number = 1) => ({
  name: `Desk ${number}`,
  app_id: "collections",
  app_version: 1,
  connection_configs: [{ connection_id: "sim-1", phone_numbers: [`+91114000000${number}`] }]
})

export const campaignBody = {
  name: "June reminders",
  app_config: {
    app_id: "collections",
    app_version: 1,
    connection_configs: [{ connection_id: "sim-1", phone_numbers: ["+911140000003"] }],
    webhook_config: { url: "https://example.com/hook", secret: "quiet-secret" }
  },
  start_timestamp: "2090-06-01T00:00:00Z",
  end_timestamp: "2090-07-01T00:00:00Z",
  allowed_schedule: { allowed_start_time: "09:00", allowed_end_time: "18:00", allowed_days: ["Monday"] }
}

export const outboundBody = {
  app_config: {
    app_id: "collections",
    app_version: 1,
    connection_config: { connection_id: "sim-1", agent_phone_number: "+911140000003" }
  },
  user_config: { user_phone_number: "+919876543210" }
}

export const csv = "mobile,name\n9876543210,Asha\nnobody,Ravi\n"
export const transformation = JSON.stringify({
  phone_number: { column_name: "mobile" },
  app_variables: { customer_name: { column_name: "name" } }
})

const parts: Readonly<Record<string, () => readonly [string | Blob]>> = {
  name: () => ["June"],
  cohort_file: () => [new Blob([csv], { type: "text/csv" })],
  cohort_transformation_file: () => [new Blob([transformation], { type: "application/json" })]
}

/** A cohort's form with these parts, in this order. */
export const form = (...names: ReadonlyArray<string>): FormData => {
  const data = new FormData()
  for (const name of names) {
    data.append(name, ...(parts[name]?.() ?? ["surplus"]))
  }
  return data
}

/** The form as it should be. */
export const wholeForm = () => form("name", "cohort_transformation_file", "cohort_file")
