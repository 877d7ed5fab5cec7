-- People. One person may belong to several companies, so what is theirs alone is of no company; nobody but
-- whoever checks who calls reads it.
create table usuarios (
  id uuid primary key,
  -- As it is compared: in lower case.
  email text not null unique,
  nome text not null,
  -- Argon2id, with its parameters and salt.
  senha text not null,
  criado_em timestamptz(3) not null default clock_timestamp(),
  atualizado_em timestamptz(3) not null default clock_timestamp()
);

-- Of the token in the cookie only a SHA-256 is kept.
create table sessoes (
  token_hash bytea primary key,
  usuario_id uuid not null references usuarios on delete cascade,
  criado_em timestamptz(3) not null default clock_timestamp(),
  usada_em timestamptz(3) not null default clock_timestamp()
);
create index sessoes_of on sessoes (usuario_id);

-- Failed sign-ins, by the e-mail that was tried: known or not, it is slowed down alike.
create table entradas_falhas (
  email text primary key,
  falhas bigint not null,
  ultima timestamptz not null
);

create table membros (
  tenant_id uuid not null references empresas on delete cascade,
  usuario_id uuid not null,
  papel text not null check (papel in ('admin', 'financeiro', 'leitura')),
  criado_em timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, usuario_id)
);
create index membros_of on membros (usuario_id);

-- Of the token in the link only a SHA-256 is kept. Without an e-mail, whoever has the link names theirs.
create table convites (
  tenant_id uuid not null references empresas on delete cascade,
  id uuid not null,
  email text,
  papel text not null check (papel in ('admin', 'financeiro', 'leitura')),
  token_hash bytea not null,
  criado_em timestamptz(3) not null default clock_timestamp(),
  expira_em timestamptz(3) not null,
  aceito_em timestamptz(3),
  primary key (tenant_id, id)
);
create index convites_by_token on convites (token_hash);

alter table chaves add column usada_em timestamptz(3);

grant select, insert, update, delete on usuarios, sessoes, entradas_falhas to lastro_auth;
alter table membros enable row level security;
alter table membros force row level security;
alter table convites enable row level security;
alter table convites force row level security;
grant select, insert, update, delete on membros, convites to lastro_app;
create policy company on membros to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));
create policy company on convites to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));
-- Who signs in is asked for which companies; who comes by a link names none.
grant select, insert, update on membros to lastro_auth;
grant select, update on convites to lastro_auth;
create policy sign_in on membros to lastro_auth using (true);
create policy sign_in on convites to lastro_auth using (true);
grant update (usada_em) on chaves to lastro_auth;
create policy key_used on chaves for update to lastro_auth using (true);
-- A person is shown by name in the companies they belong to, and in no other.
alter table usuarios enable row level security;
alter table usuarios force row level security;
grant select (id, nome, email) on usuarios to lastro_app;
create policy company on usuarios for select to lastro_app
  using (exists (select from membros m where m.usuario_id = usuarios.id
    and m.tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid)));
create policy sign_in on usuarios to lastro_auth using (true);
create policy care on usuarios to lastro_care using (true) with check (true);
-- A company's name and time zone are changed in the application.
grant update (nome, fuso_horario, modulo_cobrancas, modulo_integracoes, atualizado_em) on empresas
  to lastro_app;

create policy care on membros to lastro_care using (true) with check (true);
create policy care on convites to lastro_care using (true) with check (true);
grant select, insert, update, delete on membros, convites, usuarios, sessoes, entradas_falhas
  to lastro_care;
