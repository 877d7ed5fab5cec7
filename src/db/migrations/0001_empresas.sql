-- Companies. The key is named tenant_id as in every other table of company data.
create table empresas (
  tenant_id uuid primary key,
  nome text not null,
  fuso_horario text not null default 'America/Sao_Paulo',
  modulo_cobrancas boolean not null,
  modulo_integracoes boolean not null,
  criado_em timestamptz(3) not null default clock_timestamp(),
  atualizado_em timestamptz(3) not null default clock_timestamp()
);

-- The row that a company's writer locks, and from which its events take their numbers. It is apart from
-- the company because it changes with every write; the room left in its pages keeps that cheap.
create table empresa_counters (
  tenant_id uuid primary key references empresas on delete cascade,
  seq bigint not null default 0
) with (fillfactor = 50);

alter table empresas enable row level security;
alter table empresas force row level security;
alter table empresa_counters enable row level security;
alter table empresa_counters force row level security;

grant select on empresas to lastro_app, lastro_auth;
grant select, insert, update on empresas to lastro_operator;
grant select, update on empresa_counters to lastro_app;
grant insert on empresa_counters to lastro_operator;

create policy company on empresas to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));
create policy key_lookup on empresas for select to lastro_auth using (true);
create policy operator on empresas to lastro_operator using (true);

create policy company on empresa_counters to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));
create policy operator on empresa_counters for insert to lastro_operator with check (true);
