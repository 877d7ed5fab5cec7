-- Entries: revenues, expenses and transfers between accounts. Money is in centavos.
create table lancamentos (
  tenant_id uuid not null,
  id uuid not null,
  data date not null,
  descricao text not null,
  tipo text not null check (tipo in ('receita', 'despesa', 'transferencia')),
  valor bigint not null check (valor between 1 and 999999999999),
  status text not null check (status in ('em_aberto', 'pago', 'cancelado')),
  vencimento date not null,
  data_pagamento date,
  juros bigint not null check (juros between 0 and 999999999999),
  desconto bigint not null check (desconto between 0 and valor + juros),
  contraparte text,
  centro_custo text,
  observacoes text,
  parceiro_id uuid,
  categoria_id uuid,
  conta_bancaria_id uuid,
  criado_em timestamptz(3) not null default clock_timestamp(),
  atualizado_em timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, id),
  check ((status = 'pago') = (data_pagamento is not null))
);
create index lancamentos_by_data on lancamentos (tenant_id, data desc, id desc);

alter table lancamentos enable row level security;
alter table lancamentos force row level security;
grant select, insert, update, delete on lancamentos to lastro_app;
create policy company on lancamentos to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));
