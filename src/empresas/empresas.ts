import { randomUUIDv7 } from 'node:crypto'
import { MODULOS, type Modulo } from '../auth/actor.ts'
import type { Database } from '../db/database.ts'
import { isUuid } from '../db/uuid.ts'
import { OperatorError } from '../errors.ts'

export interface Empresa {
  id: string
  nome: string
  fuso_horario: string
  modulos: Modulo[]
  criado_em: string
}

const DEFAULT_TIME_ZONE = 'America/Sao_Paulo'

interface NewEmpresa {
  nome: string
  fusoHorario?: string | undefined
  modulos?: readonly Modulo[] | undefined
}

export async function createEmpresa(db: Database, empresa: NewEmpresa): Promise<string> {
  const { nome, fusoHorario = DEFAULT_TIME_ZONE, modulos = MODULOS } = empresa
  if (nome.length < 1 || nome.length > 200 || !nome.isWellFormed() || nome.includes('\0')) {
    throw new OperatorError('A company needs a name of 1 to 200 characters.')
  }
  const id = randomUUIDv7()
  await db.system('lastro_operator').query(
    `with empresa as (
       insert into empresas (tenant_id, nome, fuso_horario, modulo_cobrancas, modulo_integracoes)
       values ($1, $2, $3, $4, $5)
       returning tenant_id)
     insert into empresa_counters (tenant_id) select tenant_id from empresa`,
    [id, nome, timeZone(fusoHorario), ...switches(modulos)],
  )
  return id
}

export async function listEmpresas(db: Database): Promise<Empresa[]> {
  const rows = await db.system('lastro_operator').query<EmpresaRow>(
    `select tenant_id, nome, fuso_horario, modulo_cobrancas, modulo_integracoes, criado_em
     from empresas order by criado_em, tenant_id`,
  )
  return rows.map(present)
}

export async function findEmpresa(db: Database, id: string): Promise<Empresa> {
  if (!isUuid(id)) return unknownEmpresa(id)
  const [row] = await db.system('lastro_operator').query<EmpresaRow>(
    `select tenant_id, nome, fuso_horario, modulo_cobrancas, modulo_integracoes, criado_em
     from empresas where tenant_id = $1`,
    [id],
  )
  return present(row ?? unknownEmpresa(id))
}

export async function setModulos(db: Database, id: string, modulos: readonly Modulo[]) {
  if (!isUuid(id)) return unknownEmpresa(id)
  const rows = await db.system('lastro_operator').query<EmpresaRow>(
    `update empresas
     set modulo_cobrancas = $2, modulo_integracoes = $3, atualizado_em = clock_timestamp()
     where tenant_id = $1
     returning tenant_id, nome, fuso_horario, modulo_cobrancas, modulo_integracoes, criado_em`,
    [id, ...switches(modulos)],
  )
  return present(rows[0] ?? unknownEmpresa(id))
}

interface EmpresaPatch {
  nome?: string
  fuso_horario?: string
  modulos?: readonly Modulo[]
}

/** What is left out stays as it is. */
export async function updateEmpresa(db: Database, id: string, patch: EmpresaPatch) {
  const { nome = null, fuso_horario, modulos } = patch
  const [cobrancas, integracoes] = modulos ? switches(modulos) : [null, null]
  await db.write(id, (tx) =>
    tx.query(
      `update empresas set nome = coalesce($2, nome), fuso_horario = coalesce($3, fuso_horario),
         modulo_cobrancas = coalesce($4, modulo_cobrancas),
         modulo_integracoes = coalesce($5, modulo_integracoes), atualizado_em = clock_timestamp()
       where tenant_id = $1`,
      [tx.tenantId, nome, fuso_horario ? timeZone(fuso_horario) : null, cobrancas!, integracoes!],
    ),
  )
  return findEmpresa(db, id)
}

function unknownEmpresa(id: string): never {
  throw new OperatorError(`There is no company ${id}; \`empresas list\` shows them.`)
}

interface EmpresaRow {
  tenant_id: string
  nome: string
  fuso_horario: string
  modulo_cobrancas: boolean
  modulo_integracoes: boolean
  criado_em: string
}

function present(row: EmpresaRow): Empresa {
  return {
    id: row.tenant_id,
    nome: row.nome,
    fuso_horario: row.fuso_horario,
    modulos: MODULOS.filter((modulo) => row[`modulo_${modulo}`]),
    criado_em: row.criado_em,
  }
}

function switches(modulos: readonly Modulo[]): boolean[] {
  return MODULOS.map((modulo) => modulos.includes(modulo))
}

/** The zone's own spelling, so that it reads the same everywhere. */
function timeZone(name: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    throw new OperatorError(`${name} is not a time zone; write it like ${DEFAULT_TIME_ZONE}.`)
  }
}
