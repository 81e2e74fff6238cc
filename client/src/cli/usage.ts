import type { UsageRow } from '../schemas.ts';
import { type Command, textOf } from './command.ts';
import { EXIT, UsageError } from './exit-codes.ts';

const FIGURES = ['pictures', 'videos', 'megapixels', 'failed'] as const;
/** Characters of a key's id. */
const SHOWN_ID = 8;

export const usageCommand: Command = {
  name: 'usage',
  usage: '[--from DAY] [--to DAY] [--key-id ID]',
  summary: 'show what keys had made, by day',
  details: 'Days are those of UTC. A live key sees the live keys of its account, a test key the test keys.',
  examples: ['clearframe usage --from 2026-11-01 --to 2026-11-30', 'clearframe usage --json | jq .pictures'],
  options: {
    from: { type: 'string', value: 'DAY', help: 'first day, as in 2026-11-30; default: 30 days in all' },
    to: { type: 'string', value: 'DAY', help: 'last day; default: today' },
    'key-id': { type: 'string', value: 'ID', help: 'only of this key' },
  },
  async run(call) {
    if (call.positionals.length > 0) throw new UsageError('`clearframe usage` takes options only.');
    const { signal, values, print } = call;
    const period = { from: textOf(call, 'from'), to: textOf(call, 'to'), keyId: textOf(call, 'key-id') };
    const rows: UsageRow[] = [];
    for await (const row of (await call.client()).usage({ ...period, signal })) {
      if (values.json === true) print(JSON.stringify(row));
      else rows.push(row);
    }
    if (values.json !== true) for (const line of linesOf(rows)) print(line);
    return EXIT.ok;
  },
};

/** A table with a sum, its figures on the right. */
function linesOf(rows: readonly UsageRow[]): string[] {
  if (rows.length === 0) return ['Nothing was made in these days.'];
  const cells = [
    ['day', 'key', ...FIGURES],
    ...rows.map((row) => [row.day, nameOf(row), ...figuresOf([row])]),
    ['sum', '', ...figuresOf(rows)],
  ];
  const widthOf = (column: number) => Math.max(...cells.map((row) => row[column]?.length ?? 0));
  return cells.map((row) =>
    row.map((cell, column) => (column < 2 ? cell.padEnd(widthOf(column)) : cell.padStart(widthOf(column)))).join('  '),
  );
}

const nameOf = ({ key_id: id, is_test: isTest }: UsageRow): string =>
  `${id.slice(0, SHOWN_ID)}${isTest ? ' test' : ''}`;

const figuresOf = (rows: readonly UsageRow[]): string[] =>
  FIGURES.map((figure) => {
    const sum = rows.reduce((total, row) => total + row[figure], 0);
    return figure === 'megapixels' ? sum.toFixed(1) : String(sum);
  });
