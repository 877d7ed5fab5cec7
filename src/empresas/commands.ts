import { Command, InvalidArgumentError } from 'commander'
import { MODULOS, type Modulo } from '../auth/actor.ts'
import { deleteEmpresa } from '../care/delete.ts'
import { exportEmpresa } from '../care/export.ts'
import { print, table, type WithDatabase } from '../terminal.ts'
import { createEmpresa, listEmpresas, setModulos } from './empresas.ts'

export function empresasCommands(withDatabase: WithDatabase): Command {
  const empresas = new Command('empresas').description('The companies that Lastro serves.')

  empresas
    .command('create')
    .description('Create a company.')
    .requiredOption('--nome <name>', 'its name')
    .option('--fuso-horario <zone>', 'its time zone (default: America/Sao_Paulo)')
    .option('--modulos <list>', 'cobrancas,integracoes or none (default: both)', parseModulos)
    .option('--json', 'print {"id": "…"}')
    .action(({ json, ...empresa }) =>
      withDatabase(async (db) => {
        const id = await createEmpresa(db, empresa)
        print(json, { id }, `Created company ${id}.`)
      }),
    )

  empresas
    .command('list')
    .description('List all companies, the oldest first.')
    .option('--json', 'print them as one JSON array')
    .action(({ json }) =>
      withDatabase(async (db) => {
        const all = await listEmpresas(db)
        const rows = all.map((e) => [e.id, e.nome, e.fuso_horario, e.modulos.join(',') || 'none'])
        print(json, all, table(['ID', 'NOME', 'FUSO HORÁRIO', 'MÓDULOS'], rows))
      }),
    )

  empresas
    .command('set-modulos')
    .description('Switch modules of a company on and off.')
    .argument('<id>', 'the company')
    .requiredOption('--modulos <list>', 'cobrancas,integracoes or none', parseModulos)
    .option('--json', 'print the company')
    .action((id: string, { json, modulos }) =>
      withDatabase(async (db) => {
        const empresa = await setModulos(db, id, modulos)
        print(json, empresa, `Modules of ${empresa.nome}: ${empresa.modulos.join(', ') || 'none'}.`)
      }),
    )

  empresas
    .command('export')
    .description('Write every row of a company, without its secrets, as lines of JSON.')
    .argument('<id>', 'the company')
    .argument('<file>', 'where to, or - for standard output')
    .option('--json', 'print {"rows": {"lancamentos": 0, …}}, unless the rows go there')
    .action((id: string, file: string, { json }) =>
      withDatabase(async (db) => {
        const rows = await exportEmpresa(db, id, file)
        if (file !== '-') print(json, { rows }, counted(rows))
      }),
    )

  empresas
    .command('delete')
    .description(
      'Delete a company: every row of it, in every table. Nothing brings it back but a backup.',
    )
    .argument('<id>', 'the company')
    .requiredOption('--confirm <nome>', 'its exact name')
    .option('--json', 'print {"rows": {"lancamentos": 0, …}}')
    .action((id: string, { json, confirm }) =>
      withDatabase(async (db) => {
        const rows = await deleteEmpresa(db, id, confirm)
        print(json, { rows }, counted(rows))
      }),
    )

  return empresas
}

function counted(rows: Record<string, number>): string {
  const cells = Object.entries(rows).map(([name, count]) => [name, String(count)])
  return table(['TABLE', 'ROWS'], cells)
}

function parseModulos(text: string): Modulo[] {
  if (text === 'none') return []
  const names = text.split(',').map((name) => name.trim())
  if (!names.every((name) => (MODULOS as readonly string[]).includes(name))) {
    throw new InvalidArgumentError(`Use ${MODULOS.join(', ')} with commas between them, or none.`)
  }
  return names as Modulo[]
}
