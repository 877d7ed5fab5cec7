-- Files whose lines become entries. What is prepared has its text, which is read anew at each step; once it is
-- imported only what it was stays.
create table importacoes (
  tenant_id uuid not null,
  id uuid not null,
  nome text not null,
  formato text not null check (formato in ('csv', 'ofx')),
  -- Of the file's bytes.
  sha256 bytea not null,
  conteudo text,
  mapeamento jsonb,
  estado text not null default 'preparada' check (estado in ('preparada', 'importada')),
  linhas bigint not null,
  importadas bigint,
  repetidas bigint,
  -- Nobody's where an operator has done it from the shell.
  usuario_id uuid,
  criado_em timestamptz(3) not null default clock_timestamp(),
  importada_em timestamptz(3),
  primary key (tenant_id, id),
  check ((estado = 'preparada') = (conteudo is not null and importada_em is null)),
  check ((estado = 'importada') = (importadas is not null and repetidas is not null))
);
create index importacoes_of_file on importacoes (tenant_id, sha256);

-- Which column is what, as it was last chosen for files with this header: a SHA-256 of its names.
create table importacao_mapeamentos (
  tenant_id uuid not null,
  cabecalho bytea not null,
  mapeamento jsonb not null,
  primary key (tenant_id, cabecalho)
);

-- Lines that have become entries, by what makes each the same line in another file. They stay known when the
-- entry is deleted: whoever deletes it does not want it back with the next statement.
create table importacao_linhas (
  tenant_id uuid not null,
  chave bytea not null,
  importacao_id uuid not null,
  linha bigint not null,
  lancamento_id uuid not null,
  primary key (tenant_id, chave),
  foreign key (tenant_id, importacao_id) references importacoes (tenant_id, id)
);
create index importacao_linhas_of on importacao_linhas (tenant_id, importacao_id);

alter table importacoes enable row level security;
alter table importacoes force row level security;
alter table importacao_mapeamentos enable row level security;
alter table importacao_mapeamentos force row level security;
alter table importacao_linhas enable row level security;
alter table importacao_linhas force row level security;
grant select, insert, update, delete on importacoes, importacao_mapeamentos to lastro_app;
grant select, insert on importacao_linhas to lastro_app;
create policy company on importacoes to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));
create policy company on importacao_mapeamentos to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));
create policy company on importacao_linhas to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));
create policy care on importacoes to lastro_care using (true) with check (true);
create policy care on importacao_mapeamentos to lastro_care using (true) with check (true);
create policy care on importacao_linhas to lastro_care using (true) with check (true);
grant select, insert, update, delete on importacoes, importacao_mapeamentos, importacao_linhas
  to lastro_care;
