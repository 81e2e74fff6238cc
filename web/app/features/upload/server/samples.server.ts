import path from 'node:path';
import type { AppLoadContext } from '@remix-run/node';
import { SAMPLE_NAMES, type SampleName } from '../wire/samples';

export const isSampleName = (name: unknown): name is SampleName => SAMPLE_NAMES.some((known) => known === name);

/** Where a sample's degraded 'before' lies: the very file that the page shows. */
export const samplePath = (name: SampleName, { clientFolder }: AppLoadContext): string =>
  path.join(clientFolder, 'samples', `${name}.jpg`);
