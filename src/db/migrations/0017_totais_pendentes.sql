-- A write notes in one row what it moves in the totals, instead of moving up to eight; a few dozen that wait in
-- a company are then added to its totals together. What is read is always both: the totals as they were last
-- added up, and what waits. Whoever reads finds it under the names that the tables had.
--
-- Whoever is writing an entry finishes first: a trigger that has begun as it was would look for the tables.
lock table lancamentos in share row exclusive mode;
alter table totais_data rename to totais_por_data;
alter table totais_vencimento rename to totais_por_vencimento;

-- One entry that came (quantidade 1) or went (-1), as it was then.
create table totais_pendentes (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  centro_custo text,
  data date not null,
  vencimento date not null,
  tipo text not null,
  status text not null,
  quantidade bigint not null,
  -- What it adds to the sum by date and, of an open one, to the sum by due date.
  soma bigint not null,
  valor bigint not null,
  primary key (tenant_id, id)
);

alter table totais_pendentes enable row level security;
alter table totais_pendentes force row level security;
grant select, insert, update, delete on totais_pendentes to lastro_app, lastro_care;
create policy company on totais_pendentes to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));
create policy care on totais_pendentes to lastro_care using (true) with check (true);

create view totais_data with (security_invoker) as
  select tenant_id, centro, grao, inicio, tipo, status, quantidade, soma from totais_por_data
  union all
  select p.tenant_id, g.centro, g.grao, g.inicio, p.tipo, p.status, p.quantidade, p.soma
  from totais_pendentes p, grupos_de(p.centro_custo, p.data) g;

create view totais_vencimento with (security_invoker) as
  select tenant_id, centro, grao, inicio, tipo, quantidade, soma from totais_por_vencimento
  union all
  select p.tenant_id, g.centro, g.grao, g.inicio, p.tipo, p.quantidade, p.valor
  from totais_pendentes p, grupos_de(p.centro_custo, p.vencimento) g
  where p.status = 'em_aberto';

grant select on totais_data, totais_vencimento to lastro_app, lastro_care;

-- Adds up what waits in a company. A row that is left with no entries goes.
create function somar_totais(empresa uuid) returns void language plpgsql as $$
begin
  insert into totais_por_data as t
  select p.tenant_id, g.centro, g.grao, g.inicio, p.tipo, p.status, sum(p.quantidade), sum(p.soma)
  from totais_pendentes p, grupos_de(p.centro_custo, p.data) g
  where p.tenant_id = empresa
  group by p.tenant_id, g.centro, g.grao, g.inicio, p.tipo, p.status
  having sum(p.quantidade) <> 0 or sum(p.soma) <> 0
  on conflict (tenant_id, centro, grao, inicio, tipo, status) do update
  set quantidade = t.quantidade + excluded.quantidade, soma = t.soma + excluded.soma;

  insert into totais_por_vencimento as t
  select p.tenant_id, g.centro, g.grao, g.inicio, p.tipo, sum(p.quantidade), sum(p.valor)
  from totais_pendentes p, grupos_de(p.centro_custo, p.vencimento) g
  where p.tenant_id = empresa and p.status = 'em_aberto'
  group by p.tenant_id, g.centro, g.grao, g.inicio, p.tipo
  having sum(p.quantidade) <> 0 or sum(p.valor) <> 0
  on conflict (tenant_id, centro, grao, inicio, tipo) do update
  set quantidade = t.quantidade + excluded.quantidade, soma = t.soma + excluded.soma;

  delete from totais_por_data t using totais_pendentes p, grupos_de(p.centro_custo, p.data) g
  where p.tenant_id = empresa and p.quantidade < 0
    and (t.tenant_id, t.centro, t.grao, t.inicio, t.tipo, t.status)
      = (p.tenant_id, g.centro, g.grao, g.inicio, p.tipo, p.status)
    and t.quantidade = 0;

  delete from totais_por_vencimento t using totais_pendentes p, grupos_de(p.centro_custo, p.vencimento) g
  where p.tenant_id = empresa and p.quantidade < 0 and p.status = 'em_aberto'
    and (t.tenant_id, t.centro, t.grao, t.inicio, t.tipo)
      = (p.tenant_id, g.centro, g.grao, g.inicio, p.tipo)
    and t.quantidade = 0;

  delete from totais_pendentes where tenant_id = empresa;
end
$$;

-- Whether a statement that has written so many entries also adds up: on average when 32 wait, few enough that
-- reading them costs next to nothing, and always after many. Counting what waits would cost more than it saves.
create function hora_de_somar(escritos bigint) returns boolean language sql volatile as $$
  select random() * 32 < escritos
$$;

create function totais_on_write() returns trigger language plpgsql as $$
declare
  sinal bigint := case tg_op when 'DELETE' then -1 else 1 end;
  escritos bigint;
begin
  insert into totais_pendentes
    (tenant_id, centro_custo, data, vencimento, tipo, status, quantidade, soma, valor)
  select tenant_id, centro_custo, data, vencimento, tipo, status, sinal,
    sinal * soma_de(status, valor, juros, desconto), sinal * valor
  from written;
  get diagnostics escritos = row_count;
  if hora_de_somar(escritos) then
    perform somar_totais(tenant_id) from (select distinct tenant_id from written) as companies;
  end if;
  return null;
end
$$;

create or replace trigger totais_on_insert after insert on lancamentos
  referencing new table as written
  for each statement execute function totais_on_write();
create or replace trigger totais_on_delete after delete on lancamentos
  referencing old table as written
  for each statement execute function totais_on_write();
drop function totais_on_insert(), totais_on_delete();

-- What an update leaves as it was moves no total: an edited description costs nothing.
create or replace function totais_on_update() returns trigger language plpgsql as $$
declare
  escritos bigint;
begin
  insert into totais_pendentes
    (tenant_id, centro_custo, data, vencimento, tipo, status, quantidade, soma, valor)
  select m.tenant_id, m.centro_custo, m.data, m.vencimento, m.tipo, m.status, sinal,
    sinal * soma_de(m.status, m.valor, m.juros, m.desconto), sinal * m.valor
  from old_rows o join new_rows n on n.tenant_id = o.tenant_id and n.id = o.id
  cross join lateral (select -1 as sinal, o.* union all select 1, n.*) as m
  where (o.centro_custo, o.data, o.vencimento, o.tipo, o.status, o.valor, o.juros, o.desconto)
    is distinct from
    (n.centro_custo, n.data, n.vencimento, n.tipo, n.status, n.valor, n.juros, n.desconto);
  get diagnostics escritos = row_count;
  if hora_de_somar(escritos) then
    perform somar_totais(tenant_id) from (select distinct tenant_id from new_rows) as companies;
  end if;
  return null;
end
$$;
