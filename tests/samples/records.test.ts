import { readFile } from 'node:fs/promises';
import { RECIPE_VERSION } from '@clearframe/contract';
import { expect, it } from 'vitest';
import { digestOf, readRecords } from './records.ts';
import { SAMPLES } from './sample-pictures.ts';

const MANIFEST = new URL('../../models/manifest.json', import.meta.url);

it('every sample has a record of its file, its recipe and the networks that made it', async () => {
  const { models }: { models: { id: string }[] } = JSON.parse(await readFile(MANIFEST, 'utf8'));
  const known = models.map(({ id }) => id);
  const records = await readRecords();
  expect(records.map(({ sample }) => sample)).toEqual(SAMPLES.map(({ name }) => name));
  for (const { sample, recipe, models: used, sha256 } of records) {
    expect(sha256, `${sample} was changed without pnpm samples`).toBe(await digestOf(sample));
    expect(recipe).toBeLessThanOrEqual(RECIPE_VERSION);
    expect(used.length).toBeGreaterThan(0);
    expect(known).toEqual(expect.arrayContaining(used.map(({ id }) => id)));
  }
});
