-- Totals that are kept with each write, so that no figure needs a scan of the entries.
-- Each entry counts under its own cost centre, as '=' and its text, and under '*', which is all of them: no
-- cost centre can be written like that. It counts in its day and in its month, so that a long period is
-- read by months and only its edges by days.

-- By the entry's date. soma is what was paid (valor + juros - desconto) of paid entries, valor of others.
create table totais_data (
  tenant_id uuid not null,
  centro text not null,
  grao text not null check (grao in ('dia', 'mes')),
  inicio date not null,
  tipo text not null,
  status text not null,
  quantidade bigint not null,
  soma bigint not null,
  primary key (tenant_id, centro, grao, inicio, tipo, status)
) with (fillfactor = 70);

-- By due date, of open entries.
create table totais_vencimento (
  tenant_id uuid not null,
  centro text not null,
  grao text not null check (grao in ('dia', 'mes')),
  inicio date not null,
  tipo text not null,
  quantidade bigint not null,
  soma bigint not null,
  primary key (tenant_id, centro, grao, inicio, tipo)
) with (fillfactor = 70);

alter table totais_data enable row level security;
alter table totais_data force row level security;
alter table totais_vencimento enable row level security;
alter table totais_vencimento force row level security;
grant select, insert, update, delete on totais_data, totais_vencimento to lastro_app;
create policy company on totais_data to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));
create policy company on totais_vencimento to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));

-- Where an entry counts: its cost centre and all of them, in its day and in its month.
create function grupos_de(centro_custo text, dia date)
returns table (centro text, grao text, inicio date) language sql immutable as $$
  select centro, grao, inicio
  from (values ('*'), ('=' || centro_custo)) as centros (centro),
    (values ('dia', dia), ('mes', date_trunc('month', dia)::date)) as periodos (grao, inicio)
  where centro is not null
$$;

create function soma_de(status text, valor bigint, juros bigint, desconto bigint) returns bigint
language sql immutable as $$
  select case when status = 'pago' then valor + juros - desconto else valor end
$$;

create function totais_on_insert() returns trigger language plpgsql as $$
begin
  insert into totais_data as t
  select n.tenant_id, g.centro, g.grao, g.inicio, n.tipo, n.status, count(*),
    sum(soma_de(n.status, n.valor, n.juros, n.desconto))
  from new_rows n, grupos_de(n.centro_custo, n.data) g
  group by n.tenant_id, g.centro, g.grao, g.inicio, n.tipo, n.status
  on conflict (tenant_id, centro, grao, inicio, tipo, status) do update
  set quantidade = t.quantidade + excluded.quantidade, soma = t.soma + excluded.soma;

  insert into totais_vencimento as t
  select n.tenant_id, g.centro, g.grao, g.inicio, n.tipo, count(*), sum(n.valor)
  from new_rows n, grupos_de(n.centro_custo, n.vencimento) g
  where n.status = 'em_aberto'
  group by n.tenant_id, g.centro, g.grao, g.inicio, n.tipo
  on conflict (tenant_id, centro, grao, inicio, tipo) do update
  set quantidade = t.quantidade + excluded.quantidade, soma = t.soma + excluded.soma;
  return null;
end
$$;

-- A row that is left with no entries goes in the same statement that empties it.
create function totais_on_delete() returns trigger language plpgsql as $$
begin
  with gone as (
    select o.tenant_id, g.centro, g.grao, g.inicio, o.tipo, o.status, count(*) as quantidade,
      sum(soma_de(o.status, o.valor, o.juros, o.desconto))::bigint as soma
    from old_rows o, grupos_de(o.centro_custo, o.data) g
    group by o.tenant_id, g.centro, g.grao, g.inicio, o.tipo, o.status
  ), emptied as (
    delete from totais_data t using gone g
    where (t.tenant_id, t.centro, t.grao, t.inicio, t.tipo, t.status)
        = (g.tenant_id, g.centro, g.grao, g.inicio, g.tipo, g.status)
      and t.quantidade = g.quantidade
  )
  update totais_data t set quantidade = t.quantidade - g.quantidade, soma = t.soma - g.soma
  from gone g
  where (t.tenant_id, t.centro, t.grao, t.inicio, t.tipo, t.status)
      = (g.tenant_id, g.centro, g.grao, g.inicio, g.tipo, g.status)
    and t.quantidade <> g.quantidade;

  with gone as (
    select o.tenant_id, g.centro, g.grao, g.inicio, o.tipo, count(*) as quantidade,
      sum(o.valor)::bigint as soma
    from old_rows o, grupos_de(o.centro_custo, o.vencimento) g
    where o.status = 'em_aberto'
    group by o.tenant_id, g.centro, g.grao, g.inicio, o.tipo
  ), emptied as (
    delete from totais_vencimento t using gone g
    where (t.tenant_id, t.centro, t.grao, t.inicio, t.tipo)
        = (g.tenant_id, g.centro, g.grao, g.inicio, g.tipo)
      and t.quantidade = g.quantidade
  )
  update totais_vencimento t set quantidade = t.quantidade - g.quantidade, soma = t.soma - g.soma
  from gone g
  where (t.tenant_id, t.centro, t.grao, t.inicio, t.tipo)
      = (g.tenant_id, g.centro, g.grao, g.inicio, g.tipo)
    and t.quantidade <> g.quantidade;
  return null;
