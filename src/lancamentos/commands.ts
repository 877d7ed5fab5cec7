import { Command } from 'commander'
import { findEmpresa, listEmpresas } from '../empresas/empresas.ts'
import { print, table, type WithDatabase } from '../terminal.ts'
import { verifyTotais } from './totais.ts'

export function totaisCommands(withDatabase: WithDatabase): Command {
  const totais = new Command('totais').description('The totals that are kept with each write.')

  totais
    .command('verify')
    .description('Count every entry again and compare. Exits with 1 where a total is wrong.')
    .option('--empresa <id>', 'one company (default: all)')
    .option('--fix', 'write what is wrong anew')
    .option('--json', 'print [{"empresa": "…", "wrong": 0}]')
    .action(({ json, empresa, fix = false }) =>
      withDatabase(async (db) => {
        const companies = empresa ? [await findEmpresa(db, empresa)] : await listEmpresas(db)
        const found: { empresa: string; wrong: number }[] = []
        for (const { id } of companies) {
          found.push({ empresa: id, wrong: await verifyTotais(db, id, fix) })
        }
        const rows = found.map(({ empresa: id, wrong }) => [
          id,
          wrong === 0 ? 'right' : `${wrong} wrong${fix ? ', fixed' : ''}`,
        ])
        print(json, found, table(['EMPRESA', 'TOTALS'], rows))
        if (!fix && found.some(({ wrong }) => wrong > 0)) process.exitCode = 1
      }),
    )

  return totais
}
