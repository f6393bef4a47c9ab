import { computed, signal } from "@preact/signals"

/** Path below which the console is served, such as `/console` or `/voice/console`, from the `<base>` of the page. */
export const consolePath = new URL(document.baseURI).pathname.replace(/\/$/, "")

const parent = consolePath.slice(0, consolePath.lastIndexOf("/"))

/** Path below which the API is served: what the host says, or that of the console without its last part. */
export const apiPath = document.querySelector("meta[name=api]")?.getAttribute("content") ?? parent

const address = signal(location.pathname + location.search)

addEventListener("popstate", () => {
  address.value = location.pathname + location.search
})

/** The place that is shown. `/console/w/acme/main/campaigns/camp-1?tab=people` has page `campaigns` and parts `["camp-1"]`. */
export interface Place {
  readonly org: string | null
  readonly workspace: string | null
  readonly page: string
  readonly parts: ReadonlyArray<string>
  readonly query: URLSearchParams
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** True for a name that a workspace can have in an address. */
const isName = (name: string | null): name is string => name !== null && !/^\.{0,2}$|\//.test(name)

export const place = computed((): Place => {
  const url = new URL(address.value, location.origin)
  const parts = url.pathname.slice(consolePath.length).split("/").filter((part) => part !== "").map(decoded)
  const [mark, org = null, workspace = null, page = "home", ...rest] = parts
  return mark === "w" && isName(org) && isName(workspace)
    ? { org, workspace, page, parts: rest, query: url.searchParams }
    : { org: null, workspace: null, page: mark ?? "home", parts: parts.slice(1), query: url.searchParams }
})

/** Shows another address of the console. */
export const navigate = (to: string, { replace = false } = {}): void => {
  if (to === address.peek()) return
  history[replace ? "replaceState" : "pushState"](null, "", to)
  address.value = to
  if (!replace) scrollTo(0, 0)
}

const queryText = (query: URLSearchParams) => (query.size === 0 ? "" : `?${query}`)

/** Address of a page of the present workspace. */
export const addressOf = (parts: ReadonlyArray<string>, query: Readonly<Record<string, string>> = {}): string => {
  const { org, workspace } = place.value
  const path = [...(org !== null && workspace !== null ? ["w", org, workspace] : []), ...parts]
  return `${consolePath}/${path.map(encodeURIComponent).join("/")}${queryText(new URLSearchParams(query))}`
}

/** Changes the query of the present page; null removes a value. Filters and tabs are in the address, so that it can be shared. */
export const setQuery = (changes: Readonly<Record<string, string | null>>, { replace = true } = {}): void => {
  const query = new URLSearchParams(place.peek().query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") query.delete(name)
    else query.set(name, value)
  }
  navigate(new URL(address.peek(), location.origin).pathname + queryText(query), { replace })
}
