import { onBoth } from "./tables/Statements.js"

/** Adds documents of knowledge with their passages. */
export const addKnowledge = onBoth([
  `create table knowledge_documents (
    document_id text primary key,
    org_id text not null,
    workspace_id text not null,
    collection text not null,
    source text not null,
    search text not null,
    title text not null,
    created_at moment not null,
    updated_at moment not null,
    passages integer not null,
    revision integer not null,
    body text not null
  )`,
  `create unique index knowledge_documents_by_source
    on knowledge_documents (org_id, workspace_id, collection, source)`,
  `create table knowledge_passages (
    document_id text not null references knowledge_documents on delete cascade,
    part integer not null,
    body text not null,
    primary key (document_id, part)
  )`,
  `create table knowledge_versions (
    org_id text not null,
    workspace_id text not null,
    version integer not null,
    primary key (org_id, workspace_id)
  )`
])
