import { Command, Option } from 'commander'
import { print, type WithDatabase } from '../terminal.ts'
import type { FileOptions } from './file.ts'

export function lancamentosCommands(withDatabase: WithDatabase): Command {
  const lancamentos = new Command('lancamentos').description('The entries of a company.')

  lancamentos
    .command('import')
    .description(
      'Import a CSV or OFX file: every line that is not there yet, or none. Exits with 1 where a line is at fault.',
    )
    .argument('<file>', 'the file')
    .requiredOption('--empresa <id>', 'the company')
    .addOption(
      new Option('--status <status>', 'of lines of a CSV that do not tell theirs').choices([
        'pago',
        'em_aberto',
      ]),
    )
    .option('--json', 'print {"importadas": 0, "repetidas": 0}')
    .action((file: string, options: FileOptions & { json?: true }) =>
      withDatabase(async (db) => {
        // Loaded here alone: the other commands need none of what judges an entry, and are quicker without.
        const { importFile } = await import('./file.ts')
        const { importadas, repetidas } = await importFile(db, file, options)
        print(options.json, { importadas, repetidas }, tell(importadas!, repetidas!))
      }),
    )

  return lancamentos
}

function tell(importadas: number, repetidas: number): string {
  const written = importadas === 1 ? 'lançamento importado' : 'lançamentos importados'
  const known = repetidas === 1 ? 'já estava lá' : 'já estavam lá'
  return `${importadas} ${written}, ${repetidas} ${known}.`
}
