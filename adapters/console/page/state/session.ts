import { computed, effect, signal } from "@preact/signals"
import { consolePath, navigate, place } from "./location.js"

/** The key lives in this tab only. */
const storage = "trunkline.key"

/** Key that requests carry; null before signing in. It is kept in the session storage of the tab, and in no address. */
export const key = signal<string | null>(sessionStorage.getItem(storage))

effect(() => {
  if (key.value === null) sessionStorage.removeItem(storage)
  else sessionStorage.setItem(storage, key.value)
})

/** True when an action that changes something may be offered: the host may serve the console read-only. */
export const canChange = signal(document.querySelector("meta[name=read-only]") === null)

/** Reason for the sign-in form, such as a revoked key; null for the first time. */
export const signInReason = signal<string | null>(null)

export const isSignedIn = computed(() => key.value !== null && place.value.org !== null)

export const signIn = (newKey: string, org: string, workspace: string): void => {
  signInReason.value = null
  key.value = newKey
  const { org: presentOrg, workspace: presentWorkspace } = place.peek()
  if (presentOrg !== org || presentWorkspace !== workspace) {
    navigate(`${consolePath}/w/${encodeURIComponent(org)}/${encodeURIComponent(workspace)}/home`, { replace: true })
  }
}

export const signOut = (reason: string | null = null): void => {
  signInReason.value = reason
  key.value = null
}

/** Takes the key out of the fragment of a link, which browsers do not send, and out of the address. */
export const readLink = (): void => {
  const link = new URLSearchParams(location.hash.slice(1))
  const [linkKey, org, workspace] = ["key", "org", "workspace"].map((name) => link.get(name))
  if (!org || !workspace) return
  const kind = ["campaign", "board"].find((name) => link.has(name))
  const page = kind === undefined ? [] : [`${kind}s`, link.get(kind) ?? ""]
  if (linkKey && /^[\x21-\x7e]+$/.test(linkKey)) key.value = linkKey
  const path = ["w", org, workspace, ...(page.length === 0 ? ["home"] : page)].map(encodeURIComponent).join("/")
  navigate(`${consolePath}/${path}`, { replace: true })
}
