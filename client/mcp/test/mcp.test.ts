import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { useEnhance } from '../../../api/test/support/enhance-fixture.js';
import { picture } from '../../../api/test/support/pictures.js';
import { Clearframe } from '../../src/index.ts';
import { createHttpEndpoint } from '../src/http.ts';
import { createServer } from '../src/server.ts';

const { api, client: keyClient, useWorker, finishOnly } = useEnhance();
useWorker();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearframe-mcp-'));
  await writeFile(join(folder, 'beach.jpg'), picture.jpeg());
});
afterAll(() => rm(folder, { recursive: true }));

async function connect(apiKey = keyClient().key): Promise<Client> {
  const server = createServer(new Clearframe({ apiKey, baseUrl: api().url, retrySeconds: 1 }), { hasFiles: true });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'agent', version: '1' });
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  onTestFinished(() => client.close());
  return client;
}

const call = async (client: Client, name: string, input: Record<string, unknown> = {}, options = {}) =>
  CallToolResultSchema.parse(await client.callTool({ name, arguments: input }, undefined, options));
const textOf = ({ content }: Awaited<ReturnType<typeof call>>): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

describe('the tools', () => {
  it('enhance a photo, save it, and offer the file as a resource', async () => {
    const client = await connect();
    const [bytes, target] = [picture.png(70_000), join(folder, 'better.png')];
    const input = {
      input: join(folder, 'beach.jpg'),
      pipeline: { face_enhance: { model: 'v2' } },
      output_path: target,
    };
    const steps: number[] = [];
    const options = { onprogress: ({ progress }: { progress: number }) => steps.push(progress) };
    const [result] = await Promise.all([call(client, 'enhance_photo', input, options), finishOnly(bytes)]);
    expect(result.isError).toBeFalsy();
    expect(result.structuredContent).toMatchObject({ status: 'completed', file_name: 'beach.jpg', saved_path: target });
    expect(bytes.equals(await readFile(target))).toBe(true);
    expect(steps.length).toBeGreaterThan(0);
    const link = result.content.find((part) => part.type === 'resource_link');
    const { contents } = await client.readResource({ uri: link?.uri ?? '' });
    const [content] = contents;
    expect(bytes.equals(Buffer.from(content && 'blob' in content ? content.blob : '', 'base64'))).toBe(true);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain(link?.uri);
    const listed = await call(client, 'list_tasks', { limit: 1 });
    const taskId = String(result.structuredContent?.task_id);
    expect(listed.structuredContent).toMatchObject({ tasks: [{ task_id: taskId }] });
    expect((await call(client, 'get_task', { task_id: taskId })).structuredContent).toMatchObject({
      status: 'completed',
    });
  });

  it('answer refusals with code and remedy, for the agent to read', async () => {
    const client = await connect();
    await writeFile(join(folder, 'notes.txt'), 'no picture');
    const refused = await call(client, 'enhance_photo', { input: join(folder, 'notes.txt') });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(/^uploads\.unsupported_type: .+\nSend JPEG/);
    const unknown = await call(client, 'enhance_photo', {
      input: join(folder, 'beach.jpg'),
      pipeline: { glitter: {} },
    });
    expect(unknown.isError).toBe(true);
    expect(textOf(await call(client, 'enhance_photo', { input: join(folder, 'missing.jpg') }))).toContain(
      'missing.jpg',
    );
    const stranger = await connect(`cfk_${'a'.repeat(43)}`);
    expect(textOf(await call(stranger, 'list_tasks'))).toMatch(/^users\.not_authorized: /);
  });

  it('are named and described', async () => {
    const { tools } = await (await connect()).listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'analyze_photo',
      'enhance_photo',
      'enhance_video',
      'get_task',
      'list_tasks',
    ]);
    for (const { description, inputSchema } of tools) {
      expect(description).toBeTruthy();
      for (const property of Object.values(inputSchema.properties ?? {}))
        expect(property).toHaveProperty('description');
    }
  });
});

describe('over HTTP', () => {
  async function listen(): Promise<URL> {
    const allowedHosts: string[] = [];
    const endpoint = createHttpEndpoint({ baseUrl: api().url, allowedHosts });
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      endpoint.closeAllConnections();
      endpoint.close();
    });
    const { port } = endpoint.address() as AddressInfo;
    allowedHosts.push(`127.0.0.1:${port}`);
    return new URL(`http://127.0.0.1:${port}/mcp`);
  }

  it('serves each caller by its own key, and no files of the machine', async () => {
    const headers = { authorization: `Bearer ${keyClient().key}` };
    const client = new Client({ name: 'agent', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(await listen(), { requestInit: { headers } }));
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual([
      'enhance_photo',
      'get_task',
      'list_tasks',
    ]);
    expect((await call(client, 'list_tasks')).structuredContent).toHaveProperty('tasks');
    for (const input of ['/etc/passwd', 'file:///etc/passwd', join(folder, 'beach.jpg')]) {
      const refused = await call(client, 'enhance_photo', { input });
      expect(refused.isError).toBe(true);
      expect(textOf(refused)).not.toContain('root:');
    }
  });

  it('refuses requests without a key, by another host, method or path', async () => {
    const url = await listen();
    const post = (to: URL, headers: Record<string, string> = {}) => fetch(to, { method: 'POST', headers, body: '{}' });
    expect((await post(url)).status).toBe(401);
    expect((await post(new URL('/', url), { 'x-api-key': 'cfk_x' })).status).toBe(404);
    expect((await fetch(url)).status).toBe(405);
    expect(
      (await fetch(`http://localhost:${url.port}/mcp`, { method: 'POST' }).catch(() => ({ status: 403 }))).status,
    ).toBe(403);
  });
});
