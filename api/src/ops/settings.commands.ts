import { FLAG_NAMES, FLAGS, type FlagName } from '@clearframe/contract';
import { FlagOverrideRepository } from '../platform/flags/flags.service.js';
import { type Command, table, UsageError } from './command.js';

function flagNamed(name: string | undefined): FlagName {
  const flag = FLAG_NAMES.find((known) => known === name);
  if (!flag) throw new UsageError(`unknown flag ${name ?? ''}; \`settings list\` shows all flags`);
  return flag;
}

/** Parses JSON, else returns the text: `true`, `90`, `null`, `three_exports`. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const list: Command = {
  name: 'settings list',
  usage: '',
  summary: 'list flags with their values and effects',
  async run(_args, { database }) {
    const stored = await new FlagOverrideRepository(database).list();
    const overrides = new Map(stored.map(({ name, value }) => [name, value]));
    const rows = FLAG_NAMES.map((name) => {
      const { defaultValue, effect } = FLAGS[name];
      const value = overrides.has(name) ? overrides.get(name) : defaultValue;
      return [name, JSON.stringify(value), overrides.has(name) ? 'set' : 'default', effect];
    });
    return table([['FLAG', 'VALUE', '', 'EFFECT'], ...rows]);
  },
};

const set: Command = {
  name: 'settings set',
  usage: '<flag> <value>',
  summary: 'set a flag; takes effect within seconds',
  async run([name, text], { database, audit, actor }) {
    const flag = flagNamed(name);
    if (text === undefined) throw new UsageError('give a value');
    const result = FLAGS[flag].schema.safeParse(parsed(text));
    if (!result.success) throw new UsageError(`${flag} can't be ${text}: ${result.error.issues[0]?.message}`);
    const value = result.data;
    await database.transaction(async (manager) => {
      await new FlagOverrideRepository(database).set(manager, flag, value);
      await audit.record({ actor, action: 'settings.set', details: { flag, value } }, manager);
    });
    return `${flag} = ${JSON.stringify(value)}`;
  },
};

const unset: Command = {
  name: 'settings unset',
  usage: '<flag>',
  summary: 'reset a flag to its default',
  async run([name], { database, audit, actor }) {
    const flag = flagNamed(name);
    await database.transaction(async (manager) => {
      await new FlagOverrideRepository(database).delete(manager, flag);
      await audit.record({ actor, action: 'settings.unset', details: { flag } }, manager);
    });
    return `${flag} = ${JSON.stringify(FLAGS[flag].defaultValue)}`;
  },
};

export const settingsCommands: readonly Command[] = [list, set, unset];
