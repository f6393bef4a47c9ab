import { useEffect, useMemo, useRef } from "preact/hooks"
import { addressOf, place } from "../state/location.js"
import { theme } from "../state/theme.js"
import { Empty } from "../ui/Card.js"
import { Link } from "../ui/Link.js"
import { hostPages } from "./links.js"

/** Theme that is shown, which the system may decide. */
const shownTheme = () => document.documentElement.dataset["theme"] ?? "light"

/** Address of a page with the theme and the workspace, for the host to read. */
const withPlace = (src: string): URL => {
  const url = new URL(src, location.origin)
  const { org, workspace } = place.peek()
  url.searchParams.set("theme", shownTheme())
  url.searchParams.set("workspace", `${org}/${workspace}`)
  return url
}

/**
 * Rights of a frame. A page of this origin runs without an origin, since it could read the key of the tab otherwise. One of
 * another origin keeps its own, with its sign-in.
 */
const rightsOf = ({ origin }: URL): string =>
  `allow-scripts allow-forms allow-popups allow-downloads${origin === location.origin ? "" : " allow-same-origin"}`

/** A page of the host. It is told the theme by its address, and of a change by a message. */
export const HostPage = () => {
  const frame = useRef<HTMLIFrameElement>(null)
  const entry = hostPages.find(({ name }) => name === place.value.parts[0])
  const isFirst = useRef(true)
  const { org, workspace } = place.value
  // Another theme is no reason to load the page again.
  const url = useMemo(() => entry && withPlace(entry.src), [entry, org, workspace])
  useEffect(() => {
    if (entry !== undefined) document.title = `${entry.title} · Trunkline`
  }, [entry])
  useEffect(() => {
    if (!isFirst.current) frame.current?.contentWindow?.postMessage({ type: "trunkline.theme", theme: shownTheme() }, "*")
    isFirst.current = false
  }, [theme.value])
  if (entry === undefined || url === undefined) {
    return <Empty title="There is no such page"><p><Link to={addressOf(["home"])}>Go to Home</Link></p></Empty>
  }
  return (
    <>
      <h1 class="visually-hidden">{entry.title}</h1>
      <iframe
        key={entry.name}
        ref={frame}
        class="host"
        title={entry.title}
        src={url.href}
        sandbox={rightsOf(url)}
        referrerpolicy="no-referrer"
      />
    </>
  )
}
