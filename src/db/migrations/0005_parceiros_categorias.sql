-- Clients and suppliers. documento is bare and upper-case: 11 digits (CPF) or 14 characters (CNPJ).
create table parceiros (
  tenant_id uuid not null,
  id uuid not null,
  nome text not null,
  tipo text not null check (tipo in ('cliente', 'fornecedor', 'ambos')),
  documento text,
  email text,
  telefone text,
  ativo boolean not null,
  observacoes text,
  criado_em timestamptz(3) not null default clock_timestamp(),
  atualizado_em timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, id),
  constraint parceiros_documento unique (tenant_id, documento)
);
create index parceiros_by_nome on parceiros (tenant_id, nome collate "pt-BR-x-icu", id);

-- Areas and their subcategories. nome_chave is the name as it is compared: normalized and folded.
create table categorias (
  tenant_id uuid not null,
  id uuid not null,
  nome text not null,
  nome_chave text not null,
  area_id uuid,
  criado_em timestamptz(3) not null default clock_timestamp(),
  atualizado_em timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, id),
  constraint categorias_nome unique nulls not distinct (tenant_id, area_id, nome_chave),
  constraint categorias_area foreign key (tenant_id, area_id) references categorias (tenant_id, id)
);

-- A reference across companies is impossible, not just refused.
alter table lancamentos
  add constraint lancamentos_parceiro
    foreign key (tenant_id, parceiro_id) references parceiros (tenant_id, id),
  add constraint lancamentos_categoria
    foreign key (tenant_id, categoria_id) references categorias (tenant_id, id);
create index lancamentos_by_parceiro on lancamentos (tenant_id, parceiro_id)
  where parceiro_id is not null;
create index lancamentos_by_categoria on lancamentos (tenant_id, categoria_id)
  where categoria_id is not null;

alter table parceiros enable row level security;
alter table parceiros force row level security;
alter table categorias enable row level security;
alter table categorias force row level security;
grant select, insert, update, delete on parceiros, categorias to lastro_app;
create policy company on parceiros to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));
create policy company on categorias to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));
