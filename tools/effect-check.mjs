// Looks for misused effects in every project that tsconfig.json refers to. The language service's own command gives up
// now and then on a repository of several projects, so its checks run here over one TypeScript program.
import languageService from "@effect/language-service/effect-lsp-patch-utils.js"
import { resolve } from "node:path"
import ts from "typescript"

const readProject = (path) => {
  const file = ts.sys.directoryExists(path) ? resolve(path, "tsconfig.json") : resolve(path)
  return ts.getParsedCommandLineOfConfigFile(file, undefined, { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail })
}

const fail = (diagnostic) => {
  console.error(ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n"))
  process.exit(1)
}

const projects = readProject(".").projectReferences.map(({ path }) => readProject(path))
const { options } = projects[0]
const rootNames = [...new Set(projects.flatMap(({ fileNames }) => fileNames))]
const program = ts.createProgram({ rootNames, options: { ...options, composite: false, rootDir: undefined } })

const findings = []
for (const name of rootNames) {
  const add = (diagnostic) => findings.push(diagnostic)
  languageService.checkSourceFileWorker(ts, program, program.getSourceFile(name), options, add, "tsc")
}

const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => process.cwd(), getNewLine: () => "\n" }
const serious = findings.filter(({ category }) =>
  category === ts.DiagnosticCategory.Error || category === ts.DiagnosticCategory.Warning
)
process.stdout.write(ts.formatDiagnostics(serious, host))
console.log(`effect: ${serious.length} findings in ${rootNames.length} files`)
process.exit(serious.length === 0 ? 0 : 1)
