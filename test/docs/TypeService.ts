import { join } from "node:path"
import ts from "typescript"

/** One TypeScript program for texts that are in no file, as if they were in the repository. */
export interface TypeService {
  /** Faults of a text: `line: message`, with the line counted from 1. */
  readonly faults: (path: string) => ReadonlyArray<{ readonly line: number; readonly message: string }>
  /** Documentation that an editor shows at a position of a text; empty without any. */
  readonly hover: (path: string, position: number) => string
}

const configurationOf = (root: string): ts.CompilerOptions => {
  const path = join(root, "tsconfig.base.json")
  const { config } = ts.readConfigFile(path, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, root)
  return {
    ...options,
    composite: false,
    incremental: false,
    declaration: false,
    declarationMap: false,
    emitDeclarationOnly: false,
    noEmit: true,
    // Pages show programs of bundlers, too, such as Next.js, whose imports have no extension.
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"]
  }
}

/** Makes a service of the texts by their absolute paths, with declarations in further files. */
export const makeTypeService = (
  root: string,
  texts: ReadonlyMap<string, string>,
  declarations: ReadonlyArray<string>
): TypeService => {
  const options = configurationOf(root)
  const folders = new Set(
    Array.from(texts.keys()).flatMap((path) => {
      const parts = path.split("/")
      return parts.map((_, end) => parts.slice(0, end).join("/"))
    })
  )
  const read = (path: string) => texts.get(path) ?? ts.sys.readFile(path)
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...texts.keys(), ...declarations.map((path) => join(root, path))],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const text = read(path)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => texts.has(path) || ts.sys.fileExists(path),
    directoryExists: (path) => folders.has(path) || ts.sys.directoryExists(path),
    readFile: read,
    ...(ts.sys.realpath !== undefined && { realpath: ts.sys.realpath })
  })
  return {
    faults: (path) =>
      [...service.getSyntacticDiagnostics(path), ...service.getSemanticDiagnostics(path)].map((found) => ({
        line: (found.file?.getLineAndCharacterOfPosition(found.start ?? 0).line ?? 0) + 1,
        message: ts.flattenDiagnosticMessageText(found.messageText, "\n")
      })),
    hover: (path, position) => ts.displayPartsToString(service.getQuickInfoAtPosition(path, position)?.documentation)
  }
}
