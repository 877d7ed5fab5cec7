-- API keys. Only the SHA-256 of a key is kept. No migration ever adds a scope to a key.
create table chaves (
  tenant_id uuid not null,
  id uuid not null,
  nome text,
  hash text not null,
  -- The last characters, by which a person tells one key from another.
  final text not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  expira_em timestamptz(3),
  revogada_em timestamptz(3),
  criado_em timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, id),
  unique (tenant_id, hash)
);
-- A caller is known by its key alone: the look-up comes before the company.
create index chaves_by_hash on chaves (hash);
create index chaves_by_id on chaves (id);

alter table chaves enable row level security;
alter table chaves force row level security;

grant select, insert, update on chaves to lastro_app;
grant select on chaves to lastro_auth, lastro_operator;

create policy company on chaves to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));
create policy key_lookup on chaves for select to lastro_auth using (true);
create policy operator on chaves for select to lastro_operator using (true);
