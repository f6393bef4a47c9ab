import { effect, signal } from "@preact/signals"

export type Theme = "system" | "light" | "dark"

const storage = "trunkline.theme"
const themes: ReadonlyArray<Theme> = ["system", "light", "dark"]

export const theme = signal<Theme>(themes.find((name) => name === localStorage.getItem(storage)) ?? "system")

effect(() => {
  localStorage.setItem(storage, theme.value)
  if (theme.value === "system") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = theme.value
})

export const nextTheme = (): void => {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? "system"
}
