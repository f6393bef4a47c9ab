import { addressOf, place } from "../state/location.js"
import { Link } from "./Link.js"

export interface Tab {
  readonly id: string
  readonly title: string
}

interface Props {
  readonly tabs: ReadonlyArray<Tab>
  /** Parts of the address of the page. */
  readonly at: ReadonlyArray<string>
}

/** Tab of the address; the first one by default. */
export const presentTab = (tabs: ReadonlyArray<Tab>): string => {
  const id = place.value.query.get("tab")
  return tabs.find((tab) => tab.id === id)?.id ?? tabs[0]?.id ?? ""
}

/** Tabs that are links, so that each has an address. */
export const Tabs = ({ at, tabs }: Props) => {
  const present = presentTab(tabs)
  return (
    <nav class="tabs" aria-label="Parts of this page">
      {tabs.map(({ id, title }, index) => (
        <Link key={id} to={addressOf(at, index === 0 ? {} : { tab: id })} current={id === present}>{title}</Link>
      ))}
    </nav>
  )
}