end
$$;

-- Only what an update moves is touched: an edited description changes no total.
create function totais_on_update() returns trigger language plpgsql as $$
begin
  insert into totais_data as t
  select m.tenant_id, g.centro, g.grao, g.inicio, m.tipo, m.status, sum(sinal),
    sum(sinal * soma_de(m.status, m.valor, m.juros, m.desconto))
  from (select 1 as sinal, n.* from new_rows n union all select -1, o.* from old_rows o) as m,
    grupos_de(m.centro_custo, m.data) g
  group by m.tenant_id, g.centro, g.grao, g.inicio, m.tipo, m.status
  having sum(sinal) <> 0 or sum(sinal * soma_de(m.status, m.valor, m.juros, m.desconto)) <> 0
  on conflict (tenant_id, centro, grao, inicio, tipo, status) do update
  set quantidade = t.quantidade + excluded.quantidade, soma = t.soma + excluded.soma;

  delete from totais_data t using old_rows o, grupos_de(o.centro_custo, o.data) g
  where (t.tenant_id, t.centro, t.grao, t.inicio, t.tipo, t.status)
      = (o.tenant_id, g.centro, g.grao, g.inicio, o.tipo, o.status)
    and t.quantidade = 0;

  insert into totais_vencimento as t
  select m.tenant_id, g.centro, g.grao, g.inicio, m.tipo, sum(sinal), sum(sinal * m.valor)
  from (select 1 as sinal, n.* from new_rows n union all select -1, o.* from old_rows o) as m,
    grupos_de(m.centro_custo, m.vencimento) g
  where m.status = 'em_aberto'
  group by m.tenant_id, g.centro, g.grao, g.inicio, m.tipo
  having sum(sinal) <> 0 or sum(sinal * m.valor) <> 0
  on conflict (tenant_id, centro, grao, inicio, tipo) do update
  set quantidade = t.quantidade + excluded.quantidade, soma = t.soma + excluded.soma;

  delete from totais_vencimento t using old_rows o, grupos_de(o.centro_custo, o.vencimento) g
  where (t.tenant_id, t.centro, t.grao, t.inicio, t.tipo)
      = (o.tenant_id, g.centro, g.grao, g.inicio, o.tipo)
    and t.quantidade = 0;
  return null;
end
$$;

create trigger totais_on_insert after insert on lancamentos
  referencing new table as new_rows
  for each statement execute function totais_on_insert();
create trigger totais_on_delete after delete on lancamentos
  referencing old table as old_rows
  for each statement execute function totais_on_delete();
create trigger totais_on_update after update on lancamentos
  referencing old table as old_rows new table as new_rows
  for each statement execute function totais_on_update();

-- What a list may be filtered by besides is judged in the index, before an entry is fetched.
drop index lancamentos_by_data;
create index lancamentos_by_data on lancamentos (tenant_id, data desc, id desc, tipo, status);
create index lancamentos_by_centro on lancamentos
  (tenant_id, centro_custo, data desc, id desc, tipo, status) where centro_custo is not null;
-- The open entries, for overdue figures together with a filter on the entry's own date.
create index lancamentos_open on lancamentos
  (tenant_id, data desc, id desc, tipo) include (vencimento, valor, centro_custo)
  where status = 'em_aberto';
