import { existsSync } from 'node:fs';
import type { Command } from './command.ts';
import { EXIT, UsageError } from './exit-codes.ts';

export const analyzeCommand: Command = {
  name: 'analyze',
  usage: 'PICTURE',
  summary: 'measure a picture and suggest tools, as JSON; free',
  examples: ['clearframe analyze photo.jpg | jq .suggested_pipeline'],
  options: {},
  async run({ positionals, values, signal, client, print }) {
    const [picture] = positionals;
    if (picture === undefined || positionals.length > 1) throw new UsageError('Name one picture.');
    if (!existsSync(picture)) throw new UsageError(`${picture} doesn't exist.`);
    const analysis = await (await client()).analyze(picture, { signal });
    print(JSON.stringify(analysis, null, values.json === true ? undefined : 2));
    return EXIT.ok;
  },
};
