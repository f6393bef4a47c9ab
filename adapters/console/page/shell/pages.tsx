import type { ComponentType } from "preact"
import { lazy } from "../ui/Lazy.js"
import { HomePage } from "../home/HomePage.js"
import type { IconName } from "../ui/Icon.js"

export interface PageEntry {
  /** First part of its address below the workspace. */
  readonly path: string
  readonly title: string
  readonly icon: IconName
  readonly view: ComponentType
  /** Keys that open it, after `g`. */
  readonly shortcut: string
}

/** Pages in the order of the sidebar. All but Home are loaded when visited. */
export const pages: ReadonlyArray<PageEntry> = [
  { path: "home", title: "Home", icon: "home", view: HomePage, shortcut: "h" },
  {
    path: "campaigns",
    title: "Campaigns",
    icon: "megaphone",
    view: lazy(() => import("../campaigns/CampaignPages.js").then((loaded) => loaded.CampaignPages)),
    shortcut: "c"
  },
  {
    path: "calls",
    title: "Calls",
    icon: "phone",
    view: lazy(() => import("../calls/CallPages.js").then((loaded) => loaded.CallPages)),
    shortcut: "l"
  },
  {
    path: "agents",
    title: "Agents",
    icon: "bot",
    view: lazy(() => import("../agents/AgentPages.js").then((loaded) => loaded.AgentPages)),
    shortcut: "a"
  },
  {
    path: "deployments",
    title: "Deployments",
    icon: "inbox",
    view: lazy(() => import("../deployments/DeploymentPages.js").then((loaded) => loaded.DeploymentPages)),
    shortcut: "d"
  },
  {
    path: "boards",
    title: "Boards",
    icon: "chart",
    view: lazy(() => import("../boards/BoardPages.js").then((loaded) => loaded.BoardPages)),
    shortcut: "b"
  },
  {
    path: "knowledge",
    title: "Knowledge",
    icon: "book",
    view: lazy(() => import("../knowledge/KnowledgePage.js").then((loaded) => loaded.KnowledgePage)),
    shortcut: "n"
  },
  {
    path: "voices",
    title: "Voices",
    icon: "wave",
    view: lazy(() => import("../voices/VoicePages.js").then((loaded) => loaded.VoicePages)),
    shortcut: "v"
  },
  {
    path: "playground",
    title: "Playground",
    icon: "chat",
    view: lazy(() => import("../playground/PlaygroundPage.js").then((loaded) => loaded.PlaygroundPage)),
    shortcut: "p"
  },
  {
    path: "account",
    title: "Account",
    icon: "key",
    view: lazy(() => import("../account/AccountPage.js").then((loaded) => loaded.AccountPage)),
    shortcut: "k"
  }
]
