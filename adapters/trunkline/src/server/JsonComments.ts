const parts = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g

/**
 * Blanks out the comments of a JSON text: `//`, and those between slashes and stars. Every other character stays at its place,
 * so that errors name the right line.
 */
export const withoutComments = (text: string): string =>
  text.replace(parts, (part) => part.startsWith("\"") ? part : part.replace(/[^\n]/g, " "))
