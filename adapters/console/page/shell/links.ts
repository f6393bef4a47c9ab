interface HostLink {
  readonly title: string
  readonly href: string
}

const isLink = (value: unknown): value is HostLink =>
  typeof value === "object" && value !== null && "title" in value && "href" in value &&
  typeof value.title === "string" && typeof value.href === "string" && /^(https?:\/\/|\/)/.test(value.href)

/** A page of the host that is shown in a frame. */
interface HostPageEntry {
  readonly name: string
  readonly title: string
  readonly src: string
}

const isPage = (value: unknown): value is HostPageEntry =>
  typeof value === "object" && value !== null && "name" in value && "title" in value && "src" in value &&
  typeof value.name === "string" && typeof value.title === "string" && typeof value.src === "string" &&
  /^(https?:\/\/|\/)/.test(value.src)

const read = <A>(name: string, isValid: (value: unknown) => value is A): ReadonlyArray<A> => {
  const text = document.querySelector(`meta[name=${name}]`)?.getAttribute("content")
  const parsed: unknown = text ? JSON.parse(text) : []
  return Array.isArray(parsed) ? parsed.filter(isValid) : []
}

/** Links of the host to pages of its own, from the options of the console. */
export const links = read("links", isLink)

/** Pages of the host inside the console, from its options. */
export const hostPages = read("pages", isPage)

/** First part of the address of a page of the host. */
export const hostPath = "host"
