import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { FOLDER } from './sample-pictures.ts';

/** How a sample's result was made. */
export interface SampleRecord {
  readonly sample: string;
  /** `RECIPE_VERSION` of the product that made it. */
  readonly recipe: number;
  /** Networks that ran. */
  readonly models: readonly { readonly id: string; readonly version: string }[];
  /** Hash of `{sample}-after.jpg`. */
  readonly sha256: string;
}

const RECORDS = `${FOLDER}recipes.json`;

export const digestOf = async (sample: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(`${FOLDER}${sample}-after.jpg`))
    .digest('hex');

export const writeRecords = (records: readonly SampleRecord[]): Promise<void> =>
  writeFile(RECORDS, `${JSON.stringify(records, null, 2)}\n`);

export const readRecords = async (): Promise<SampleRecord[]> => JSON.parse(await readFile(RECORDS, 'utf8'));
