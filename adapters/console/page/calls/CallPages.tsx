import { place } from "../state/location.js"
import { PageHead } from "../ui/PageHead.js"
import { presentTab, Tabs } from "../ui/Tabs.js"
import { CallPage } from "./CallPage.js"
import { EndedCalls } from "./EndedCalls.js"
import { LiveCalls } from "./LiveCalls.js"

const tabs = [{ id: "live", title: "Live" }, { id: "ended", title: "Ended" }]

/** Calls that go on, those that have ended, or one of them, by the address. */
export const CallPages = () => {
  const [id] = place.value.parts
  if (id !== undefined) return <CallPage key={id} id={id} />
  return (
    <>
      <PageHead title="Calls" />
      <Tabs tabs={tabs} at={["calls"]} />
      {presentTab(tabs) === "live" ? <LiveCalls /> : <EndedCalls />}
    </>
  )
}
