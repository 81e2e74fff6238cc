import { readFile } from 'node:fs/promises';
import { accessTo, ROUTES } from '@clearframe/contract';
import { expect, it } from 'vitest';
import { openApiDocument } from '../../api/src/platform/http/document.js';
import { SCHEMA_FILE, schemaOf } from '../generate.ts';

it('src/schema.ts is what `pnpm --filter @clearframe/client generate` writes', async () => {
  const routes = ROUTES.filter((route) => accessTo(route).keyScope !== null);
  expect(await readFile(SCHEMA_FILE, 'utf8')).toBe(await schemaOf(openApiDocument(routes, 'http://localhost:3000')));
});
