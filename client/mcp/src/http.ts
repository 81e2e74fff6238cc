import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Clearframe } from '@clearframe/client';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createServer } from './server.ts';

export interface HttpOptions {
  /** Where Clearframe runs. */
  readonly baseUrl?: string;
  /** Host headers that are answered: a page can't reach the server under another name (DNS rebinding). */
  readonly allowedHosts: readonly string[];
}

/**
 * The server over HTTP, for several users: each request carries its own key, nothing is kept between requests, and no
 * file of the machine is read.
 */
export function createHttpEndpoint({ baseUrl, allowedHosts }: HttpOptions): Server {
  return createHttpServer((request, response) => {
    void answer(request, response).catch(() => {
      if (!response.headersSent) refuse(response, 500, 'The request failed.');
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!allowedHosts.includes(request.headers.host ?? '')) return refuse(response, 403, 'This host is not served.');
    if (request.url !== '/mcp') return refuse(response, 404, 'The endpoint is /mcp.');
    if (request.method !== 'POST') return refuse(response, 405, 'Requests are sent by POST.');
    const apiKey = keyIn(request);
    if (!apiKey) return refuse(response, 401, 'Send a key as `Authorization: Bearer cfk_…` or `X-Api-Key`.');
    const server = createServer(new Clearframe({ apiKey, ...(baseUrl && { baseUrl }) }), { hasFiles: false });
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    response.on('close', () => void server.close());
    await server.connect(transport);
    await transport.handleRequest(request, response);
  }
}

function keyIn({ headers }: IncomingMessage): string | null {
  const key = headers['x-api-key'];
  if (typeof key === 'string' && key) return key;
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', ...(status === 405 && { allow: 'POST' }) });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}
