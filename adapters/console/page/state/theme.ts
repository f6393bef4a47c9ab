import { effect, signal } from "@preact/signals"

export type Theme = "system" | "light" | "dark"

const storage = "trunkline.theme"
const themes: ReadonlyArray<Theme> = ["system", "light", "dark"]
const prefersDark = matchMedia("(prefers-color-scheme: dark)")
const isSystemDark = signal(prefersDark.matches)

prefersDark.addEventListener("change", ({ matches }) => (isSystemDark.value = matches))

export const theme = signal<Theme>(themes.find((name) => name === localStorage.getItem(storage)) ?? "system")

effect(() => {
  localStorage.setItem(storage, theme.value)
  const isDark = theme.value === "dark" || (theme.value === "system" && isSystemDark.value)
  document.documentElement.dataset["theme"] = isDark ? "dark" : "light"
})

export const nextTheme = (): void => {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? "system"
}
