import { StorageSqlite } from "@trunkline/sqlite"
import { storesLaws } from "@trunkline/storage-kysely/testing"
import { Effect, Layer } from "effect"
import { temporaryFile } from "./Files.js"

storesLaws("SQLite file", Layer.unwrapScoped(Effect.map(temporaryFile, (file) => StorageSqlite.layer({ file }))))
