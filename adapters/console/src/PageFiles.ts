import { existsSync, readdirSync, readFileSync } from "node:fs"
import { extname, join } from "node:path"

/** A file of the page, as it is and compressed. */
export interface PageFile {
  readonly type: string
  readonly plain: Buffer
  readonly brotli: Buffer
  readonly gzip: Buffer
}

/** The page as it was built. */
export interface PageFiles {
  /** Document with `{{head}}` where the host's settings go. */
  readonly document: string
  /** Scripts and styles by name; the names hold a hash of their contents. */
  readonly assets: ReadonlyMap<string, PageFile>
}

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8"
}

/** Reads a built page, whole: it has some 100 kB compressed. Throws when the package was not built. */
export const readPageFiles = (folder: string): PageFiles => {
  const assets = join(folder, "assets")
  if (!existsSync(assets)) {
    throw new Error(`The page of the console was not built: ${assets} is missing. Run npm run build.`)
  }
  const file = (name: string): readonly [string, PageFile] => [
    name,
    {
      type: types[extname(name)] ?? "application/octet-stream",
      plain: readFileSync(join(assets, name)),
      brotli: readFileSync(join(assets, `${name}.br`)),
      gzip: readFileSync(join(assets, `${name}.gz`))
    }
  ]
  return {
    document: readFileSync(join(folder, "index.html"), "utf8"),
    assets: new Map(readdirSync(assets).filter((name) => types[extname(name)] !== undefined).map(file))
  }
}
