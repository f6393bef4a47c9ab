import { storesLaws } from "@trunkline/storage-kysely/testing"
import { StorageSqlite } from "@trunkline/storage-sqlite"
import { Effect, Layer } from "effect"
import { temporaryFile } from "./files.js"

storesLaws("SQLite file", Layer.unwrapScoped(Effect.map(temporaryFile, (file) => StorageSqlite.layer({ file }))))
