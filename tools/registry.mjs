// A registry of npm packages on this machine: what is published to it, and everything else from npm's own.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"

const upstream = "https://registry.npmjs.org"

const manifestIn = (tarball) =>
  JSON.parse(spawnSync("tar", ["-xOzf", tarball, "package/package.json"], { encoding: "utf8" }).stdout)

const bodyOf = async (request) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString("utf8"))
}

/** Starts a registry. `publish` adds a tarball without the trouble of starting a package manager for it. */
export const startRegistry = async () => {
  const packages = new Map()

  const add = (manifest, data) => {
    const file = `${manifest.name.replace(/^.*\//, "")}-${manifest.version}.tgz`
    packages.set(manifest.name, { manifest, file, data })
  }

  const describe = ({ data, file, manifest }) => {
    const { name, version } = manifest
    const dist = {
      tarball: `${url}/${name}/-/${file}`,
      shasum: createHash("sha1").update(data).digest("hex"),
      integrity: `sha512-${createHash("sha512").update(data).digest("base64")}`
    }
    return { _id: name, name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } }
  }

  const server = createServer(async (request, response) => {
    const [name, file] = decodeURIComponent(request.url.slice(1)).split("/-/")
    const found = packages.get(name)
    if (request.method === "PUT") {
      const { _attachments, versions } = await bodyOf(request)
      const [manifest] = Object.values(versions)
      const [{ data }] = Object.values(_attachments)
      add(manifest, Buffer.from(data, "base64"))
      response.writeHead(201, { "content-type": "application/json" }).end("{}")
    } else if (found === undefined) {
      response.writeHead(302, { location: `${upstream}${request.url}` }).end()
    } else if (file === undefined) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(describe(found)))
    } else {
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(found.data)
    }
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${server.address().port}`
  return {
    url,
    publish: (tarball) => add(manifestIn(tarball), readFileSync(tarball)),
    names: () => Array.from(packages.keys()),
    close: () => server.close()
  }
}
