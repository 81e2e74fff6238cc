import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { describeApi } from '../../api/src/platform/openapi/document.js';
import { SCHEMA_FILE, schemaOf } from '../generate.ts';

it('src/schema.ts is what `pnpm --filter @clearframe/client generate` writes', async () => {
  expect(await readFile(SCHEMA_FILE, 'utf8')).toBe(await schemaOf(describeApi('http://localhost:3000')));
});
