import { testKeys } from "@trunkline/http-api/testing"
import { createHash, randomUUID, timingSafeEqual } from "node:crypto"

/** A request of the list route, as every framework gives it. */
export interface ListRequest {
  readonly key: unknown
  readonly org: string
  readonly workspace: string
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
}

/** A response: its status, its headers beside the content type, and its body. */
export interface ListResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

const hashOf = (text: string) => createHash("sha256").update(text).digest()

const keys = new Map([["main", { hash: hashOf(testKeys.main), account: "acme", workspaces: ["main"], revoked: false }]])
const workspaces = new Map([["acme/main", { account: "acme" }]])

/** Deployments to create in a server of ours. */
export const deployments = [1, 2, 3].map((number) => ({
  name: `Desk ${number}`,
  app_id: "collections",
  app_version: 1,
  connection_configs: [{ connection_id: "sim-1", phone_numbers: [`+91114000000${number}`] }]
}))

const startedAt = Date.parse("2026-01-01T09:00:00Z")

/** The same deployments in a store by hand. */
const store = new Map(deployments.map((deployment, index) => [`dep-00000000000${index}`, {
  workspace: "acme/main",
  deployment_id: `dep-00000000000${index}`,
  ...deployment,
  description: null,
  channel_direction: "inbound",
  inbound_config: null,
  webhook_config: null,
  status: "active",
  created_by: "tests",
  created_at: new Date(startedAt + index),
  updated_by: "tests",
  updated_at: new Date(startedAt + index)
}]))

const limit = { perMinute: 60_000_000, burst: 1_000_000_000 }
const levels = new Map<string, number>()

/** Takes one request from a bucket (GCRA); false when it is empty. */
const take = (bucket: string): boolean => {
  const now = performance.now()
  const interval = 60_000 / limit.perMinute
  const full = Math.max(levels.get(bucket) ?? 0, now)
  if (full + interval > now + interval * limit.burst) return false
  levels.set(bucket, full + interval)
  return true
}

const wholeNumber = (value: unknown, initial: number, least: number, most: number) => {
  const number = value === undefined ? initial : Number(value)
  return Number.isInteger(number) && number >= least && number <= most ? number : undefined
}

const failure = (status: number, message: string): ListResponse => ({
  status,
  headers: { "x-request-id": randomUUID() },
  body: { error: { message } }
})

const linkTo = (path: string, query: ListRequest["query"], offset: number) => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value))
  parameters.set("offset", String(offset))
  return `${path}?${parameters}`
}

/**
 * The work of our list route, written by hand: checks the key by its hash, the limit and the workspace, reads the query,
 * reads and sorts the rows of the workspace, and makes the page.
 */
export const listByHand = ({ key, org, path, query, workspace }: ListRequest): ListResponse => {
  const text = String(key ?? "")
  const entry = keys.get(/^sk_[^_]+_([^_]+)_\S+$/.exec(text)?.[1] ?? "")
  if (entry === undefined || !timingSafeEqual(hashOf(text), entry.hash) || entry.revoked) {
    return failure(403, "The key is unknown")
  }
  const scope = `${org}/${workspace}`
  if (workspaces.get(scope)?.account !== entry.account || !entry.workspaces.includes(workspace)) {
    return failure(403, "No access to the workspace")
  }
  if (!take(`${entry.account}/deployments`)) return failure(429, "Too many requests")
  const offset = wholeNumber(query["offset"], 0, 0, Number.MAX_SAFE_INTEGER)
  const size = wholeNumber(query["limit"], 10, 1, 100)
  if (offset === undefined || size === undefined) return failure(422, "The query is invalid")
  const search = String(query["search"] ?? "").toLowerCase()
  const rows = [...store.values()]
    .filter((row) => row.workspace === scope && (search === "" || row.name.toLowerCase().includes(search)))
    .sort((a, b) => b.created_at.getTime() - a.created_at.getTime() || (a.deployment_id < b.deployment_id ? -1 : 1))
  const items = rows.slice(offset, offset + size).map(({ connection_configs, workspace: _, ...row }) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    phone_numbers: connection_configs.flatMap(({ phone_numbers }) => phone_numbers)
  }))
  const body = {
    items,
    total: rows.length,
    limit: size,
    offset,
    next_page_uri: offset + size < rows.length ? linkTo(path, query, offset + size) : null,
    prev_page_uri: offset > 0 ? linkTo(path, query, Math.max(0, offset - size)) : null
  }
  return { status: 200, headers: { "x-request-id": randomUUID() }, body }
}
