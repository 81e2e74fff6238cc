/** Writes src/schema.ts from the description of the API: `pnpm --filter @clearframe/client generate`, after `pnpm build:node`. */
import { writeFile } from 'node:fs/promises';
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';

export const SCHEMA_FILE = new URL('src/schema.ts', import.meta.url);

/** The named schemas; the client knows its few addresses itself, and all errors have one shape. */
export async function schemaOf(document: object): Promise<string> {
  const nodes = await openapiTypescript({ ...document, paths: {}, webhooks: {} } as OpenAPI3);
  return `/** Generated from the description of the API by generate.ts. */\n\n${astToString(nodes)}`;
}

if (import.meta.main) {
  const { describeApi } = await import('../api/dist/platform/openapi/document.js');
  await writeFile(SCHEMA_FILE, await schemaOf(describeApi('http://localhost:3000')));
}
