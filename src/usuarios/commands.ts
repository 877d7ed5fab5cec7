import { Command, InvalidArgumentError } from 'commander'
import type { Config } from '../config.ts'
import { findEmpresa } from '../empresas/empresas.ts'
import { print, table, type WithDatabase } from '../terminal.ts'
import { isEmail } from './email.ts'
import { PAPEIS, type Papel } from './papeis.ts'
import { listMembros } from './queries.ts'
import { invite } from './usuarios.ts'

export function usuariosCommands(
  withDatabase: WithDatabase,
  config: () => Pick<Config, 'publicUrl'>,
): Command {
  const usuarios = new Command('usuarios').description('The people of a company.')

  usuarios
    .command('invite')
    .description('Print a link, good once and for a week, by which somebody joins a company.')
    .requiredOption('--empresa <id>', 'the company')
    .requiredOption('--email <address>', 'whom it is for', parseEmail)
    .requiredOption('--role <role>', PAPEIS.join(', '), parsePapel)
    .option('--json', 'print {"link": "…"}')
    .action(({ json, empresa, email, role }) =>
      withDatabase(async (db) => {
        await findEmpresa(db, empresa)
        const token = await db.write(empresa, (tx) => invite(tx, email, role))
        const link = conviteLink(config(), token)
        print(
          json,
          { link },
          `Whoever opens this link becomes ${role}, once, within a week:\n${link}`,
        )
      }),
    )

  usuarios
    .command('list')
    .description('List the people of a company.')
    .requiredOption('--empresa <id>', 'the company')
    .option('--json', 'print them as one JSON array')
    .action(({ json, empresa }) =>
      withDatabase(async (db) => {
        await findEmpresa(db, empresa)
        const all = await listMembros(db.reader(empresa))
        const rows = all.map(({ id, nome, email, papel }) => [id, nome, email, papel])
        print(json, all, table(['ID', 'NOME', 'E-MAIL', 'PAPEL'], rows))
      }),
    )

  return usuarios
}

export function conviteLink({ publicUrl }: Pick<Config, 'publicUrl'>, token: string): string {
  return `${publicUrl}/convite/${token}`
}

function parseEmail(text: string): string {
  if (isEmail(text)) return text
  throw new InvalidArgumentError('Write an e-mail address, like ana@example.com.')
}

function parsePapel(text: string): Papel {
  if ((PAPEIS as readonly string[]).includes(text)) return text as Papel
  throw new InvalidArgumentError(`Use one of ${PAPEIS.join(', ')}.`)
}
