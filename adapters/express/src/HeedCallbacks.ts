import type { ServerResponse } from "node:http"

/**
 * Calls the callback of an answer's end also where middleware has put an `end` of its own in place. Such a one may
 * forget it, as that of `compression` does, and whoever waits for the callback would wait for ever.
 */
export const heedCallbacks = (response: ServerResponse): void => {
  if (!Object.hasOwn(response, "end")) return
  const { end } = response
  Object.assign(response, {
    end: (...given: ReadonlyArray<unknown>) => {
      const callback = given.find((argument) => typeof argument === "function")
      if (callback !== undefined) response.once("close", () => callback())
      return Reflect.apply(end, response, given.filter((argument) => argument !== callback))
    }
  })
}
