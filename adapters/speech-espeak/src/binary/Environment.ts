/** What espeak may need to find itself and its data; the rest of the environment, with its secrets, is not its business. */
const needed = ["PATH", "HOME", "ESPEAK_DATA_PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SystemRoot"]

/** The environment of a process of espeak. */
export const environment = (): Record<string, string> =>
  Object.fromEntries(needed.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }))
