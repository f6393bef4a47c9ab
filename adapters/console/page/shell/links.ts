interface HostLink {
  readonly title: string
  readonly href: string
}

const isLink = (value: unknown): value is HostLink =>
  typeof value === "object" && value !== null && "title" in value && "href" in value &&
  typeof value.title === "string" && typeof value.href === "string" && /^(https?:\/\/|\/)/.test(value.href)

const read = (): ReadonlyArray<HostLink> => {
  const text = document.querySelector("meta[name=links]")?.getAttribute("content")
  const parsed: unknown = text ? JSON.parse(text) : []
  return Array.isArray(parsed) ? parsed.filter(isLink) : []
}

/** Links of the host to pages of its own, from the options of the console. */
export const links = read()
