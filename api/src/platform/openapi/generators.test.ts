import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { describeApi, describeInternalApi } from './document.js';

const PUBLIC_URL = 'https://clearframe.example';
const DOCUMENTS = [
  ['for key holders', describeApi(PUBLIC_URL)],
  ['internal', describeInternalApi(PUBLIC_URL)],
] as const;

/** What a caller writes with the generated types; an error here means that a client can't be written. */
const CALLS = `
import type { operations } from './generated.js';
type Body<Operation extends keyof operations> = operations[Operation] extends
  { responses: { 200: { content: { 'application/json': infer Json } } } } ? Json : never;
export const isFinished = ({ status }: Body<'getTask'>): boolean => status === 'completed';
export const order: NonNullable<operations['listTasks']['parameters']['query']> = { limit: 5, status: ['completed'] };
// @ts-expect-error no such tool
export const wrong: operations['reprocessVideoTask']['requestBody']['content']['application/json'] = { ai_pipeline: { bokeh: {} } };
`;

async function compile(files: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'clearframe-generated-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const program = ts.createProgram(
      Object.keys(files).map((name) => join(folder, name)),
      { strict: true, noEmit: true, module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, types: [] },
    );
    return ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('a description of the API', () => {
  it.each(DOCUMENTS)('satisfies the recommended rules of Redocly: %s', async (_name, document) => {
    // Fixed segments count before parameters; these paths are older than the document.
    const rules = { 'no-ambiguous-paths': 'off' } as const;
    const config = await createConfig({ extends: ['recommended'], rules });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)).toEqual(
      [],
    );
  });

  it('makes types that compile', async () => {
    const [, [, internal]] = DOCUMENTS;
    const generate = async (document: unknown) => astToString(await openapiTS(document as OpenAPI3));
    const generated = {
      'generated.ts': await generate(describeApi(PUBLIC_URL)),
      'internal.ts': await generate(internal),
    };
    expect(await compile({ ...generated, 'calls.ts': CALLS })).toEqual([]);
  });
});
