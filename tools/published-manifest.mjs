// Derives the manifest of the published package `trunkline`: only what runs is installed with it.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./bundle.mjs"

const readManifest = (folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))

/** Packages that are only asked for at run time, by the adapters whose manifests name their versions. */
const optionalOf = {
  "adapters/charts-echarts": /./,
  "adapters/codecs-wasm": /./,
  "adapters/documents-unpdf": /^unpdf$/,
  "adapters/files-s3": /^@aws-sdk\//,
  "adapters/limits-redis": /^redis$/,
  "adapters/mailer-smtp": /^nodemailer$/,
  "adapters/mcp": /^@modelcontextprotocol\//,
  "adapters/opentelemetry": /^@effect\/opentelemetry$/,
  "adapters/speech-espeak": /^@echogarden\//,
  "adapters/onnx": /^onnxruntime-node$/,
  "packages/warehouse": /^sql\.js$/
}

const optionalPeers = () =>
  Object.fromEntries(
    Object.entries(optionalOf).flatMap(([folder, pattern]) => {
      const { dependencies, peerDependencies } = readManifest(folder)
      return Object.entries({ ...dependencies, ...peerDependencies })
        .filter(([name]) => pattern.test(name) && !/^(@trunkline\/|effect$)/.test(name))
        .map(([name, version]) => [name, /^\d/.test(version) ? `^${version}` : version])
    }).toSorted(([one], [other]) => one < other ? -1 : 1)
  )

/** Conditions of an entry that both module systems can load. */
const both = (name) => ({
  import: { types: `./dist/types/${name}.d.ts`, default: `./dist/main/${name}.js` },
  require: { types: `./dist/plain/${name}.d.ts`, default: `./dist/plain/${name}.js` }
})

/** The manifest, from that of the workspace. */
export const derivedManifest = () => {
  const { bin, dependencies, description, engines, homepage, keywords, license, name, repository, version } =
    readManifest(
      "adapters/trunkline"
    )
  const peerDependencies = optionalPeers()
  return {
    name,
    version,
    description,
    keywords,
    homepage,
    repository,
    license,
    type: "module",
    sideEffects: false,
    engines,
    main: "./dist/plain/index.js",
    types: "./dist/plain/index.d.ts",
    exports: {
      ".": both("index"),
      "./effect": { types: "./dist/types/effect.d.ts", default: "./dist/main/effect.js" },
      "./next": both("next"),
      "./testing": { types: "./dist/types/testing.d.ts", default: "./dist/main/testing.js" },
      "./package.json": "./package.json"
    },
    bin,
    files: ["bin", "deploy", "dist", "NOTICE"],
    dependencies: {
      "better-sqlite3": readManifest("adapters/sqlite").dependencies["better-sqlite3"],
      effect: dependencies.effect
    },
    peerDependencies,
    peerDependenciesMeta: Object.fromEntries(Object.keys(peerDependencies).map((peer) => [peer, { optional: true }]))
  }
}
