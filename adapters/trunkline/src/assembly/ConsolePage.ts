import { Invalid } from "@trunkline/errors"
import { Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Fields } from "../errors/Fields.js"
import { knownFields } from "../errors/KnownFields.js"
import { isInstalled } from "./OptionalPackages.js"

/** Options of the console. */
export interface ConsoleOptions {
  /** Path of the console in your server, without a slash at its end; `/console` by default. */
  readonly path?: string
  /** Path of the API as browsers see it, such as `/voice`; the path above the console by default. */
  readonly api?: string
  /** Offers nothing that changes something; false by default. The key decides what is allowed. */
  readonly readOnly?: boolean
  /** Pages of your own in the sidebar; none by default. `href` is an address of http or https, or a path. */
  readonly links?: ReadonlyArray<{ readonly title: string; readonly href: string }>
  /**
   * Pages of your own inside the console, each with its title in the sidebar; none by default. `src` is a path of your server or
   * an address of https. A page is told `theme` and `workspace` in its query.
   */
  readonly pages?: ReadonlyArray<{ readonly title: string; readonly src: string }>
}

/** Handlers of the console, for any server. They answer requests for the console only, so that others go on to yours. */
export interface ConsoleHandlers {
  /** Answers a request of `node:http` or Express and returns true, or returns false. */
  readonly node: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Answers a request of a fetch server; null for all other requests. */
  readonly fetch: (request: Request) => Response | null
}

/** Name of the package of the console, in a variable, so that bundlers do not look for it. */
const consolePackage = "@trunkline/console"

/** The part of the package of the console that is used here. */
interface ConsolePackage {
  readonly makeConsole: (options?: ConsoleOptions) => ConsoleHandlers
}

/** Loads the package of the console; null where it is not installed. */
export const importConsole = async (): Promise<ConsolePackage | null> =>
  isInstalled(consolePackage) ? await import(consolePackage) : null

const fields: Fields<ConsoleOptions> = { path: true, api: true, readOnly: true, links: true, pages: true }

/** Makes the console of the optional package. Rejects with `Invalid` where the package is missing, or an option is unknown. */
export const openConsole = async (options: ConsoleOptions = {}): Promise<ConsoleHandlers> => {
  await Effect.runPromise(knownFields(options, fields, []))
  const loadedPackage = await importConsole()
  if (loadedPackage !== null) return loadedPackage.makeConsole(options)
  throw Invalid.at(
    ["console"],
    "value_error",
    "The console needs a package that is not installed: npm i @trunkline/console"
  )
}
