import { useEffect } from "preact/hooks"
import { follow } from "../api/live.js"
import { pageRequests } from "../api/requests.js"
import { place } from "../state/location.js"
import { isSignedIn, key, readLink } from "../state/session.js"
import "../state/theme.js"
import { Boundary } from "../ui/Boundary.js"
import { Empty } from "../ui/Card.js"
import { lazy } from "../ui/Lazy.js"
import { Toasts } from "../ui/Toasts.js"
import { hostPath } from "./links.js"
import { pages } from "./pages.js"
import { Shell } from "./Shell.js"
import { SignIn } from "./SignIn.js"

readLink()
addEventListener("hashchange", readLink)

const HostPage = lazy(() => import("./HostPage.js").then((loaded) => loaded.HostPage))

const Place = () => {
  const { page } = place.value
  const entry = pages.find(({ path }) => path === page)
  useEffect(() => {
    pageRequests.value = []
  }, [page, place.value.parts.join("/")])
  if (page === hostPath) return <HostPage />
  if (entry === undefined) {
    return <Empty title="There is no such page"><p>Choose one on the left, or press <kbd>Ctrl K</kbd>.</p></Empty>
  }
  const View = entry.view
  return <View key={`${place.value.org}/${place.value.workspace}/${page}`} />
}

const Workspace = () => {
  useEffect(follow, [key.value, place.value.org, place.value.workspace])
  return <Shell><Boundary><Place /></Boundary></Shell>
}

export const App = () => (
  <>
    {isSignedIn.value ? <Workspace /> : <SignIn />}
    <Toasts />
  </>
)
