// Loaded into a service before anything else: it dies, as by kill -9, around one of its write transactions.
import { Database } from '../../src/db/database.ts'

const [when, number] = process.env.KILL_AT!.split(' ')
const die = () => process.kill(process.pid, 'SIGKILL')
const write = Database.prototype.write
let count = 0

Database.prototype.write = async function <T>(this: Database, ...args: unknown[]): Promise<T> {
  const isIt = ++count === Number(number)
  if (isIt && when === 'before') {
    die()
    await new Promise(() => {})
  }
  const value = (await write.apply(this, args as never)) as T
  if (isIt && when === 'after') {
    die()
    await new Promise(() => {})
  }
  return value
}
