-- What each Idempotency-Key made. A key belongs to one company and one collection, and never expires.
create table idempotency_keys (
  tenant_id uuid not null,
  colecao text not null,
  chave text not null,
  record_id uuid not null,
  criado_em timestamptz(3) not null default clock_timestamp(),
  constraint idempotency_keys_pkey primary key (tenant_id, colecao, chave)
);
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
grant select, insert on idempotency_keys to lastro_app;
create policy company on idempotency_keys to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));
