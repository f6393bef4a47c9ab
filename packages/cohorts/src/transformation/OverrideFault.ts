import { templateFault } from "@trunkline/kernel"
import { languageNameOf, unknownLanguage } from "@trunkline/spoken-text"
import type { OverrideName } from "../Cohort.js"

/** Fault of the value of an override; undefined for one that a call can use, and for none. */
export const overrideFault = (name: OverrideName, value: string): string | undefined => {
  switch (name) {
    case "initial_language_name":
      return value === "" || languageNameOf(value) !== undefined ? undefined : unknownLanguage
    case "initial_bot_message":
      return templateFault(value)
    case "initial_state_name":
      return undefined
  }
}

/** The value of an override as calls use it: a language by its English name. */
export const overrideValue = (name: OverrideName, value: string): string =>
  name === "initial_language_name" ? languageNameOf(value) ?? value : value
