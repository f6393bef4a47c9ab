/** A link of the host in the sidebar of the console. */
export interface ConsoleLink {
  readonly title: string
  /** An address of http or https, or a path of the host. */
  readonly href: string
}

/** A page of the host that is shown inside the console, in a frame. */
export interface ConsolePage {
  /** Title in the sidebar; its letters and digits are the page's name in addresses. */
  readonly title: string
  /** A path of the host, such as `/ops/runbook`, or an address of https. */
  readonly src: string
}

/** A page of the host with its name in addresses of the console. */
export interface NamedPage extends ConsolePage {
  readonly name: string
}

/** An address of http is for hosts on the same machine. */
const isAddress = (src: string): boolean =>
  /^https:\/\/[^/]/.test(src) || /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/.test(src)

/** A path, which is no address of another host: browsers take a backslash for a slash, and leave out controls. */
const isPath = (src: string): boolean => /^\/(?![/\\])/.test(src) && !/[\\\p{Cc}]/u.test(src)

const nameOf = (title: string): string =>
  title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-+|-+$/g, "")

/** Pages with their names. Throws for a page that cannot be shown, with the reason and what to do. */
export const namedPages = (pages: ReadonlyArray<ConsolePage>): ReadonlyArray<NamedPage> => {
  const names = new Set<string>()
  return pages.map(({ src, title }, index) => {
    const name = nameOf(title)
    if (name === "") throw new Error(`pages.${index}.title: use letters or digits, not ${JSON.stringify(title)}`)
    if (names.has(name)) throw new Error(`pages.${index}.title: another page has the name ${name} too; change one`)
    if (!isPath(src) && !(isAddress(src) && URL.canParse(src))) {
      throw new Error(
        `pages.${index}.src: use a path such as /runbook or an address of https, not ${JSON.stringify(src)}`
      )
    }
    names.add(name)
    return { name, title, src }
  })
}

/** Path without the signs that end a source in a policy. */
const escapePath = (path: string): string => path.replaceAll(/[;,']/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)

const sourceOf = (src: string): string => {
  if (isPath(src)) return "'self'"
  const { origin, pathname } = new URL(src)
  return `${origin}${escapePath(pathname)}`
}

/** Sources of the frames of the console: nothing but these pages. A path allows the host itself, whose name is not known here. */
export const frameSources = (pages: ReadonlyArray<ConsolePage>): string =>
  pages.length === 0 ? "'none'" : Array.from(new Set(pages.map(({ src }) => sourceOf(src)))).join(" ")
