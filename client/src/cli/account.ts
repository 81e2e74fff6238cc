import { text } from 'node:stream/consumers';
import { ReadStream } from 'node:tty';
import { Clearframe } from '../clearframe.ts';
import type { User } from '../schemas.ts';
import { type Command, textOf } from './command.ts';
import { EXIT, UsageError } from './exit-codes.ts';
import { findSettings, removeSettings, storeSettings, urlOf } from './settings.ts';

export const loginCommand: Command = {
  name: 'login',
  usage: '[--url URL]',
  summary: 'store an API key for this computer user',
  details:
    'Create the key in your account. It is asked for, or read from standard input, checked, and stored in a file that only you can read.',
  examples: ['clearframe login', 'clearframe login --url https://photos.example.com < key.txt'],
  options: {},
  async run(call) {
    const url = await urlOf(call.env, textOf(call, 'url'));
    const key = (textOf(call, 'key') ?? (await readKey())).trim();
    if (!/^cfk_\S+$/.test(key)) throw new UsageError('A key begins with cfk_.');
    const user = await new Clearframe({ apiKey: key, baseUrl: url }).me({ signal: call.signal });
    const file = await storeSettings(call.env, { key, url });
    call.print(
      call.values.json === true
        ? JSON.stringify({ url, email: user.email, file })
        : `${accountOf(user)}\nStored in ${file}.`,
    );
    return EXIT.ok;
  },
};

export const logoutCommand: Command = {
  name: 'logout',
  usage: '',
  summary: 'remove the stored key; it stays valid',
  options: {},
  async run(call) {
    await removeSettings(call.env);
    return EXIT.ok;
  },
};

export const keysCommand: Command = {
  name: 'keys',
  aliases: ['whoami'],
  usage: '',
  summary: 'show whose key is used, and what it has left',
  options: {},
  async run(call) {
    const { key, url } = await findSettings(call.env, { key: textOf(call, 'key'), url: textOf(call, 'url') });
    const user = await (await call.client()).me({ signal: call.signal });
    const shown = { key: `${key.slice(0, 12)}…`, url, email: user.email, plan: user.role, ...user.limits };
    const { exports: all, exports_used: used } = user.limits;
    const downloads = all === null ? 'unlimited downloads' : `${all - used} of ${all} downloads left`;
    call.print(
      call.values.json === true ? JSON.stringify(shown) : `${shown.key} at ${url}\n${accountOf(user)}, ${downloads}`,
    );
    return EXIT.ok;
  },
};

const accountOf = ({ email, role }: User): string => `${email ?? 'A guest'}, plan ${role}`;

/** Not shown while it is typed. */
async function readKey(): Promise<string> {
  const { stdin, stderr } = process;
  if (!(stdin instanceof ReadStream)) return text(stdin);
  stderr.write('API key: ');
  stdin.setRawMode(true);
  try {
    let typed = '';
    for await (const chunk of stdin.setEncoding('utf8')) {
      for (const character of String(chunk)) {
        if (character === '\x03') process.kill(process.pid, 'SIGINT');
        if ('\r\n\x03\x04'.includes(character)) return typed;
        typed = character === '\x7f' ? typed.slice(0, -1) : typed + character;
      }
    }
    return typed;
  } finally {
    stdin.setRawMode(false);
    stderr.write('\n');
  }
}
