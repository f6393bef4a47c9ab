import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect } from "preact/hooks"
import { feed, liveCalls } from "../api/live.js"
import { addressOf, navigate, place } from "../state/location.js"
import { signOut } from "../state/session.js"
import { nextTheme, theme } from "../state/theme.js"
import { Button } from "../ui/Button.js"
import { Icon } from "../ui/Icon.js"
import { Link } from "../ui/Link.js"
import { Brand } from "./Brand.js"
import { hostPages, hostPath, links } from "./links.js"
import { Palette } from "./Palette.js"
import { pages } from "./pages.js"

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

const feedText = { connecting: "Connecting", live: "Live", behind: "Live, some events were left out", polling: "Feed lost, asking again" }

const Sidebar = ({ isOpen, onPalette }: { readonly isOpen: boolean; readonly onPalette: () => void }) => {
  const going = liveCalls.value.filter(({ endedAt }) => endedAt === null).length
  const { org, page, parts, workspace } = place.value
  return (
    <aside class={`sidebar${isOpen ? " open" : ""}`} id="sidebar">
      <Link class="brand" to={addressOf(["home"])}><Brand />Trunkline</Link>
      <p class="workspace">{org} / {workspace}</p>
      <nav aria-label="Pages">
        {pages.map(({ icon, path, title }) => (
          <Link key={path} to={addressOf([path])} current={page === path}>
            <Icon name={icon} />
            {title}
            {path === "calls" && going > 0 && <span class="count" aria-label={`${going} going on`}>{going}</span>}
          </Link>
        ))}
        {hostPages.map(({ name, title }) => (
          <Link key={name} to={addressOf([hostPath, name])} current={page === hostPath && parts[0] === name}>
            <Icon name="frame" />
            {title}
          </Link>
        ))}
        {links.map(({ href, title }) => (
          <a key={href} href={href} target="_blank" rel="noreferrer"><Icon name="arrow" />{title}</a>
        ))}
      </nav>
      <div class="foot">
        <p class="row small muted" style={{ padding: "4px 10px" }}>
          <span class="live-dot" style={feed.value === "live" ? undefined : { background: "var(--warn)" }} />
          {feedText[feed.value]}
        </p>
        <Button kind="plain" size="small" icon="search" onClick={onPalette}>Go to <kbd>Ctrl K</kbd></Button>
        <Button kind="plain" size="small" icon="moon" onClick={nextTheme}>Theme: {theme.value}</Button>
        <Button kind="plain" size="small" icon="out" onClick={() => signOut()}>Sign out</Button>
      </div>
    </aside>
  )
}

/** Frame of every page: the sidebar, the shortcuts and the palette. */
export const Shell = ({ children }: { readonly children: ComponentChildren }) => {
  const isMenuOpen = useSignal(false)
  const isPaletteOpen = useSignal(false)
  useLayoutEffect(() => {
    let isAfterG = false
    const press = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault()
        isPaletteOpen.value = !isPaletteOpen.peek()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const entry = isAfterG ? pages.find(({ shortcut }) => shortcut === event.key) : undefined
      if (entry !== undefined) navigate(addressOf([entry.path]))
      isAfterG = event.key === "g"
    }
    addEventListener("keydown", press)
    return () => removeEventListener("keydown", press)
  }, [])
  useEffect(() => {
    isMenuOpen.value = false
  }, [place.value])
  return (
    <div class="app">
      <Sidebar isOpen={isMenuOpen.value} onPalette={() => (isPaletteOpen.value = true)} />
      <div class="content">
        <div class="top">
          <button
            class="button icon menu-button"
            aria-label="Menu"
            aria-expanded={isMenuOpen.value}
            aria-controls="sidebar"
            onClick={() => (isMenuOpen.value = !isMenuOpen.value)}
          >
            <Icon name="menu" />
          </button>
        </div>
        <main onClick={() => (isMenuOpen.value = false)}>{children}</main>
      </div>
      {isPaletteOpen.value && <Palette onClose={() => (isPaletteOpen.value = false)} />}
    </div>
  )
}
